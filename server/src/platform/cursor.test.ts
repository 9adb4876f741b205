import { nowDate } from '@tara/contract/clock';
import { eq, sql } from 'drizzle-orm';
import { boolean, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { expect } from 'vitest';
import { test as base } from '../testing/test.ts';
import { cursorNumber, readPage } from './cursor.ts';

const notes = pgTable('notes', {
  id: text('id').primaryKey(),
  at: timestamp('at', { precision: 3, withTimezone: true }).notNull(),
  shown: boolean('shown').notNull(),
});

/** Seven notes at three times, of which two are hidden; `list` reads all pages of two. */
const test = base
  .extend('database', { scope: 'file' }, async ({ connection }) => {
    await connection.sql`create table notes (id text primary key, at timestamptz(3), shown boolean)`;
    await connection.sql`insert into notes
      select 'n' || n, '2026-01-01'::timestamptz + n % 3 * interval '1 ms', n not in (3, 5) from generate_series(1, 7) n`;
    return connection.database;
  })
  .extend('list', { scope: 'file' }, ({ database }) => async (order: 'asc' | 'desc') => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await readPage(cursor, {
        size: 2,
        sortedBy: { time: notes.at, id: notes.id, order },
        query: database.select().from(notes),
        where: eq(notes.shown, true),
        present: ({ id }) => id,
        toCursor: (row) => row,
      });
      pages.push(page.items);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    return pages;
  });

test('the pages of a list have each row of the condition once, in its order, also of the same time', async ({
  list,
}) => {
  expect(await list('desc')).toEqual([['n2', 'n7'], ['n4', 'n1'], ['n6']]);
  expect(await list('asc')).toEqual([['n6', 'n1'], ['n4', 'n7'], ['n2']]);
});

test('a list that ends with a full page has no next one', async ({ database }) => {
  const read = (size: number) =>
    readPage(undefined, {
      size,
      sortedBy: { time: notes.at, id: notes.id },
      query: database.select().from(notes),
      present: ({ id }) => id,
      toCursor: (row) => row,
    });
  expect((await read(7)).next).toBeNull();
  expect((await read(6)).next).toEqual(expect.any(String));
});

test('a list of its own makes its condition of the place after which it begins', async ({ database }) => {
  const read = (cursor?: string) =>
    readPage(cursor, {
      size: 3,
      read: ({ after, limit }) => {
        const before = cursorNumber(after);
        return database.execute<{ n: number }>(sql`select n from generate_series(1, 7) n
          where ${before === null ? sql`true` : sql`n < ${before}`} order by n desc limit ${limit}`);
      },
      present: ({ n }) => n,
      toCursor: ({ n }) => ({ at: new Date(0), id: String(n) }),
    });
  const first = await read();
  const second = await read(first.next ?? '');
  const third = await read(second.next ?? '');
  expect([first.items, second.items, third]).toEqual([[7, 6, 5], [4, 3, 2], { items: [1], next: null }]);
});

test.for([
  '',
  'nonsense',
  Buffer.from('zz').toString('base64url'),
  Buffer.from('1.x y').toString('base64url'),
])('the cursor %j, which no list made, is refused by its name', async (cursor) => {
  const page = readPage(cursor, {
    size: 1,
    read: async () => [1],
    present: (row) => row,
    toCursor: () => ({ at: nowDate(), id: '1' }),
  });
  await expect(page).rejects.toMatchObject({
    type: 'general_cursor_not_found',
    fields: { cursor: 'is not one of this list' },
  });
});

test('the cursor of another list is refused by one whose rows are numbered', () => {
  expect(() => cursorNumber({ at: nowDate(), id: 'abc' })).toThrow(
    expect.objectContaining({ type: 'general_cursor_not_found' }),
  );
});
