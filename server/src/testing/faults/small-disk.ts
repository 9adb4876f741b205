import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk in memory. */
export interface SmallDisk {
  readonly folder: string;
  /** Why there is none on this machine; null where there is. */
  readonly missing: string | null;
  free(): Promise<number>;
  /** Leaves so many bytes of the disk. */
  fill(bytesLeft: number): Promise<void>;
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** Mounts a disk; null, or why there is none on this machine. */
async function mount(folder: string, megabytes: number): Promise<string | null> {
  if (process.platform !== 'linux') return 'a disk in memory (tmpfs) needs Linux';
  if (process.getuid?.() !== 0) return 'mounting a disk in memory needs root';
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder]);
    return null;
  } catch (error) {
    // Root on the build machine: there the test must run.
    if (process.env.CI === 'true') throw error;
    return `a disk in memory cannot be mounted: ${String(error)}`;
  }
}

/** Makes a disk of so many MB. */
export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'tara-full-disk-'));
  const missing = await mount(folder, megabytes);
  const free = async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  const filler = join(folder, 'filler');
  const empty = () => rm(filler, { force: true });
  return {
    folder,
    missing,
    free,
    empty,
    fill: async (bytesLeft) => {
      await empty();
      await writeFile(filler, Buffer.alloc(Math.max(0, (await free()) - bytesLeft)));
    },
    remove: async () => {
      if (missing === null) await run('umount', [folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
