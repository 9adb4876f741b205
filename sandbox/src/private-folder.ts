import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Makes the folder, or an existing one, readable by its owner only, whatever the umask is. */
function openPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

/** The path of a database in a private folder, whose files only their owner can read; a new one begins empty. */
export function openPrivateDatabase(folder: string, name: string): string {
  openPrivateFolder(folder);
  const path = join(folder, name);
  closeSync(openSync(path, 'a', 0o600));
  // sqlite makes the files beside a database with its mode; those that an earlier run left may have another.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
  return path;
}

/**
 * The secret in `<folder>/<name>`: 32 random bytes in base64url after `prefix`, made when there is none yet.
 * @throws Error when the file holds no secret, because whoever has the old one would be locked out silently.
 */
export function storedSecret(folder: string, name: string, prefix = ''): string {
  openPrivateFolder(folder);
  const path = join(folder, name);
  if (!existsSync(path)) {
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      const secret = `${prefix}${randomBytes(32).toString('base64url')}\n`;
      writeFileSync(draft, secret, { mode: 0o600, flag: 'wx', flush: true });
      // A link never replaces what is there, and a crash leaves no file or a whole one.
      linkSync(draft, path);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  chmodSync(path, 0o600);
  const secret = readFileSync(path, 'utf8').trim();
  if (!/^[\w-]{32,128}$/.test(secret))
    throw new Error(`${path} holds no secret; remove it to get a new one.`);
  return secret;
}
