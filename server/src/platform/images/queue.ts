import { availableParallelism } from 'node:os';
import { openFairQueue, type Requester } from '../fair-queue.ts';
import { limitByAddress, limitByKey } from '../http/rate-limits.ts';
import type { ImageLimits, ProcessedImage } from './process.ts';
import { countPixels, largePixels, type Transformation } from './size.ts';
import { type ImageWorker, type Outcome, openImageWorker } from './worker-process.ts';

/** For how long CPU time is counted. */
const budgetSeconds = 600;

/** A stored picture whose preview is made. */
export interface StoredImage {
  bytes: Uint8Array;
  /** px, of the largest that is stored. */
  width: number;
  height: number;
}

/** Where uploads are turned into pictures, a few at a time. */
export interface Images {
  /**
   * Checks and re-encodes an upload, given in parts of any size; accounts take turns. `signal` takes it out of the queue.
   * @throws ImageRejected about the picture; Problem `general_rate_limit_exceeded` when the requester's pictures took too much time; `general_unavailable`
   */
  process(
    upload: readonly Uint8Array[],
    limits: ImageLimits,
    requester: Requester,
    signal?: AbortSignal,
  ): Promise<ProcessedImage>;
  /**
   * Makes a preview of a stored picture, on the same account of CPU time.
   * @throws as `process`
   */
  transform(picture: StoredImage, transformation: Transformation, requester: Requester): Promise<Buffer>;
  close(): void;
}

interface ImagesOptions {
  /** Whether CPU time is limited. */
  rateLimits?: boolean;
  /** CPU time that pictures of one account may take within ten minutes, ms; a photo takes about a second. */
  accountCpuMs?: number;
  /** Pictures at once, each in a process of its own that takes up to 250 MB, for the largest previews 550 MB. One core is left for requests. */
  concurrency?: number;
}

/** Opens the queue for pictures. */
export function openImages({
  rateLimits = true,
  accountCpuMs = 60_000,
  concurrency = Math.max(1, Math.min(2, availableParallelism() - 1)),
}: ImagesOptions = {}): Images {
  const idle = Array.from({ length: concurrency }, openImageWorker);
  const workers = [...idle];
  const accountBudget = limitByKey(rateLimits, { points: accountCpuMs, seconds: budgetSeconds });
  const addressBudget = limitByAddress(rateLimits, {
    // Several members may sit behind one.
    points: 4 * accountCpuMs,
    seconds: budgetSeconds,
  });
  const queue = openFairQueue({
    concurrency,
    total: 200,
    account: { running: 1, total: 10 },
    address: { running: 2, total: 40 },
    network: { running: 4, total: 80 },
  });
  const check = async ({ accountId, ip }: Requester) => {
    await accountBudget.check(accountId);
    await addressBudget.check(ip);
  };
  async function run<Image>(
    requester: Requester,
    work: (worker: ImageWorker) => Promise<Outcome<Image>>,
    signal?: AbortSignal,
  ): Promise<Image> {
    await check(requester);
    const workInTurn = async () => {
      // Again, because the ones before may have used up the time.
      await check(requester);
      const worker = idle.pop();
      if (worker === undefined) throw new Error('more pictures run at once than there are processes');
      try {
        const { image, rejection, cpuMs } = await work(worker);
        await accountBudget.charge(requester.accountId, cpuMs);
        await addressBudget.charge(requester.ip, cpuMs);
        if (image === undefined) throw rejection;
        return image;
      } finally {
        idle.push(worker);
      }
    };
    return queue.run(requester, workInTurn, signal);
  }
  return {
    process: (upload, limits, requester, signal) =>
      run(requester, (worker) => worker.process(upload, limits), signal),
    transform: (picture, transformation, requester) =>
      run(requester, (worker) =>
        worker.transform(picture.bytes, transformation, {
          isLarge: countPixels(picture, transformation) > largePixels,
        }),
      ),
    close() {
      for (const worker of workers) worker.close();
    },
  };
}
