import type { Sql } from '../../platform/database/connect.ts';
import { type Meter, settleOn } from './measure.ts';

/** A statement that asked several shards at once. */
export interface SpreadStatement {
  /** As the workers got it. */
  query: string;
  /** How many shards it asked. */
  shards: number;
}

/** `chats_102008`: a table's name at the workers. */
const shardNames = /\b(chats|messages|chat_marks|unsent_messages|chat_entries)_\d{6,}\b/g;

/**
 * Watches what the one connection of `measured` asks the workers of a Citus cluster: its notices go to `hear`. `observer` is another pool
 * on the same database. Citus counts the executions that asked several shards at once; which they were is read from what it sent.
 */
export async function openShardMeter(measured: Sql, observer: Sql) {
  let shardsByQuery = new Map<string, Set<string>>();
  await measured`set citus.enable_stat_counters = on`;
  await measured`set citus.log_remote_commands = on`;
  const settle = () => settleOn(measured);
  const countSpread = async (): Promise<number> => {
    const [row] = await observer<{ count: number }[]>`
      select query_execution_multi_shard as count from citus_stat_counters where name = current_database()`;
    return row?.count ?? 0;
  };
  const meter: Meter<SpreadStatement> = {
    settle,
    measure: async (work) => {
      await settle();
      shardsByQuery = new Map();
      const before = await countSpread();
      await work();
      await settle();
      if ((await countSpread()) === before) return [];
      return [...shardsByQuery]
        .map(([query, shards]) => ({ query, shards: shards.size }))
        .filter(({ shards }) => shards > 1);
    },
  };
  return {
    ...meter,
    hear: (notice: string) => {
      const [shard] = notice.match(shardNames) ?? [];
      if (!notice.startsWith('issuing ') || shard === undefined) return;
      const query = notice.slice('issuing '.length).replaceAll(shardNames, '$1').replaceAll(/\s+/g, ' ');
      shardsByQuery.set(query, (shardsByQuery.get(query) ?? new Set()).add(shard));
    },
  };
}
