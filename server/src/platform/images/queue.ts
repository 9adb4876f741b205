import { availableParallelism } from 'node:os';
import { openFairQueue, type Requester } from '../fair-queue.ts';
import { limitByAddress, limitByKey } from '../http/rate-limits.ts';
import { headerPixels } from './header-pixels.ts';
import type { ImageLimits, ProcessedImage } from './process.ts';
import { countPixels, largePixels, type Transformation } from './size.ts';
import { type ImageWorker, type Outcome, openImageWorker } from './worker-process.ts';

/** CPU time that pictures of one account may take, ms, and for how long it is counted. */
export const pictureBudget = { accountCpuMs: 60_000, seconds: 600 };
/** Pixels and bytes of a picture that is small: more than a phone's photo has. Both cost time: noise of few pixels has many bytes. */
const mostSmall = { pixels: 16_000_000, bytes: 8 * 2 ** 20 };
/** Priorities of processes: large pictures come after small ones, and both after requests. */
const priorities = { small: 5, large: 10 };

/** A stored picture whose preview is made. */
export interface StoredImage {
  /** Called when it is its turn: pictures that wait take no memory. */
  read(): Promise<Uint8Array>;
  /** px, of the largest that is stored. */
  width: number;
  height: number;
}

/** Where uploads are made into pictures, a few at a time. */
export interface Images {
  /**
   * Refuses whose pictures took too much time, before anything of the next one is read.
   * @throws Problem `general_rate_limit_exceeded`
   */
  check(requester: Requester): Promise<void>;
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
  /** CPU time of an account, ms, after which its pictures wait with the large ones. */
  smallCpuMs?: number;
  /** Small pictures at once, and as many large ones, each in a process of its own that takes up to 250 MB, for the largest previews 550 MB. */
  concurrency?: number;
}

/** Opens a queue with processes of its own. */
function openLane(concurrency: number, priority: number) {
  const idle = Array.from({ length: concurrency }, () => openImageWorker(priority));
  const workers = [...idle];
  const queue = openFairQueue({
    concurrency,
    total: 2_000,
    account: { running: 1, total: 10 },
    address: { running: 2, total: 400 },
    network: { running: 4, total: 800 },
  });
  return {
    run: <Result>(
      requester: Requester,
      work: (worker: ImageWorker) => Promise<Result>,
      signal?: AbortSignal,
    ): Promise<Result> =>
      queue.run(
        requester,
        async () => {
          const worker = idle.pop();
          if (worker === undefined) throw new Error('more pictures run at once than there are processes');
          return work(worker).finally(() => idle.push(worker));
        },
        signal,
      ),
    close: () => {
      for (const worker of workers) worker.close();
    },
  };
}

/**
 * Opens the queue for pictures. A process does not interrupt a picture: large ones, and those of accounts that took much
 * time lately, have processes of a lower priority, so that a small one of anybody else need not wait for them.
 */
export function openImages({
  rateLimits = true,
  accountCpuMs = pictureBudget.accountCpuMs,
  smallCpuMs = 15_000,
  concurrency = Math.max(1, Math.min(2, availableParallelism() - 1)),
}: ImagesOptions = {}): Images {
  const small = openLane(concurrency, priorities.small);
  const large = openLane(concurrency, priorities.large);
  const accountBudget = limitByKey(rateLimits, { points: accountCpuMs, seconds: pictureBudget.seconds });
  const addressBudget = limitByAddress(rateLimits, {
    // One process's whole time: hundreds of members may be behind one, and what others want goes first.
    points: 10 * accountCpuMs,
    seconds: pictureBudget.seconds,
  });
  const smallBudget = limitByKey(rateLimits, { points: smallCpuMs, seconds: pictureBudget.seconds });
  const usedMuch = (accountId: string) =>
    smallBudget.check(accountId).then(
      () => false,
      () => true,
    );
  const check = async ({ accountId, ip }: Requester) => {
    await accountBudget.check(accountId);
    await addressBudget.check(ip);
  };
  async function run<Image>(
    requester: Requester,
    isLarge: boolean,
    work: (worker: ImageWorker) => Promise<Outcome<Image>>,
    signal?: AbortSignal,
  ): Promise<Image> {
    await check(requester);
    const lane = isLarge || (await usedMuch(requester.accountId)) ? large : small;
    const workInTurn = async (worker: ImageWorker) => {
      // Again, because the ones before may have used up the time.
      await check(requester);
      const { image, rejection, cpuMs } = await work(worker);
      await accountBudget.charge(requester.accountId, cpuMs);
      await smallBudget.charge(requester.accountId, cpuMs);
      await addressBudget.charge(requester.ip, cpuMs);
      if (image === undefined) throw rejection;
      return image;
    };
    return lane.run(requester, workInTurn, signal);
  }
  return {
    check,
    process: (upload, limits, requester, signal) =>
      run(
        requester,
        upload.reduce((sum, { length }) => sum + length, 0) > mostSmall.bytes ||
          headerPixels(upload) > mostSmall.pixels,
        (worker) => worker.process(upload, limits),
        signal,
      ),
    transform: (picture, transformation, requester) => {
      const isLarge = countPixels(picture, transformation) > largePixels;
      return run(requester, isLarge, async (worker) =>
        worker.transform(await picture.read(), transformation, { isLarge }),
      );
    },
    close() {
      small.close();
      large.close();
    },
  };
}
