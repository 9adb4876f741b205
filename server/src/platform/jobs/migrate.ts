import { runMigrations } from 'graphile-worker';
import { quietLog } from '../log.ts';
import { jobLogger } from './logger.ts';

/** Makes or updates the job queue's own tables. Runs before our migrations, which may refer to them. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  await runMigrations({ connectionString: databaseUrl, maxPoolSize: 2, logger: jobLogger(quietLog()) });
}
