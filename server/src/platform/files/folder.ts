import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasCode, isMissing } from '../error-code.ts';
import { syncFolder } from '../sync-folder.ts';
import { checkKey, FileNotFound, type FileStore, StoreFull } from './store.ts';

/** No room, no names left, or no more of it for this user. */
const isFull = (error: unknown) => hasCode(error, 'ENOSPC', 'EDQUOT');

/**
 * Keeps files in a folder. A file is written aside and moved into place, so a crash leaves the old one or the new one.
 * @param options `isShared` where a server may write into the folder meanwhile: what is written aside may be its own.
 */
export async function openFolderStore(
  folder: string,
  { isShared = false }: { isShared?: boolean } = {},
): Promise<FileStore> {
  const aside = join(folder, 'incoming');
  // What a crash left half written; nobody refers to it.
  if (!isShared) await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: 0o700 });

  /** Two levels of 256 folders by the key's hash, so that no folder grows too long. */
  const pathOf = (key: string) => {
    const hash = createHash('sha256').update(checkKey(key)).digest('hex');
    return join(folder, hash.slice(0, 2), hash.slice(2, 4), key.replaceAll('/', '+'));
  };

  return {
    async put(key, content) {
      const path = pathOf(key);
      const temporary = join(aside, randomBytes(12).toString('hex'));
      try {
        const source = content instanceof Uint8Array ? Readable.from([content]) : content;
        await pipeline(source, createWriteStream(temporary, { mode: 0o600, flush: true }));
        const firstCreated = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(temporary, path);
        await syncFolder(dirname(path));
        // The names of new folders must be durable too.
        if (firstCreated) await Promise.all([syncFolder(dirname(dirname(path))), syncFolder(folder)]);
      } catch (error) {
        await rm(temporary, { force: true });
        throw isFull(error) ? new StoreFull(`There is no room for ${key}.`, { cause: error }) : error;
      }
    },
    async read(key, range) {
      try {
        if (!range) return await readFile(pathOf(key));
        const handle = await open(pathOf(key), 'r');
        try {
          const part = Buffer.alloc(range.end - range.start + 1);
          const { bytesRead } = await handle.read(part, 0, part.length, range.start);
          return part.subarray(0, bytesRead);
        } finally {
          await handle.close();
        }
      } catch (error) {
        throw isMissing(error) ? new FileNotFound(`There is no file ${key}.`) : error;
      }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async exists(key) {
      try {
        await access(pathOf(key));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    list: async function* () {
      for await (const { path, key } of folderFiles(folder)) {
        const entry = await stat(path).catch((error: unknown) => {
          if (isMissing(error)) return null;
          throw error;
        });
        if (entry !== null) yield { key, sizeBytes: entry.size };
      }
    },
    requireAvailable: () => {},
  };
}

/** Every file of a folder of `openFolderStore` with its key; those still written aside are not there yet. */
export async function* folderFiles(folder: string): AsyncGenerator<{ path: string; key: string }> {
  const isPart = (name: string) => /^[0-9a-f]{2}$/.test(name);
  for (const first of (await readdir(folder)).filter(isPart)) {
    for (const second of (await readdir(join(folder, first))).filter(isPart)) {
      for (const name of await readdir(join(folder, first, second))) {
        yield { path: join(folder, first, second, name), key: name.replaceAll('+', '/') };
      }
    }
  }
}
