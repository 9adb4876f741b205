import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { bigint, customType, type PgTable, timestamp } from 'drizzle-orm/pg-core';

/** A moment with milliseconds: what JavaScript can hold, so that a cursor equals the stored value. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const createdAt = () => moment('created_at').notNull().defaultNow();
export const updatedAt = () => moment('updated_at').notNull().defaultNow();

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Counts the rows of a table in the order of their insertion. */
export const recordNumber = () => bigint('number', { mode: 'number' }).notNull().generatedAlwaysAsIdentity();

/** The words that a row is found by, with their weights; Postgres derives them from other columns (migration 0050). */
export const searchWords = () => tsvector('words').notNull().generatedAlwaysAs(sql``);

/** Columns as one object of JSON, by their names; times in it are texts. */
export const jsonObject = (columns: Readonly<Record<string, SQLWrapper>>): SQL =>
  sql`json_build_object(${sql.join(
    Object.entries(columns).flatMap(([name, column]) => [sql.raw(`'${name}'`), sql`${column}`]),
    sql`, `,
  )})`;

/** A row as it is stored, by the names of its columns, as JSON has the values. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** The whole row of a table, such as `returning` of a deletion. */
export const wholeRow = (table: PgTable) => sql<StoredRow>`to_jsonb(${table})`;

/** Some columns of a table, or of an alias of it, in this order and with their own types. */
export const pickColumns = <Table, Name extends keyof Table>(table: Table, names: readonly Name[]) =>
  // Each name has its column.
  Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>;

/** What sets each column of a table to its default, also one that is added later, but for those that stay. */
export const columnDefaults = (table: PgTable, lasting: readonly string[]): Record<string, SQL> =>
  Object.fromEntries(
    Object.keys(getTableColumns(table))
      .filter((column) => !lasting.includes(column))
      .map((column) => [column, sql`default`]),
  );
