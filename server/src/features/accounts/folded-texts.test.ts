import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { addMember } from '../../testing/features/sessions.ts';
import { test as base, type FixturesOf } from '../../testing/test.ts';
import { posts } from '../posts/index.ts';
import { accounts } from './tables.ts';

/** Migrations that fold what was stored before, run again on rows of then. */
const test = base.extend('migrate', ({ connection }) => (name: string) => {
  const statements = readFileSync(new URL(`../../../migrations/${name}`, import.meta.url), 'utf8');
  return connection.sql.begin((transaction) => transaction.unsafe(statements));
});

/** An account of before emails had to be ASCII. */
async function addEmail(
  { connection, database }: Pick<FixturesOf<typeof test>, 'connection' | 'database'>,
  email: string,
  emailVerified: boolean,
) {
  await connection.sql`alter table accounts drop constraint if exists accounts_email_ascii`;
  const { accountId } = await addMember(connection, { email: `${newId()}@example.com`, emailVerified });
  await database.update(accounts).set({ email }).where(eq(accounts.id, accountId));
  return async () => {
    const [row] = await database.select().from(accounts).where(eq(accounts.id, accountId));
    return row?.email;
  };
}

test('an unconfirmed email that becomes equal to another gives way, and one that does not becomes ASCII (threat-lookalike-texts)', async ({
  connection,
  database,
  migrate,
}) => {
  const owner = await addEmail({ connection, database }, 'misa@demo.tara', true);
  const equal = await addEmail({ connection, database }, 'miſa@demo.tara', false);
  const alone = await addEmail({ connection, database }, 'ｂea@demo.tara', false);
  const twins = [
    await addEmail({ connection, database }, 'ſol@demo.tara', false),
    await addEmail({ connection, database }, 'ｓol@demo.tara', false),
  ];
  const none = await addEmail({ connection, database }, 'ñandu@demo.tara', false);
  await migrate('0140_ascii_emails.sql');
  expect([await owner(), await equal(), await alone(), await none()]).toEqual([
    'misa@demo.tara',
    null,
    'bea@demo.tara',
    null,
  ]);
  expect(new Set(await Promise.all(twins.map((read) => read())))).toEqual(new Set(['sol@demo.tara', null]));
});

test.for([
  [
    'two confirmed emails that become equal stop the migration',
    'kim@demo.tara',
    /equal to that of the account/,
  ],
  ['a confirmed email that is not ASCII stops it', null, /not ASCII\. Ask its owner/],
] as const)(
  '%s, in words (threat-lookalike-texts)',
  async ([_what, other, words], { connection, database, migrate }) => {
    if (other !== null) await addEmail({ connection, database }, other, true);
    const confirmed = await addEmail(
      { connection, database },
      other === null ? 'ñam@demo.tara' : 'ｋim@demo.tara',
      true,
    );
    await expect(migrate('0140_ascii_emails.sql')).rejects.toThrow(words);
    expect(await confirmed()).toMatch(/^[ñｋ]/);
    await database.update(accounts).set({ email: null });
  },
);

test('tags of before are found by the spelling that tags are stored in now', async ({
  connection,
  database,
  migrate,
}) => {
  const { profileId } = await addMember(connection);
  const id = newId();
  const tags = ['ｂｅａｃｈ', 'beach', 'ﬁsh，＃sun', 'sea'];
  await database.insert(posts).values({ id, creatorId: profileId, usedDp: true, caption: 'x', tags });
  await migrate('0142_folded_tags.sql');
  const [row] = await database.select().from(posts).where(eq(posts.id, id));
  expect(row?.tags).toEqual(['beach', 'fish', 'sun', 'sea']);
});

test('a search finds both spellings of each character that folds to ASCII letters (threat-lookalike-texts)', async ({
  connection,
}) => {
  const folding = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code > 0x7f && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => /^[a-z\d]+$/i.test(letter.normalize('NFKC')));
  expect(folding.length).toBeGreaterThan(1000);
  const different = await connection.sql<{ letter: string }[]>`
    select letter from unnest(${folding}::text[], ${folding.map((letter) => letter.normalize('NFKC'))}::text[])
      as pair (letter, folded)
    -- Node may know newer characters than Postgres.
    where unicode_assigned(letter) and search_input('se' || letter || 'a') <> search_input('se' || folded || 'a')`;
  expect(different.map(({ letter }) => letter)).toEqual([]);
});
