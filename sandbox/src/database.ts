import { DatabaseSync } from 'node:sqlite';
import { openPrivateDatabase } from './private-folder.ts';

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
