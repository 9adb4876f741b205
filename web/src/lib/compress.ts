import workerAddress from './compress.worker.ts?worker&url';

/** What the content policy's Trusted Types ask of an address that becomes a script: made here and nowhere else. */
interface ScriptPolicy {
  createScriptURL(address: string): string;
}
interface TrustedTypesFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

/** Milliseconds after which nobody would want to wait longer; large PNGs can take that. */
const TIMEOUT_MS = 10_000;

let policy: ScriptPolicy | undefined;

function trustedUrl(address: string): string {
  // Not in every browser, and not in TypeScript's library.
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  if (!factory) return address;
  policy ??= factory.createPolicy('tara-worker', { createScriptURL: () => workerAddress });
  return policy.createScriptURL(address);
}

/**
 * The picture at most 2 MB large, in a worker of our own (the library's would come from another site).
 * When that fails the original is answered: the server compresses what it stores anyway.
 * @throws AbortError when cancelled.
 */
export function compressPicture(file: File, signal?: AbortSignal): Promise<Blob> {
  let worker: Worker;
  let timeout: ReturnType<typeof setTimeout>;
  try {
    worker = new Worker(trustedUrl(workerAddress), { type: 'module' });
  } catch (error) {
    console.warn('Pictures cannot be made smaller here', error);
    return Promise.resolve(file);
  }
  return new Promise<Blob>((resolve, reject) => {
    const resolveOriginal = (reason: unknown) => {
      console.warn('The picture is sent as it is', reason);
      resolve(file);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<Blob | string>) =>
      data instanceof Blob ? resolve(data) : resolveOriginal(data),
    );
    worker.addEventListener('error', (event) => resolveOriginal(event.message));
    timeout = setTimeout(() => resolveOriginal('It takes too long'), TIMEOUT_MS);
    signal?.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')), {
      once: true,
    });
    worker.postMessage(file);
  }).finally(() => {
    clearTimeout(timeout);
    worker.terminate();
  });
}
