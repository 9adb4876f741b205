import { hasCode } from '../error-code.ts';
import { openDriver } from './address.ts';

/** Why tables are not distributed; the text is for the operator. */
export class DistributeRefused extends Error {
  override readonly name = 'DistributeRefused';
}

/** By what a table is spread over the workers of a Citus cluster. */
export interface Distribution {
  readonly table: string;
  readonly column: string;
  /** The table beside whose rows of the same value its own are. */
  readonly beside?: string;
}

/** ms that the tables may be waited for at once: those behind, who wait twice as long at most (`timeLimits`), are not refused for it. */
const lockTimeoutMs = 500;

/** Any number of our own, the same in every version: it names the advisory lock. */
const distributeLock = 7_420_004;

type Sql = ReturnType<typeof openDriver>;

/** Opens one connection without limits of time: tables are copied by one statement each. */
const open = (url: string): Sql =>
  openDriver(url, {
    max: 1,
    connect_timeout: 10,
    max_lifetime: null,
    onnotice: () => {},
    connection: {
      application_name: 'tara distribute',
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    },
  });

const isLockTimeout = (error: unknown): boolean => hasCode(error, '55P03') || hasCode(error, '40P01');

/** Repeats what waits for locks of tables that are in use. @throws DistributeRefused */
async function retryLocked<Result>(attempts: number, action: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt >= attempts)
        throw new DistributeRefused(
          'The tables are in use by a transaction that does not end. Nothing was changed by this step: run the command again once it has ended.',
          { cause: error },
        );
      await new Promise((done) => setTimeout(done, 1_000));
    }
  }
}

/** @throws DistributeRefused unless the database is one of a Citus cluster with workers */
async function requireWorkers(sql: Sql): Promise<void> {
  const [extension] = await sql`select from pg_extension where extname = 'citus'`;
  if (!extension)
    throw new DistributeRefused(
      'The database is one Postgres: there is nothing to distribute to. Move it to the coordinator of a Citus cluster first, with database move URL.',
    );
  const [worker] = await sql`
    select from pg_dist_node where groupid <> 0 and noderole = 'primary' and isactive and shouldhaveshards`;
  if (!worker)
    throw new DistributeRefused(
      "The cluster has no worker yet: on the coordinator, select citus_add_node('HOST', PORT) adds one.",
    );
}

/** Until the connection ends no other command moves tables; of two at once, the second goes on when the first ended. */
async function waitForOthers(sql: Sql, say: (text: string) => void): Promise<void> {
  const [free] = await sql`select from pg_try_advisory_lock(${distributeLock}) as locked where locked`;
  if (free) return;
  say('Waiting for another command that moves the tables.');
  await sql`select pg_advisory_lock(${distributeLock})`;
}

/** Tara's tables are all in this schema. */
const quote = (table: string) => `public.${table}`;

/** @throws DistributeRefused unless the tables are there */
async function requireTables(sql: Sql, tables: readonly string[]): Promise<void> {
  const [missing] = await sql`
    select from unnest(${tables.map(quote)}::text[]) as needed (name) where to_regclass(name) is null`;
  if (missing) throw new DistributeRefused('The database is empty: start Tara once with npm start.');
}

/** Which of the tables are distributed. */
async function readDistributed(sql: Sql, tables: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where partmethod = 'h' and logicalrelid = any(${tables.map(quote)}::regclass[])`;
  return new Set(rows.map(({ name }) => name));
}

interface DistributeOptions {
  /** How often the tables are waited for. */
  lockAttempts?: number;
  /** Gets a line for each step. */
  say(text: string): void;
}

/**
 * Moves tables of a Citus cluster from the coordinator onto its workers, all or none of them, while others use them: they are read on, and
 * who writes to them waits, at most as long as their own limit. What is distributed already stays where it is, so that it can be repeated.
 * @returns how many tables were moved
 * @throws DistributeRefused
 */
export async function distributeTables(
  url: string,
  distributions: readonly Distribution[],
  { say, lockAttempts = 60 }: DistributeOptions,
): Promise<number> {
  const sql = open(url);
  try {
    await requireWorkers(sql);
    await waitForOthers(sql, say);
    const tables = distributions.map(({ table }) => table);
    const known = await readDistributed(sql, tables);
    const due = distributions.filter(({ table }) => !known.has(table));
    if (due.length > 0)
      await retryLocked(lockAttempts, () =>
        sql.begin(async (transaction) => {
          await transaction.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
          // Of all at once, before any is copied: from here on nothing is written to them, and they are read.
          const names = due.map(({ table }) => quote(table)).join(', ');
          await transaction.unsafe(`lock table ${names} in exclusive mode`);
          await transaction.unsafe('set local lock_timeout = 0');
          for (const { table, column, beside = 'none' } of due) {
            say(`Copying ${table} onto the workers.`);
            await transaction`
              select create_distributed_table(${quote(table)}::regclass, ${column}, colocate_with => ${beside})`;
          }
        }),
      );
    await removeCopied(sql, tables, lockAttempts);
    return due.length;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Removes the rows that Citus left on the coordinator, where nothing reads them any more; also those of a command that broke off. */
async function removeCopied(sql: Sql, tables: readonly string[], lockAttempts: number): Promise<void> {
  for (const table of tables) {
    const [left] = await sql<
      { bytes: number }[]
    >`select pg_relation_size(${quote(table)}::regclass)::int8 as bytes`;
    if (Number(left?.bytes) === 0) continue;
    await retryLocked(lockAttempts, () =>
      sql.begin(async (transaction) => {
        await transaction.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
        await transaction`select truncate_local_data_after_distributing_table(${quote(table)}::regclass)`;
      }),
    );
  }
}

/** Where a table is. */
export interface Placement {
  table: string;
  /** Bytes with indexes: on the workers, or on the coordinator alone. */
  bytes: number;
  /** The workers that have some of it; none of a table that is on the coordinator. */
  workers: readonly { worker: string; shards: number; bytes: number }[];
}

/**
 * Where tables are; null for `workers` of a database that is no Citus cluster.
 * @throws DistributeRefused when they are not there
 */
export async function readPlacements(
  url: string,
  tables: readonly string[],
): Promise<{ workers: string[] | null; placements: Placement[] }> {
  const sql = open(url);
  try {
    await requireTables(sql, tables);
    const [citus] = await sql`select from pg_extension where extname = 'citus'`;
    const sizes = await sql<{ name: string; bytes: number }[]>`
      select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
      where oid = any(${tables.map(quote)}::regclass[])`;
    const nodes = citus
      ? await sql<{ worker: string }[]>`
          select nodename || ':' || nodeport as worker from pg_dist_node
          where groupid <> 0 and noderole = 'primary' and isactive order by nodename, nodeport`
      : null;
    const shards = citus
      ? await sql<{ name: string; worker: string; shards: number; bytes: number }[]>`
          select relname as name, nodename || ':' || nodeport as worker, count(*)::int as shards, sum(shard_size)::float8 as bytes
          from citus_shards join pg_class on pg_class.oid = table_name
          where table_name = any(${tables.map(quote)}::regclass[]) group by 1, 2 order by 1, 2`
      : [];
    return {
      workers: nodes === null ? null : nodes.map(({ worker }) => worker),
      placements: tables.map((table) => {
        const workers = shards.filter(({ name }) => name === table);
        const onWorkers = workers.reduce((sum, { bytes }) => sum + bytes, 0);
        const local = sizes.find(({ name }) => name === table)?.bytes ?? 0;
        return { table, bytes: workers.length > 0 ? onWorkers : local, workers };
      }),
    };
  } finally {
    await sql.end({ timeout: 1 });
  }
}
