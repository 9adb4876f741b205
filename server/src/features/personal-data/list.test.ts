import { getTableColumns, getTableName } from 'drizzle-orm';
import { expect } from 'vitest';
import { test } from '../../testing/test.ts';
import { accounts } from '../accounts/index.ts';
import { profiles } from '../profiles/index.ts';
import { erasedAccount, erasedProfile } from './delete.ts';
import { otherTables, personalTables } from './list.ts';

/** Names of columns that hold a member's id, also where no foreign key says so. */
const memberColumn =
  /^(who_\w+|readers|(\w+_)?by|(\w*_)?(account|profile|user|owner|creator|client|friend|member|actor|author|sender|recipient|reporter|reported|blocker|blocked|muter|muted|viewer)(_account|_profile)?_id)$/;

test('the list says what each table with a member’s id means for an export and a deletion', async ({
  connection,
}) => {
  const columns = await connection.sql<{ table: string; column: string; refers: boolean }[]>`
    select relname as table, attname as column, exists (
      select from pg_constraint where contype = 'f' and conrelid = attrelid and attnum = any(conkey)
        and confrelid in ('accounts'::regclass, 'profiles'::regclass)) as refers
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'schema_migrations'
      and attnum > 0 and not attisdropped`;
  const memberColumns = columns.filter(({ column, refers }) => refers || memberColumn.test(column));
  const listed = new Map<string, Set<string>>();
  for (const { table, members } of personalTables) {
    const name = getTableName(table);
    listed.set(name, new Set([...(listed.get(name) ?? []), ...members]));
  }
  const missing = memberColumns
    .filter(({ table, column }) => !listed.get(table)?.has(column))
    .map(({ table, column }) => `${table}.${column}`);
  expect(missing, 'columns with a member’s id that personal-data/list.ts does not name').toEqual([]);
  const others = new Set([...otherTables.keys()].map(getTableName));
  const unknown = new Set(
    columns.filter(({ table }) => !listed.has(table) && !others.has(table)).map(({ table }) => table),
  );
  expect([...unknown], 'tables that personal-data/list.ts does not name').toEqual([]);
});

const [reference, count, moment] = ['other records refer to it', 'a count', 'a moment, of nobody any more'];
/** The columns that a deletion leaves as they are in the two rows of a member, with the reason. */
const unchangedColumns = {
  profiles: {
    ...{ id: reference, accountId: reference, createdAt: moment, updatedAt: moment },
    ...{
      limitedPlan: count,
      totalPlan: count,
      totalInteraction: count,
      totalReviews: count,
      totalStars: count,
    },
    number: 'the order of insertion',
    words: 'Postgres makes them of name, username and hobby',
    cityKey: 'Postgres makes it of the city',
    completeness: 'Postgres makes it of what the profile has',
  },
  accounts: {
    ...{ id: reference, createdAt: moment, updatedAt: moment, accessedAt: moment, passwordUpdatedAt: moment },
    ...{ deletesAt: 'set at the very end of the deletion', deletedAt: 'set at the very end of the deletion' },
    demo: 'whether the demo world made it',
  },
};

test.for([
  ['profiles', profiles, erasedProfile, unchangedColumns.profiles],
  ['accounts', accounts, erasedAccount, unchangedColumns.accounts],
] as const)(
  'a deletion sets each column of %s but these, each for its reason',
  ([, table, erased, reasons]) => {
    const left = Object.keys(getTableColumns(table)).filter((column) => !(column in erased));
    expect(left.sort()).toEqual(Object.keys(reasons).sort());
  },
);
