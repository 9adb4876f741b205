import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { is, SQL } from 'drizzle-orm';
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { expect } from 'vitest';
import { test } from '../../testing/test.ts';

const sourceFolder = join(import.meta.dirname, '../..');

/** `table.column type` of every column, with ` null` where it may be empty. */
type Column = string;

const spell = (table: string, column: string, type: string, nullable: boolean): Column =>
  `${table}.${column} ${type}${nullable ? ' null' : ''}`;

/** A column's default as the database writes it: `120`, `false`, `'open'`, `'{a,b}'`, `'{"a": 1}'`. */
const spellDefault = (column: PgColumn) => {
  const value: unknown = column.default;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (column.getSQLType().startsWith('json')) return `'${JSON.stringify(value)}'`;
  return Array.isArray(value) ? `'{${value.join()}}'` : `'${value}'`;
};

/** Precision is the database's way to say `timestamptz(3)`; the code's is spelt alike. */
const typeOf = (sqlType: string) =>
  sqlType.replace(/^timestamp \((\d)\) with time zone$/, 'timestamp($1) with time zone');

async function tablesInCode(): Promise<PgTable[]> {
  const files = await readdir(sourceFolder, { recursive: true });
  const modules: Record<string, unknown>[] = await Promise.all(
    files.filter((file) => basename(file) === 'tables.ts').map((file) => import(join(sourceFolder, file))),
  );
  return modules.flatMap((module) => Object.values(module)).filter((value) => is(value, PgTable));
}

const columnsOf = (table: PgTable): Column[] => {
  const { name, columns } = getTableConfig(table);
  return columns.map((column) => spell(name, column.name, typeOf(column.getSQLType()), !column.notNull));
};

/** The defaults of a table that are values, `table.column value`. */
const defaultsOf = (table: PgTable): string[] => {
  const { name, columns } = getTableConfig(table);
  return columns
    .filter(({ default: value }) => value !== undefined && !is(value, SQL))
    .map((column) => `${name}.${column.name} ${spellDefault(column)}`);
};

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
  expect((await tablesInCode()).flatMap(columnsOf).sort()).toEqual(stored.sort());
});

test('every default that the code gives a column is that of the database', async ({ connection }) => {
  const rows = await connection.sql<{ table: string; column: string; value: string }[]>`
    select relname as table, attname as column, pg_get_expr(adbin, adrelid) as value
    from pg_attrdef
    join pg_class on pg_class.oid = adrelid
    join pg_attribute on attrelid = adrelid and attnum = adnum
    where relnamespace = 'public'::regnamespace`;
  const stored = rows.map(({ table, column, value }) => `${table}.${column} ${value.replace(/::.*$/, '')}`);
  const inCode = (await tablesInCode()).flatMap(defaultsOf);
  expect(inCode.length).toBeGreaterThan(50);
  expect(inCode.filter((one) => !stored.includes(one))).toEqual([]);
});
