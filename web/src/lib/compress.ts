import workerAddress from './compress.worker.ts?worker&url';

/** Trusted Types, which the content policy requires for script URLs. The only policy is created here. */
interface ScriptPolicy {
  createScriptURL(address: string): string;
}
interface TrustedTypesFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

/** Upper limit for compression; large PNGs can take several seconds. */
const TIMEOUT_MS = 10_000;

let policy: ScriptPolicy | undefined;

function trustedUrl(address: string): string {
  // Not in every browser, and not in TypeScript's library.
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  if (!factory) return address;
  policy ??= factory.createPolicy('tara-worker', { createScriptURL: () => workerAddress });
  return policy.createScriptURL(address);
}

/** Compresses a picture to at most 2 MB in our own worker (the library would load its worker from another site).
 * If that fails, returns the original: the server compresses stored pictures anyway.
 * @throws AbortError when cancelled.
 */
export function compressPicture(file: File, signal?: AbortSignal): Promise<Blob> {
  let worker: Worker;
  let timeout: ReturnType<typeof setTimeout>;
  try {
    worker = new Worker(trustedUrl(workerAddress), { type: 'module' });
  } catch (error) {
    console.warn('Pictures cannot be compressed in this browser', error);
    return Promise.resolve(file);
  }
  return new Promise<Blob>((resolve, reject) => {
    const resolveOriginal = (reason: unknown) => {
      console.warn('The picture is uploaded uncompressed', reason);
      resolve(file);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<Blob | string>) =>
      data instanceof Blob ? resolve(data) : resolveOriginal(data),
    );
    worker.addEventListener('error', (event) => resolveOriginal(event.message));
    timeout = setTimeout(() => resolveOriginal('Compression timed out'), TIMEOUT_MS);
    signal?.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')), {
      once: true,
    });
    worker.postMessage(file);
  }).finally(() => {
    clearTimeout(timeout);
    worker.terminate();
  });
}
