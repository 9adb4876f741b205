import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens a sqlite file that loses nothing acknowledged at a `kill -9` or power cut: a write is on the disk before
 * its statement returns.
 */
export function openDatabase(folder: string, name: string, schema: string): DatabaseSync {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, name));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;');
  database.exec(schema);
  return database;
}
