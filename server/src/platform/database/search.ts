import { search as limits } from '@tara/contract/limits';
import { getTableName, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** A table with the columns of migration 0020: `number` counts its rows, `search` are the words of a row. */
type SearchedTable = PgTable & { id: PgColumn; number: PgColumn; search: PgColumn };

/**
 * The best records for a text: those with all its words, the last one also as a beginning, among the newest 2,000 of
 * them; whole words first, then by the weights of `search_vector`, then the newest. The slices of the table are read from
 * the newest on, by its index, until there are enough hits (decision 0034).
 * @param visible which records may be hits; part of the search, so that hidden ones take no places.
 * @returns a table to join by `id`, and its order.
 */
export function bestHits(
  { id, number, search }: SearchedTable,
  text: Placeholder | string,
  visible: SQL | undefined,
): { table: SQL; id: SQL; order: SQL[] } {
  const sequence = sql.identifier(`${getTableName(id.table)}_number_seq`);
  return {
    table: sql`(
      with slices as (
        -- \`offset 0\`: the queries are made once for each slice, not for each hit.
        select search_query(slice, words, true) as beginning, search_query(slice, words, false) as whole
        from (select search_input(${text}) as words offset 0) as input,
          generate_series(search_slice((select last_value from ${sequence})), 0, -1) as slice
        where words <> '' offset 0),
      hits as materialized (
        select hit.* from slices cross join lateral (
          select ${id} as id, ${number} as number,
            ts_rank(${search}, beginning) + (${search} @@ whole)::int as rank
          from ${id.table} where ${search} @@ beginning and ${visible ?? sql`true`}
          order by ${number} desc) as hit
        limit ${sql.raw(String(limits.newestHits))})
      select id, number, rank from hits order by rank desc, number desc
      limit ${sql.raw(String(limits.results))}) as best`,
    id: sql`best.id`,
    order: [sql`best.rank desc`, sql`best.number desc`],
  };
}
