import { type AnyColumn, asc, desc, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { Problem } from './problem.ts';

/** Where a keyset-paged list goes on: after this time and id. */
export interface Cursor {
  at: Date;
  id: string;
}

/** The opaque text of a cursor: the last row's time (milliseconds) and id. */
export function writeCursor(at: Date, id: string): string {
  return Buffer.from(`${at.getTime().toString(36)}.${id}`).toString('base64url');
}

/** @throws Problem `general_cursor_not_found` for anything that `writeCursor` did not write. */
export function readCursor(cursor: string | undefined): Cursor | null {
  if (cursor === undefined) return null;
  const match = /^([0-9a-z]{1,9})\.([a-zA-Z0-9._-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const [, time, id] = match ?? [];
  if (time === undefined || id === undefined) {
    throw new Problem('general_cursor_not_found', { fields: { cursor: 'is not one of this list' } });
  }
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
  rows: Row[],
  size: number,
  present: (row: Row) => Item,
  cursorOf: (row: Row) => Cursor,
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  const next = rows.length > size && last !== undefined ? cursorOf(last) : null;
  return { items: shown.map(present), next: next && writeCursor(next.at, next.id) };
}
