import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationsFolder } from '@tara/server/config';
import { connect } from '@tara/server/platform/database/connect';
import { startEmbedded } from '@tara/server/platform/database/embedded';
import { migrate } from '@tara/server/platform/database/migrate';
import { migrateJobs } from '@tara/server/platform/jobs/migrate';
import { quietLog } from '@tara/server/platform/log';

/** Where files are kept in memory, if the machine has such a place. */
export const memoryFolder = () =>
  existsSync('/dev/shm') && process.env.TMPDIR === undefined ? '/dev/shm' : tmpdir();

/** A Postgres of its own with so many migrated databases, in memory where the machine has some to spare. */
export async function startPostgres(databases: number): Promise<{ urls: string[]; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(memoryFolder(), 'tara-simulation-postgres-'));
  const settings = { autovacuum: 'off', max_wal_size: '2GB', max_connections: String(50 + 20 * databases) };
  const { url, stop } = await startEmbedded({ dataDir, log: quietLog(), durable: false, settings });
  await migrateJobs(url);
  await migrate(url, migrationsFolder);
  const template = url.replace(/^.*\//, '');
  const urls: string[] = [];
  const maintenance = connect(url.replace(/[^/]*$/, 'template1'), { size: 1 });
  for (let index = 0; index < databases; index++) {
    const name = `lives${index}`;
    await maintenance.sql`create database ${maintenance.sql(name)} template ${maintenance.sql(template)}`;
    urls.push(url.replace(/[^/]*$/, name));
  }
  await maintenance.close();
  return {
    urls,
    stop: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
