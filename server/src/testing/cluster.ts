import { randomBytes } from 'node:crypto';
import { migrationsFolder } from '../config.ts';
import { connect } from '../platform/database/connect.ts';
import { migrate } from '../platform/database/migrate.ts';
import { migrateJobs } from '../platform/jobs/migrate.ts';
import type { TestDatabase } from './database.ts';

/** Address of a database of a Citus cluster with workers, whose owner may create databases on all of its nodes; unset without one. */
export const clusterUrl: string | undefined = process.env.CITUS_URL;

/** Why a test does not run: for its title. */
export const withoutCluster = clusterUrl === undefined ? ' (skipped: CITUS_URL names no Citus cluster)' : '';

/** The same address with another database, or at another node. */
function addressOf(database: string, node?: { host: string; port: number }): string {
  const url = new URL(clusterUrl ?? '');
  url.pathname = `/${database}`;
  if (node) [url.hostname, url.port] = [node.host, String(node.port)];
  return url.href;
}

async function runOn(url: string, ...statements: string[]): Promise<void> {
  const { sql, close } = connect(url, { size: 1, statementTimeout: 120_000 });
  try {
    for (const statement of statements) await sql.unsafe(statement);
  } finally {
    await close();
  }
}

interface ClusterNode {
  host: string;
  port: number;
  isCoordinator: boolean;
}

async function readNodes(): Promise<ClusterNode[]> {
  const { sql, close } = connect(clusterUrl ?? '', { size: 1 });
  try {
    return await sql<ClusterNode[]>`
      select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node order by groupid`;
  } finally {
    await close();
  }
}

/**
 * Makes a database of the cluster at CITUS_URL with every migration applied, whose tables are all on the coordinator. Call `drop` in
 * `afterAll`.
 * @param workers how many workers are part of it, all unless given; null: it is that of one Postgres
 */
export async function createClusterDatabase({
  workers = Number.POSITIVE_INFINITY,
}: {
  workers?: number | null;
} = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const nodes = await readNodes();
  const coordinator = nodes.find(({ isCoordinator }) => isCoordinator);
  if (!coordinator) throw new Error('CITUS_URL names no coordinator that is in its own list of nodes.');
  const others = nodes.filter(({ isCoordinator }) => !isCoordinator).slice(0, workers ?? 0);
  for (const node of [coordinator, ...others]) {
    await runOn(addressOf('postgres', node), `create database ${name}`);
    if (workers !== null) await runOn(addressOf(name, node), 'create extension citus');
  }
  const url = addressOf(name, coordinator);
  if (workers !== null)
    await runOn(
      url,
      `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
      ...others.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
    );
  await migrateJobs(url);
  await migrate(url, migrationsFolder);
  const connection = connect(url, { size: 8, statementTimeout: 60_000 });
  return {
    ...connection,
    url,
    drop: async () => {
      await connection.close();
      for (const node of [coordinator, ...others])
        await runOn(addressOf('postgres', node), `drop database if exists ${name} with (force)`);
    },
  };
}
