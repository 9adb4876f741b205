// A process of its own for pictures: what a decoder does there takes no time of requests, and it can be ended.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { ImageLimits, ProcessedImage } from './process.ts';
import { ImageRejected, type ImageRejection } from './rejected.ts';
import type { Transformation } from './size.ts';

/** What is to be done with a picture: an upload is taken, or a preview made of a stored one. */
export type PictureWork = { limits: ImageLimits } | { transformation: Transformation };

/** What the server sends: one picture, whose bytes follow on stdin. The next comes when this one is answered. */
export interface PictureRequest {
  /** Bytes. */
  size: number;
  /** Most CPU time that it may take. */
  seconds: number;
  work: PictureWork;
}

/** What is answered: the picture or why it is refused, and the CPU time that either took, ms. */
export type PictureReply = { cpuMs: number } & (
  | { image: ProcessedImage | Buffer }
  | { rejection: ImageRejection; reason: string }
);

/** Below that of the server, and not the lowest: on a busy machine pictures must be done as well. */
const priority = Number(process.argv[2]);

// Before the decoder is loaded, because its threads take over the priority of this one: requests come first.
setPriority(priority);
const { processImage } = await import('./process.ts');
const { transformPicture } = await import('./transform.ts');
// Linux may share the cores between sessions, and then priorities hold only within one: this process has one of its own.
await writeFile('/proc/self/autogroup', String(priority)).catch(() => {});

/** The server ends this process by closing the channel, also when it dies itself. */
process.once('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

/** Reads so many bytes of stdin. */
async function readUpload(size: number): Promise<Uint8Array> {
  const upload = new Uint8Array(size);
  for (let filled = 0; filled < size; ) {
    const chunk: Buffer | null = process.stdin.read();
    if (chunk === null) await once(process.stdin, 'readable');
    else {
      upload.set(chunk, filled);
      filled += chunk.length;
    }
  }
  return upload;
}

/** Waits for so much CPU time of this process: the decoder works in threads of its own and leaves this one free. */
function waitForCpu(cpuMs: () => number, seconds: number, signal: AbortSignal): Promise<'over'> {
  return new Promise((resolve) => {
    const watching = setInterval(
      () => {
        if (cpuMs() >= seconds * 1000) resolve('over');
      },
      Math.min(250, seconds * 500),
    );
    signal.addEventListener('abort', () => clearInterval(watching));
  });
}

const doWork = (bytes: Uint8Array, work: PictureWork): Promise<ProcessedImage | Buffer> =>
  'limits' in work ? processImage(bytes, work.limits) : transformPicture(bytes, work.transformation);

async function answer({ size, seconds, work }: PictureRequest): Promise<PictureReply> {
  const before = process.cpuUsage();
  const cpuMs = () => {
    const { user, system } = process.cpuUsage(before);
    return Math.ceil((user + system) / 1000);
  };
  const done = new AbortController();
  try {
    const image = await Promise.race([
      readUpload(size).then((bytes) => doWork(bytes, work)),
      waitForCpu(cpuMs, seconds, done.signal),
    ]);
    if (image === 'over') return { rejection: 'too_slow', reason: `more than ${seconds} s`, cpuMs: cpuMs() };
    return { image, cpuMs: cpuMs() };
  } catch (error) {
    const reason = String(error instanceof Error ? (error.cause ?? error.message) : error);
    return {
      rejection: error instanceof ImageRejected ? error.reason : 'unreadable',
      reason,
      cpuMs: cpuMs(),
    };
  } finally {
    done.abort();
  }
}

process.on('message', async (request: PictureRequest) => {
  process.send?.(await answer(request));
});
process.send?.('ready');
