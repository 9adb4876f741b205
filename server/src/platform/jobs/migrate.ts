import { runMigrations } from 'graphile-worker';
import { quietLog } from '../log.ts';
import { jobLogger, openPool, queuePreset } from './queue.ts';

/** Makes or updates the job queue's own tables. Runs before our migrations, which may refer to them. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  const pgPool = openPool(databaseUrl, 2, quietLog());
  try {
    await runMigrations({ pgPool, preset: queuePreset, logger: jobLogger(quietLog()) });
  } finally {
    await pgPool.end();
  }
}
