import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect } from 'vitest';
import { test } from '../../testing/test.ts';

const sourceFolder = join(import.meta.dirname, '../..');

/** `table.column type` of every column, with ` null` where it may be empty. */
type Column = string;

const spell = (table: string, column: string, type: string, nullable: boolean): Column =>
  `${table}.${column} ${type}${nullable ? ' null' : ''}`;

/** Precision is the database's way to say `timestamptz(3)`; the code's is spelt alike. */
const typeOf = (sqlType: string) =>
  sqlType.replace(/^timestamp \((\d)\) with time zone$/, 'timestamp($1) with time zone');

async function columnsInCode(): Promise<Column[]> {
  const files = await readdir(sourceFolder, { recursive: true });
  const modules: Record<string, unknown>[] = await Promise.all(
    files.filter((file) => basename(file) === 'tables.ts').map((file) => import(join(sourceFolder, file))),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter((value) => is(value, PgTable))
    .flatMap((table) => {
      const { name, columns } = getTableConfig(table);
      return columns.map((column) => spell(name, column.name, typeOf(column.getSQLType()), !column.notNull));
    });
}

test('every column of the migrated database is in the code, and every one of the code in the database', async ({
  connection,
}) => {
  const rows = await connection.sql<{ table: string; column: string; type: string; nullable: boolean }[]>`
    select relname as table, attname as column, format_type(atttypid, atttypmod) as type, not attnotnull as nullable
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and relname <> 'schema_migrations' and attnum > 0 and not attisdropped`;
  const stored = rows.map(({ table, column, type, nullable }) => spell(table, column, type, nullable));
  expect((await columnsInCode()).sort()).toEqual(stored.sort());
});
