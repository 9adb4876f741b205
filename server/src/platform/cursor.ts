import type { PageOf } from '@tara/contract/page';
import { type AnyColumn, and, asc, desc, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { Problem } from './problem.ts';

/** Where a keyset-paged list goes on: after this time and id. */
export interface Cursor {
  at: Date;
  id: string;
}

/** The error for a cursor that the list did not write. */
export const unknownCursor = () =>
  new Problem('general_cursor_not_found', { fields: { cursor: 'is not one of this list' } });

/** The opaque text of a cursor: the last row's time (milliseconds) and id. */
function writeCursor(at: Date, id: string): string {
  return Buffer.from(`${at.getTime().toString(36)}.${id}`).toString('base64url');
}

/** @throws Problem `general_cursor_not_found` for anything that `writeCursor` did not write. */
function readCursor(cursor: string | undefined): Cursor | null {
  if (cursor === undefined) return null;
  const match = /^([0-9a-z]{1,9})\.([a-zA-Z0-9._-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const [, time, id] = match ?? [];
  if (time === undefined || id === undefined) throw unknownCursor();
  return { at: new Date(Number.parseInt(time, 36)), id };
}

interface Keyset {
  /** Rows beyond the cursor; undefined on the first page. */
  where: SQL | undefined;
  orderBy: SQL[];
}

/**
 * Order and start of one page of a list that is sorted by a time and then an id.
 * @param cursor null for the first page; placeholders in a prepared statement.
 */
export function keyset(
  time: AnyColumn,
  id: AnyColumn | SQL,
  cursor: Cursor | { at: Placeholder; id: Placeholder } | null,
  order: 'asc' | 'desc',
): Keyset {
  const direction = order === 'asc' ? asc : desc;
  const beyond = sql.raw(order === 'asc' ? '>' : '<');
  const at = cursor?.at instanceof Date ? cursor.at.toISOString() : cursor?.at;
  return {
    where: cursor ? sql`(${time}, ${id}) ${beyond} (${at}::timestamptz, ${cursor.id})` : undefined,
    orderBy: [direction(time), direction(id)],
  };
}

/** One page of `size` out of at most `size + 1` rows, with the next cursor when there are more. */
export function presentPage<Row, Item>(
  rows: readonly Row[],
  size: number,
  present: (row: Row) => Item,
  toCursor: (row: Row) => Cursor,
): PageOf<Item> {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  const next = rows.length > size && last !== undefined ? toCursor(last) : null;
  return { items: shown.map(present), next: next && writeCursor(next.at, next.id) };
}

/** What `read` of a list is asked for. */
interface PageRequest extends Keyset {
  /** Where the page begins; null for the first. */
  after: Cursor | null;
  /** Most rows to read: one more than the page has, by which it is known whether another follows. */
  limit: number;
}

/** A query of the query builder, of which the page's condition, order and limit are missing. */
interface UnsortedQuery<Row> {
  where(condition: SQL | undefined): {
    orderBy(...columns: SQL[]): { limit(limit: number): PromiseLike<Row[]> };
  };
}

interface List<Row, Item> {
  /** Items of a page. */
  size: number;
  /** A time and an id, the newest first unless said; left out by a list that makes its condition of `after`. */
  sortedBy?: { time: AnyColumn; id: AnyColumn | SQL; order?: 'asc' | 'desc' };
  read: (page: PageRequest) => PromiseLike<readonly Row[]>;
  present: (row: Row) => Item;
  toCursor: (row: Row) => Cursor;
}

/** A list that is one query, with the condition of its rows. */
type QueryList<Row, Item> = Omit<List<Row, Item>, 'read'> &
  Required<Pick<List<Row, Item>, 'sortedBy'>> & { query: UnsortedQuery<Row>; where?: SQL | undefined };

/**
 * One page of a list.
 * @param cursor `next` of the page before; undefined for the first.
 * @throws Problem `general_cursor_not_found`
 */
export async function readPage<Row, Item>(
  cursor: string | undefined,
  list: List<Row, Item> | QueryList<Row, Item>,
): Promise<PageOf<Item>> {
  const { size, sortedBy, present, toCursor } = list;
  const after = readCursor(cursor);
  const sorted = sortedBy
    ? keyset(sortedBy.time, sortedBy.id, after, sortedBy.order ?? 'desc')
    : { where: undefined, orderBy: [] };
  const limit = size + 1;
  const rows = await ('query' in list
    ? list.query
        .where(and(list.where, sorted.where))
        .orderBy(...sorted.orderBy)
        .limit(limit)
    : list.read({ after, limit, ...sorted }));
  return presentPage(rows, size, present, toCursor);
}

/** The number by which a list goes on whose rows are numbered. @throws Problem `general_cursor_not_found` */
export function cursorNumber(after: Cursor | null): number | null {
  if (after === null) return null;
  if (!/^\d{1,15}$/.test(after.id)) throw unknownCursor();
  return Number(after.id);
}
