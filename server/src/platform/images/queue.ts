import { availableParallelism } from 'node:os';
import { openFairQueue, type Requester } from '../fair-queue.ts';
import { limitByAddress, limitByKey } from '../http/rate-limits.ts';
import type { ImageLimits, ProcessedImage } from './process.ts';
import { openImageWorker } from './worker-process.ts';

/** For how long CPU time is counted. */
const budgetSeconds = 600;

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
  close(): void;
}

interface ImagesOptions {
  /** Whether CPU time is limited. */
  rateLimits?: boolean;
  /** CPU time that pictures of one account may take within ten minutes, ms; a photo takes about a second. */
  accountCpuMs?: number;
  /** Pictures at once, each in a process of its own that takes up to 250 MB. One core is left for requests. */
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
  return {
    async process(upload, limits, requester, signal) {
      await check(requester);
      return queue.run(
        requester,
        async () => {
          // Again, because the ones before may have used up the time.
          await check(requester);
          const worker = idle.pop();
          if (worker === undefined) throw new Error('more pictures run at once than there are processes');
          try {
            const { image, rejection, cpuMs } = await worker.process(upload, limits);
            await accountBudget.charge(requester.accountId, cpuMs);
            await addressBudget.charge(requester.ip, cpuMs);
            if (image === undefined) throw rejection;
            return image;
          } finally {
            idle.push(worker);
          }
        },
        signal,
      );
    },
    close() {
      for (const worker of workers) worker.close();
    },
  };
}
