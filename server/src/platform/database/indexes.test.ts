import { expect } from 'vitest';
import { test } from '../../testing/test.ts';

test('no foreign key is without an index that begins with its columns', async ({ connection }) => {
  // An index of the rows whose column is not null serves as well.
  const missing = await connection.sql`
    select conrelid::regclass || ' ' || pg_get_constraintdef(keys.oid) as key from pg_constraint as keys
    where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
      select from pg_index
      where indrelid = conrelid and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
        and (indpred is null or pg_get_expr(indpred, indrelid) =
          (select format('(%I IS NOT NULL)', attname) from pg_attribute where attrelid = conrelid and attnum = conkey[1])))`;
  expect(missing.map(({ key }) => key)).toEqual([]);
});
