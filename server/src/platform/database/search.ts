import { search as limits } from '@tara/contract/limits';
import { and, getTableName, lt, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** A table with the columns of migration 0050: `number` counts the records, `words` are what a record is found by. */
type SearchedTable = PgTable & { number: PgColumn; words: PgColumn };

/**
 * The best records for a text: those with all its words, the last one also as a beginning, among the newest 2,000 of
 * them; whole words first, then by the weights of `search_vector`, then the newest. The slices of the table are read from
 * the newest on, by its index, until there are enough hits (decision 0034).
 * @param counted the table whose sequence gives the numbers.
 * @param visible which records may be hits; part of the search, so that hidden ones take no places.
 * @param results how many of them are wanted.
 * @returns a table to join by `number`, and its order.
 */
export function bestHits(
  searched: SearchedTable,
  counted: PgTable,
  text: Placeholder | string,
  visible: SQL | undefined,
  results: number = limits.results,
): { table: SQL; number: SQL; order: SQL[] } {
  const { number, words } = searched;
  const sequence = sql.identifier(`${getTableName(counted)}_number_seq`);
  return {
    table: sql`(
      with input as materialized (
        -- What the index is asked for, and what hits are compared with: all words whole, and any of them for the weights.
        select search_query(words, '&', true) as keys, replace(search_query(words, '&', false), '@', '')::tsquery as whole,
          replace(search_query(words, '|', true), '@', '')::tsquery as any_word
        from (select search_input(${text}) as words offset 0) as text where words <> ''),
      slices as (
        -- \`offset 0\`: a query is made once for each slice, not for each hit.
        select replace(keys, '@', slice)::tsquery as keys, whole, any_word
        from input, search_slices((select last_value from ${sequence})) as slice offset 0),
      hits as materialized (
        -- The newest: a slice is asked when those before it had too few.
        select hit.* from slices cross join lateral (
          select ${number} as number, ts_rank(${words}, any_word) + (${words} @@ whole)::int as rank
          from ${searched} where search_keys(${number}, ${words}) @@ keys and ${visible ?? sql`true`}
          order by ${number} desc) as hit
        limit ${sql.raw(String(limits.newestHits))})
      select number, rank from hits order by rank desc, number desc
      limit ${sql.raw(String(results))}) as best`,
    number: sql`best.number`,
    order: [sql`best.rank desc`, sql`best.number desc`],
  };
}

/**
 * The newest records with all words of some texts, the last one of each also as a beginning: one page of a list, for a
 * filter whose other conditions are `condition`. Without texts, the newest of all.
 * @param before the number of the last record of the page before.
 * @returns a table to join by `number`, the newest first.
 */
export function newestHits(
  searched: SearchedTable,
  page: {
    texts: readonly (Placeholder | string)[];
    condition: SQL | undefined;
    before: number | null;
    size: number;
  },
): { table: SQL; number: SQL } {
  const { number, words } = searched;
  const limit = sql.raw(String(page.size));
  const condition =
    and(page.condition, page.before === null ? undefined : lt(number, page.before)) ?? sql`true`;
  const last = sql`(select last_value from ${sql.identifier(`${getTableName(searched)}_number_seq`)})`;
  const first = page.before === null ? last : sql`least(${last}, ${page.before - 1}::bigint)`;
  const inputs = sql.join(
    page.texts.map((text) => sql`(${text}::text)`),
    sql`, `,
  );
  const hits =
    page.texts.length === 0
      ? sql`(select ${number} as number from ${searched} where ${condition} order by ${number} desc limit ${limit})`
      : sql`(
        with input as materialized (
          select string_agg(search_query(words, '&', true), ' & ') as keys
          from (select search_input(text) as words from (values ${inputs}) as input (text) offset 0) as input
          where words <> ''),
        slices as (
          select replace(keys, '@', slice)::tsquery as keys from input, search_slices(${first}) as slice
          where keys is not null offset 0)
        -- A slice is asked when those before it had too few.
        select hit.number from slices cross join lateral (
          select ${number} as number from ${searched}
          where search_keys(${number}, ${words}) @@ keys and ${condition} order by ${number} desc) as hit
        limit ${limit})`;
  return { table: sql`${hits} as hits`, number: sql`hits.number` };
}

/**
 * Whether a text has all words of another, the last one also as a beginning: for one of the texts of a `words`, of which only the
 * first two say where a word stands. One without words, such as an emoji, is null and found nowhere; a condition would not do,
 * since Postgres may make the query before it looks at it.
 */
export const hasWords = (column: PgColumn, text: string) => sql`search_vector(${column}, '', '') @@ (
  select replace(search_query(nullif(input, ''), '&', true), '@', '')::tsquery from search_input(${text}) as input)`;
