import { DatabaseSync } from 'node:sqlite';
import { openPrivateDatabase } from './private-folder.ts';

/**
 * Opens a sqlite file that loses nothing acknowledged at a `kill -9` or power cut: a write is on the disk before
 * its statement returns. Only its owner can read it.
 */
export function openDatabase(folder: string, name: string, schema: string): DatabaseSync {
  const database = new DatabaseSync(openPrivateDatabase(folder, name));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;');
  database.exec(schema);
  return database;
}
