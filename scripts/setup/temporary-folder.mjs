import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** More than a run of tests stores at once, bytes. */
const roomBytes = 4 * 2 ** 30;

/**
 * Where a run of tests keeps its databases and other temporary files: in memory where Linux has that, with room, and no
 * TMPDIR is set. What is there outlives a process that is killed, as on a disk.
 */
export function temporaryFolder() {
  const inMemory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    const freeBytes = Math.min(bavail * bsize, process.availableMemory() / 2);
    if (process.env.TMPDIR === undefined && freeBytes >= roomBytes) return inMemory;
  } catch {
    // Another system.
  }
  return tmpdir();
}
