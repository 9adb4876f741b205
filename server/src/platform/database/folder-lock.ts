import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartRefused } from '../start-refused.ts';

/** The folder belongs to another running process. */
export class FolderInUse extends StartRefused {
  override readonly name = 'FolderInUse';
}

/**
 * Takes a folder for this process, until `release` or the end of the process, however it ends.
 * The lock is SQLite's on an empty file: the system itself drops it when a process dies, where a file with a
 * process id would outlive a `kill -9` and could name a stranger.
 * @throws FolderInUse when another process holds it.
 */
export function lockFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true });
  const file = new DatabaseSync(join(folder, 'lock'));
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    file.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) {
      throw new FolderInUse(
        `${folder} is in use by another running server; stop that one, or set DATA_DIR to another folder.`,
      );
    }
    throw error;
  }
  return { release: () => file.isOpen && file.close() };
}
