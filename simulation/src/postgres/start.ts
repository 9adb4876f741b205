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

/** A Postgres of its own, in memory where the machine has some to spare; `makeDatabase` makes a migrated database in it. */
export async function startPostgres(): Promise<{ makeDatabase(): Promise<string>; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(memoryFolder(), 'tara-simulation-postgres-'));
  const settings = {
    ...{ autovacuum: 'off', max_wal_size: '2GB', max_connections: '400' },
    // Nobody looks at what it counts, and nothing is replicated.
    ...{ track_activities: 'off', track_counts: 'off', update_process_title: 'off' },
    ...{ wal_level: 'minimal', max_wal_senders: '0' },
  };
  const { url, stop } = await startEmbedded({ dataDir, log: quietLog(), durable: false, settings });
  await migrateJobs(url);
  await migrate(url, migrationsFolder);
  const at = (name: string) => url.replace(/[^/]*$/, name);
  const maintenance = connect(at('template1'), { size: 1, statementTimeout: 60_000, lasts: true });
  const template = url.replace(/^.*\//, '');
  let count = 0;
  return {
    makeDatabase: async () => {
      count += 1;
      const name = `lives${count}`;
      await maintenance.sql.unsafe(`create database ${name} template ${template} strategy file_copy`);
      return at(name);
    },
    stop: async () => {
      await maintenance.close();
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
