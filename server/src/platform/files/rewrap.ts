import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { headerLength, rewrapHeader } from './encrypted.ts';

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * Wraps the keys of encrypted files anew, in place: a header lies in a file's first sector, which a disk writes as a
 * whole, and a file that is deleted meanwhile does not come back. Files that are not encrypted stay as they are.
 * @param folder of `openFolderStore`.
 */
export async function rewrapFiles(
  folder: string,
  current: Buffer,
  older: readonly Buffer[],
): Promise<{ changed: number; unreadable: string[] }> {
  let changed = 0;
  const unreadable: string[] = [];
  for await (const { path, key } of storedFiles(folder)) {
    const handle = await open(path, constants.O_RDWR).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (!handle) continue;
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerLength), 0, headerLength, 0);
      const header = rewrapHeader(buffer.subarray(0, bytesRead), key, current, older);
      if (header === 'unreadable') unreadable.push(key);
      if (!(header instanceof Buffer)) continue;
      await handle.write(header, 0, header.length, 0);
      await handle.sync();
      changed += 1;
    } finally {
      await handle.close();
    }
  }
  return { changed, unreadable };
}

/** Every file of the store with its key; those still written aside are not there yet. */
async function* storedFiles(folder: string): AsyncGenerator<{ path: string; key: string }> {
  const isPart = (name: string) => /^[0-9a-f]{2}$/.test(name);
  for (const first of (await readdir(folder)).filter(isPart)) {
    for (const second of (await readdir(join(folder, first))).filter(isPart)) {
      for (const name of await readdir(join(folder, first, second))) {
        yield { path: join(folder, first, second, name), key: name.replaceAll('+', '/') };
      }
    }
  }
}
