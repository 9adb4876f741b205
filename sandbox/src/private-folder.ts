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
import { DatabaseSync } from 'node:sqlite';

/** Creates the folder if needed and makes it readable by its owner only, regardless of the umask. */
function openPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

/** The path of a database file in a private folder, created if needed; only the owner can read it. */
function openPrivateDatabase(folder: string, name: string): string {
  openPrivateFolder(folder);
  const path = join(folder, name);
  closeSync(openSync(path, 'a', 0o600));
  // SQLite creates the WAL files with the mode of the database; existing ones may have another mode.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
  return path;
}

/**
 * Opens an SQLite file. A write is on disk before its statement returns, so `kill -9` or a power cut loses no
 * acknowledged write. Only the owner can read the file.
 */
export function openDatabase(folder: string, name: string, schema: string): DatabaseSync {
  const database = new DatabaseSync(openPrivateDatabase(folder, name));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;');
  database.exec(schema);
  return database;
}

/**
 * The secret in `<folder>/<name>`: 32 random bytes in base64url after `prefix`, created if the file is missing.
 * @throws Error when the file contains no secret: replacing it would silently lock out everyone with the old one.
 */
export function storedSecret(folder: string, name: string, prefix = ''): string {
  openPrivateFolder(folder);
  const path = join(folder, name);
  if (!existsSync(path)) {
    const temporaryPath = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      const secret = `${prefix}${randomBytes(32).toString('base64url')}\n`;
      writeFileSync(temporaryPath, secret, { mode: 0o600, flag: 'wx', flush: true });
      // Linking never replaces an existing file, and a crash leaves either no file or a complete one.
      linkSync(temporaryPath, path);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      rmSync(temporaryPath, { force: true });
    }
  }
  chmodSync(path, 0o600);
  const secret = readFileSync(path, 'utf8').trim();
  if (!/^[\w-]{32,128}$/.test(secret))
    throw new Error(`${path} contains no secret; remove it to get a new one.`);
  return secret;
}
