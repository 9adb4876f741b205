import { statfs } from 'node:fs/promises';
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
}

/** Looks at the free space, now and then every second. */
export async function watchDisk({
  folders,
  reserveBytes,
  log,
  onChange,
  intervalMs = 1_000,
}: DiskOptions): Promise<Disk> {
  let isFull: boolean | undefined;
  /** What `onChange` was last called with, unless it failed. */
  let lastValue: boolean | undefined;
  async function look(): Promise<void> {
    const free = await Promise.all(
      folders.map(async (folder) => {
        const { bavail, bsize } = await statfs(folder);
        return bavail * bsize;
      }),
    );
    const freeBytes = Math.min(...free);
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
    await look().catch((error: unknown) => log.error({ err: error }, 'the disk could not be looked at'));
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
