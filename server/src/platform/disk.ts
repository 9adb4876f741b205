import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './log.ts';

/** The free space of the file systems that Tara writes to. */
export interface Disk {
  /** Whether one of them is nearly full. */
  isFull(): boolean;
  stop(): void;
}

interface DiskOptions {
  /** A folder on each file system. */
  readonly folders: readonly string[];
  /** Full below so many free bytes, and no longer from twice as many on; 0 is never full. */
  readonly reserveBytes: number;
  readonly log: Log;
  /** Called at the start and at each change, and again until it resolves. */
  readonly onChange: (isFull: boolean) => Promise<void>;
  readonly intervalMs?: number;
  /** Time that a file system has to answer, such as one of a network that is away. */
  readonly timeoutMs?: number;
  /** Reads the free space at a folder. */
  readonly readFreeBytes?: (folder: string) => Promise<number>;
}

async function statFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Looks at the free space, now and then every second. */
export async function watchDisk({
  folders,
  reserveBytes,
  log,
  onChange,
  intervalMs = 1_000,
  timeoutMs = 5_000,
  readFreeBytes = statFreeBytes,
}: DiskOptions): Promise<Disk> {
  let isFull: boolean | undefined;
  /** What `onChange` was last called with, unless it failed. */
  let lastValue: boolean | undefined;
  /** Why the last look failed, in words; null when it did not. */
  let lastProblem: string | null = null;
  /** Folders whose file system has not answered yet: each question that waits holds one of the few threads of Node. */
  const unanswered = new Set<string>();
  async function read(folder: string): Promise<number> {
    const late = () => new Error(`The file system of ${folder} does not answer.`);
    if (unanswered.has(folder)) throw late();
    unanswered.add(folder);
    const answer = readFreeBytes(folder).finally(() => unanswered.delete(folder));
    const stop = new AbortController();
    const { signal } = stop;
    const timeout = delay(timeoutMs, null, { ref: false, signal }).catch(() => null);
    const freeBytes = await Promise.race([answer, timeout]).finally(() => stop.abort());
    if (freeBytes === null) throw late();
    return freeBytes;
  }
  async function look(): Promise<void> {
    const looks = await Promise.allSettled(folders.map(read));
    const free = looks.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
    if (free.length > 0) await apply(Math.min(...free));
    // One that is away, such as an unmounted one, does not keep the others from being looked at.
    const failed = looks.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
  async function apply(freeBytes: number): Promise<void> {
    const isFullNow = freeBytes < reserveBytes * (isFull ? 2 : 1);
    if (isFullNow && !isFull)
      log.error({ freeBytes }, 'the disk is nearly full: calls that add content answer 507');
    else if (isFull && !isFullNow) log.warn({ freeBytes }, 'there is space on the disk again');
    isFull = isFullNow;
    if (isFullNow === lastValue) return;
    await onChange(isFullNow);
    lastValue = isFullNow;
  }
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  async function lookOn(): Promise<void> {
    const error: unknown = await look().then(
      () => null,
      (reason: unknown) => reason,
    );
    const problem = error === null ? null : String(error);
    // Once, not at each look.
    if (problem !== null && problem !== lastProblem)
      log.error({ err: error }, 'the disk could not be looked at, or its state not be passed on');
    lastProblem = problem;
    if (!isStopped) timer = setTimeout(lookOn, intervalMs).unref();
  }
  await lookOn();
  return {
    isFull: () => isFull === true,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
