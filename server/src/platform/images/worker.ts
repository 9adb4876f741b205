// A process of its own for pictures: what a decoder does there takes no time of requests, and it can be ended.
import { setPriority } from 'node:os';
import type { ImageLimits, ProcessedImage } from './process.ts';
import { ImageRejected, type ImageRejection } from './rejected.ts';

/** What the server sends: one picture. The next comes when this one is answered. */
export interface PictureRequest {
  upload: Uint8Array;
  limits: ImageLimits;
}

/** What is answered: the picture or why it is refused, and the CPU time that either took, ms. */
export type PictureReply = { cpuMs: number } & (
  | { image: ProcessedImage }
  | { rejection: ImageRejection; reason: string }
);

// Before the decoder is loaded, because its threads take over the priority of this one: requests come first.
setPriority(5);
const { processImage } = await import('./process.ts');

/** The server ends this process by closing the channel, also when it dies itself. */
process.once('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

async function answer({ upload, limits }: PictureRequest): Promise<PictureReply> {
  const before = process.cpuUsage();
  const cpuMs = () => {
    const { user, system } = process.cpuUsage(before);
    return Math.ceil((user + system) / 1000);
  };
  try {
    const image = await processImage(upload, limits);
    return { image, cpuMs: cpuMs() };
  } catch (error) {
    const reason = String(error instanceof Error ? (error.cause ?? error.message) : error);
    return {
      rejection: error instanceof ImageRejected ? error.reason : 'unreadable',
      reason,
      cpuMs: cpuMs(),
    };
  }
}

process.on('message', async (request: PictureRequest) => {
  process.send?.(await answer(request));
});
process.send?.('ready');
