import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationsFolder } from '@tara/server/config';
import { type Connection, connect } from '@tara/server/platform/database/connect';
import { startEmbedded } from '@tara/server/platform/database/embedded';
import { migrate } from '@tara/server/platform/database/migrate';
import { migrateJobs } from '@tara/server/platform/jobs/migrate';
import { openLog } from '@tara/server/platform/log';

/** The workload's own database, started as the product starts its embedded one, in a temporary folder. */
export interface BenchDatabase extends Connection {
  readonly url: string;
  /** Data folder, also of the server. */
  readonly dataDir: string;
  remove(): Promise<void>;
}

/** Runs a workload on a database of its own; the process ends with 1 unless it returns true. */
export async function runWorkload(measure: (database: BenchDatabase) => Promise<boolean>): Promise<void> {
  const database = await openDatabase();
  try {
    process.exitCode = (await measure(database)) ? 0 : 1;
  } finally {
    await database.remove();
  }
}

/** Starts the embedded Postgres, with fsync, on an empty folder, and applies the migrations. */
export async function openDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tara-bench-'));
  const embedded = await startEmbedded({ dataDir, log: openLog({ level: 'warn' }) });
  await embedded.keepLogSmall(false);
  await migrateJobs(embedded.url);
  await migrate(embedded.url, migrationsFolder);
  const connection = connect(embedded.url, { size: 1, statementTimeout: 1_800_000 });
  // The seeded rows are consistent by construction, and checking foreign keys would take half of the time.
  await connection.sql`set session_replication_role = replica`;
  return {
    ...connection,
    url: embedded.url,
    dataDir,
    remove: async () => {
      await connection.close();
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
