import type { Sql } from '../../platform/database/connect.ts';

/** One statement of a piece of work. */
export interface Statement {
  query: string;
  calls: number;
  /** Pages of tables and indexes that it read, from memory or disk. */
  buffers: number;
}

/** The planner as it is, and without the ways that only fit small tables: what it then cannot avoid grows with the tables. */
const planners = {
  usual: ['reset enable_seqscan', 'reset enable_hashjoin', 'reset enable_mergejoin'],
  indexes: ['set enable_seqscan = off', 'set enable_hashjoin = off', 'set enable_mergejoin = off'],
} as const;

export type Planner = keyof typeof planners;

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
  /** Waits for what goes on after a reply, such as the lists of chats. */
  const settle = async () => {
    for (let round = 0; round < 3; round++) {
      await new Promise((done) => setImmediate(done));
      await measured`select 1`;
    }
  };
  return {
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
      return observer<Statement[]>`
        select query, calls::int, (shared_blks_hit + shared_blks_read)::int as buffers from pg_stat_statements
        where dbid = ${oid} and query not in ('select 1', 'select $1') order by buffers desc, query`;
    },
  };
}
