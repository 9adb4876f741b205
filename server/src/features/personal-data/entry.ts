import { eq, or, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';

/** The two ids by which records refer to a member. */
export interface MemberIds {
  accountId: string;
  profileId: string;
}

type Values = Readonly<Record<string, unknown>>;

/** What becomes of a member's rows when the account is deleted. */
export type Deletion =
  | { kind: 'deleted' }
  /** Kept without what is the member's own: these columns get these values. */
  | { kind: 'emptied'; set: Values | ((member: MemberIds) => Values) }
  /** Kept as they are: they hold ids alone. */
  | { kind: 'kept'; why: string }
  /** Removed in a way of their own (`delete.ts`). */
  | { kind: 'files' | 'unfinished' | 'identity' };

/** What an export has of a table: never more than the calls of the product show its member. */
export interface Exported {
  /** Columns that nobody gets. */
  without: readonly string[];
  /** Columns that one side of a row alone gets, each with the column that has the id of that side. */
  onlyFor?: Readonly<Record<string, string>>;
  /** Rows with somebody who is hidden from the member are left out, as in the lists of the product. */
  omitsHidden?: true;
}

/** One table that refers to members. */
export interface PersonalTable {
  table: PgTable;
  /** Its columns with a member's id. */
  members: readonly string[];
  /** The rows of a member. */
  own: (member: MemberIds) => SQL | undefined;
  /** What the export has of the rows, or why it has none of them. */
  exported: Exported | { none: string };
  deletion: Deletion;
}

/** All of it is exported. */
export const whole = { without: [] } as const;
export const deleted = { kind: 'deleted' } as const;

/** The rows that name the member in one of these columns: exported as a whole and deleted, unless `meaning` differs. */
export const ownRows = (
  table: PgTable,
  columns: readonly PgColumn[],
  meaning: Partial<PersonalTable> = {},
): PersonalTable => ({
  table,
  members: columns.map(({ name }) => name),
  own: ({ accountId, profileId }) =>
    or(...columns.map((column) => eq(column, column.name.includes('account') ? accountId : profileId))),
  exported: whole,
  deletion: deleted,
  ...meaning,
});

/** The columns of a table's primary key, joined by commas. */
export function primaryKey(table: PgTable): SQL {
  const { columns, primaryKeys } = getTableConfig(table);
  const keys = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return sql.join(
    keys.map(({ name }) => sql`${table}.${sql.identifier(name)}`),
    sql`, `,
  );
}
