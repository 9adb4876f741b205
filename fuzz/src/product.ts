import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, connect } from '@tara/server/platform/database/connect';
import { openTables, type Tables } from './checks/tables.ts';
import { type FuzzedServer, startFuzzed } from './server/process.ts';
import { makeWorld, type World } from './world/world.ts';

/** The product's server with test data, on the caller's database. */
export interface Product {
  server: FuzzedServer;
  world: World;
  tables: Tables;
  stop(): Promise<void>;
}

/** Starts the server on a migrated, empty database. Limits are off unless switched on by a restart. */
export async function startProduct(databaseUrl: string): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tara-fuzz-'));
  const connection: Connection = connect(databaseUrl, { size: 1, statementTimeout: 60_000 });
  const server = await startFuzzed(new URL('./server/child.ts', import.meta.url), {
    NODE_ENV: 'development',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
  });
  let world: World | undefined;
  const stop = async () => {
    world?.bystander.close();
    await server.stop();
    await connection.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    world = await makeWorld(server.port, connection);
    return { server, world, tables: await openTables(connection), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
