import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, replaceClock } from '@tara/contract/clock';
import { replaceRandom } from '@tara/contract/random';
import { Random } from '@tara/proof/random';
import { type Connection, connect } from '@tara/server/platform/database/connect';
import { tasks } from '@tara/server/platform/tasks';
import { Backend } from '../postgres/backend.ts';
import { Statements, timeStatement } from '../postgres/line.ts';
import { prepareDatabase, type Snapshot, takeSnapshot } from '../postgres/prepare.ts';
import { memoryFolder } from '../postgres/start.ts';
import { prepareQueue } from './jobs.ts';
import { connectionCount } from './product.ts';

/** When every life begins: in the morning of a Monday in Manila. */
export const startMs = Date.parse('2026-01-05T01:00:00Z');

/** What all lives share: a database with its people, and connections to it. */
export interface World {
  url: string;
  /** Folder of what is stored beside the database. */
  folder: string;
  monitor: Backend;
  queue: Backend;
  backends: readonly Backend[];
  statements: Statements;
  /** Reads and writes beside the product. */
  admin: Connection['sql'];
  database: Connection['database'];
  snapshot: Snapshot;
  /** Ids of the tasks that only tell people what happened. */
  tellingTasks: readonly number[];
  close(): Promise<void>;
}

/** A source of random bytes that repeats. */
export const seededBytes = (seed: number) => {
  const random = new Random(seed);
  return {
    fill: (bytes: Uint8Array) => {
      for (let index = 0; index < bytes.length; index++) bytes[index] = random.int(0, 255);
    },
  };
};

/** Lets time and chance be those of a seed. @returns what undoes it */
export function useSeed(seed: number, clock: Clock): () => void {
  const undoClock = replaceClock(clock);
  const undoRandom = replaceRandom(seededBytes(seed));
  return () => {
    undoRandom();
    undoClock();
  };
}

const connectionSettings = {
  TimeZone: 'UTC',
  // Postgres looks for a deadlock long before the machine lets anything else happen, and then says that a statement waits.
  deadlock_timeout: 1,
  log_lock_waits: 'on',
  client_min_messages: 'log',
  log_min_messages: 'panic',
  // An outcome is the machine's, and nothing is to be safe from a crash of the computer.
  synchronous_commit: 'off',
};

/** Makes a database simulated that has every migration and no rows, but those that are inserted now. */
export async function openWorld<People extends object>(
  url: string,
  insertPeople: (database: Connection['database']) => Promise<People>,
): Promise<World & People> {
  const first = await Backend.open(url, connectionSettings);
  await prepareDatabase(first);
  first.close();
  const open = () => Backend.open(url, connectionSettings);
  const monitor = await open();
  // A statement here that waits for a lock of the product would wait for ever, for the product's next step comes after it.
  const connection = connect(url, { size: 1, statementTimeout: 60_000, lockTimeout: 1000, lasts: true });
  const undo = useSeed(0, { nowMs: () => startMs });
  const people = await insertPeople(connection.database);
  undo();
  await insertTasks(connection.sql);
  const telling = await connection.sql<{ id: number }[]>`select id from graphile_worker._private_tasks
    where identifier ~ '^(accounts|notifications|receipts)\\.' order by id`;
  const snapshot = await takeSnapshot(monitor);
  const queue = await open();
  await prepareQueue(queue);
  const backends: Backend[] = [];
  for (let count = 0; count < connectionCount; count++) backends.push(await open());
  const all = [monitor, queue, ...backends];
  const folder = mkdtempSync(join(memoryFolder(), 'tara-simulation-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  return {
    ...{ url, folder, monitor, queue, backends, snapshot, ...people },
    tellingTasks: telling.map(({ id }) => id),
    statements: new Statements(),
    admin: connection.sql,
    database: connection.database,
    close: async () => {
      for (const backend of all) backend.close();
      await connection.close();
      process.off('exit', removeFolder);
      removeFolder();
    },
  };
}

/** As every start of the product does it, and the first job of each queue. */
async function insertTasks(sql: Connection['sql']): Promise<void> {
  const all = Object.values(tasks);
  const names = all.map(({ name }) => name);
  const queues = all.filter(({ isAlone }) => isAlone).map(({ name }) => name);
  await sql`insert into graphile_worker._private_tasks (identifier) select unnest(${names}::text[])`;
  await sql`insert into graphile_worker._private_job_queues (queue_name) select unnest(${queues}::text[])`;
}

/** Sets the time of the connection beside the product. */
export async function setTime({ admin }: World, nowMs: number): Promise<void> {
  await admin.unsafe(timeStatement(nowMs));
}

/** Changes what is stored by statements of SQL, past the product and every trigger and reference. */
export async function tamper({ admin }: Pick<World, 'admin'>, statements: string): Promise<void> {
  await admin.unsafe(`set session_replication_role = replica; ${statements}; reset session_replication_role`);
}
