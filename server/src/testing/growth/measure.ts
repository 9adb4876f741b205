import type { Sql } from '../../platform/database/connect.ts';

/** One statement of a piece of work. */
export interface Statement {
  query: string;
  calls: number;
  /** Pages of tables and indexes that it read, from memory or disk. */
  buffers: number;
  /** ms of its slowest execution. */
  slowestMs: number;
}

const indexesAlone = ['set enable_seqscan = off', 'set enable_hashjoin = off', 'set enable_mergejoin = off'];

/**
 * The planner as it is, and without the ways that only fit small tables: what it then cannot avoid grows with the tables.
 * `generic`: the same with the plans that a connection keeps, which are made for any values.
 */
const planners = {
  usual: ['reset enable_seqscan', 'reset enable_hashjoin', 'reset enable_mergejoin', 'reset plan_cache_mode'],
  indexes: indexesAlone,
  generic: [...indexesAlone, 'set plan_cache_mode = force_generic_plan'],
} as const;

export type Planner = keyof typeof planners;

/** Measures what work does on the one connection of a world. */
export interface Meter<Reading> {
  /** Waits for what goes on after a reply, such as the lists of chats. */
  settle(): Promise<void>;
  /** The statements of some work. */
  measure(work: () => Promise<unknown>): Promise<Reading[]>;
}

/** Waits for what goes on after a reply, such as the lists of chats. */
export async function settleOn(measured: Sql): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await new Promise((done) => setImmediate(done));
    await measured`select 1`;
  }
}

/**
 * Counts what statements read on the one connection of `measured`. `observer` is another pool on the same database, whose
 * statements are not counted.
 */
export async function openMeter(measured: Sql, observer: Sql) {
  await observer`create extension if not exists pg_stat_statements`;
  await measured`set pg_stat_statements.track = 'top'`;
  const [{ oid } = { oid: 0 }] = await observer<
    { oid: number }[]
  >`select oid::int from pg_database where datname = current_database()`;
  const settle = () => settleOn(measured);
  const queries = new Map<string, string>();
  const counted = async (): Promise<Statement[]> => {
    // Without texts: to read them is to read the file of all databases.
    const rows = await observer<(Omit<Statement, 'query'> & { id: string })[]>`
      select queryid::text as id, calls::int, (shared_blks_hit + shared_blks_read)::int as buffers,
        max_exec_time as "slowestMs"
      from pg_stat_statements(false) where dbid = ${oid} order by buffers desc`;
    const unknown = rows.map(({ id }) => id).filter((id) => !queries.has(id));
    const texts =
      unknown.length === 0
        ? []
        : await observer<{ id: string; query: string }[]>`
            select queryid::text as id, query from pg_stat_statements where dbid = ${oid} and queryid::text = any(${unknown})`;
    for (const { id, query } of texts) queries.set(id, query);
    return rows
      .map(({ id, ...row }) => ({ query: queries.get(id) ?? '', ...row }))
      .filter(({ query }) => query !== 'select 1' && query !== 'select $1');
  };
  return {
    settle,
    usePlanner: async (planner: Planner) => {
      for (const statement of planners[planner]) await measured.unsafe(statement);
      await measured`discard plans`;
    },
    /** The statements of some work. */
    measure: async (work: () => Promise<unknown>): Promise<Statement[]> => {
      await settle();
      await observer`select pg_stat_statements_reset(0, ${oid}, 0)`;
      await work();
      await settle();
      return counted();
    },
  };
}
