import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { migrationsFolder } from '../config.ts';
import { type Connection, connect } from '../platform/database/connect.ts';
import { startEmbedded, stopAbandoned } from '../platform/database/embedded.ts';
import { FolderInUse, lockFolder } from '../platform/database/folder-lock.ts';
import { migrate } from '../platform/database/migrate.ts';
import { migrateJobs } from '../platform/jobs/migrate.ts';
import { quietLog } from '../platform/log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's Postgres, pointing at its maintenance database. */
    databaseUrl: string;
  }
}

const folderPrefix = 'tara-test-postgres-';
const template = 'migrated';

/** The same address with another database. */
function withDatabase(url: string, name: string): string {
  return url.replace(/\/[^/]*$/, `/${name}`);
}

/** Removes what test runs left behind that were killed. */
async function sweep(): Promise<void> {
  for (const entry of await readdir(tmpdir())) {
    if (!entry.startsWith(folderPrefix)) continue;
    const folder = join(tmpdir(), entry);
    try {
      lockFolder(folder).release();
    } catch (error) {
      if (error instanceof FolderInUse) continue;
      throw error;
    }
    await stopAbandoned(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts one Postgres for the whole run, with a migrated database to copy from. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweep();
  const dataDir = await mkdtemp(join(tmpdir(), folderPrefix));
  const settings = {
    // Counts nothing until a connection switches it on, see growth/measure.ts.
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track': 'none',
    'pg_stat_statements.track_utility': 'off',
    max_wal_size: '2GB',
  };
  const embedded = await startEmbedded({ dataDir, log: quietLog(), durable: false, settings });
  const maintenance = connect(embedded.url, { size: 1 });
  await maintenance.sql`create database ${maintenance.sql(template)}`;
  await maintenance.close();
  const templateUrl = withDatabase(embedded.url, template);
  await migrateJobs(templateUrl);
  await migrate(templateUrl, migrationsFolder);
  project.provide('databaseUrl', embedded.url);
  return async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** A database of a test's own, on a real Postgres. */
export interface TestDatabase extends Connection {
  readonly url: string;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
}

/**
 * Makes a database with every migration applied (or, with `empty`, with nothing in it). Call `drop` in `afterAll`.
 * Takes about 50 ms.
 */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const home = inject('databaseUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const maintenance = connect(home, { size: 1, statementTimeout: 60_000 });
  const source = options.empty ? 'template0' : template;
  await maintenance.sql.unsafe(`create database ${name} template ${source} strategy file_copy`);
  const url = withDatabase(home, name);
  // Against hanging only: a busy machine takes seconds for what is done at once.
  const connection = connect(url, { size: 8, statementTimeout: 60_000 });
  return {
    ...connection,
    url,
    drop: async () => {
      await connection.close();
      await maintenance.sql.unsafe(`drop database if exists ${name} with (force)`);
      await maintenance.close();
    },
  };
}
