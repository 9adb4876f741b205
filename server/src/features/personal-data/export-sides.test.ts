import { buffer } from 'node:stream/consumers';
import { nowDate } from '@tara/contract/clock';
import { eq, sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { expect } from 'vitest';
import yauzl from 'yauzl';
import { encryptedStore } from '../../platform/files/encrypted.ts';
import { newId } from '../../platform/ids.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import type { Member } from '../../testing/features/members.ts';
import { insertBlock } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import {
  test as base,
  documentsKey,
  fillMember,
  helpers,
  marks,
} from '../../testing/matrix/personal-data.ts';
import { profiles } from '../profiles/index.ts';
import { personalDataZip } from './export-file.ts';
import { personalTables } from './list.ts';

const test = base
  .extend('read', { scope: 'file' }, ({ database, platform }) => async (member: Member) => {
    const documents = encryptedStore(platform.files, documentsKey);
    const zip = personalDataZip({ database, files: platform.files, documents }, member, helpers.signal);
    const archive = await yauzl.fromBufferPromise(await buffer(zip), { lazyEntries: true });
    const entries = new Map<string, string>();
    for await (const entry of archive.eachEntry())
      entries.set(entry.fileName, String(await buffer(await archive.openReadStreamPromise(entry))));
    return {
      names: [...entries.keys()],
      all: [...entries.values()].join('\n'),
      rows: (table: string): Record<string, unknown>[] => JSON.parse(entries.get(`${table}.json`) ?? '[]'),
    };
  })
  /** Two members with something in every table, each as creator and as client, and an open request of the first. */
  .extend('parties', async ({ database, platform, newMember }) => {
    const [client, creator] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    const names = { client: newId(), creator: newId() };
    await fillMember({ database, platform }, client, creator, names.client);
    await fillMember({ database, platform }, creator, client, names.creator);
    const planId = await insertPlan(database, creator);
    const id = await insertInteraction(
      database,
      { creator, client, planId },
      {
        checkoutUrl: 'https://pay.example/checkout',
        refundNumber: '09178887766',
        payoutWaitsUntil: nowDate(),
      },
    );
    return { client, creator, id, names };
  });

/** What a column is called that opens something, or proves who somebody is. */
const secretName = /(^|_)(secret|hash|sealed)(_|$)/;

test('an export has no column of a secret (threat-exported-others)', () => {
  const secrets = personalTables.flatMap(({ table, exported }) =>
    'none' in exported
      ? []
      : getTableConfig(table)
          .columns.map(({ name }) => name)
          .filter((name) => secretName.test(name) && !exported.without.includes(name))
          .map((name) => `${getTableConfig(table).name}.${name}`),
  );
  expect(secrets).toEqual([]);
});

test('an export does not show one party of a request what the other alone is shown (threat-exported-others, threat-other-exits)', async ({
  parties: { client, creator, id },
  read,
}) => {
  const [clients, creators] = [await read(client), await read(creator)];
  const rowOf = ({ rows }: typeof clients) => rows('interactions').find((row) => row.id === id);
  expect(rowOf(clients)).toMatchObject({ refund_number: '09178887766' });
  expect(rowOf(clients)).not.toHaveProperty('payout_waits_until');
  expect(rowOf(creators)).toMatchObject({ payout_waits_until: expect.any(String) });
  expect(creators.all).not.toContain('09178887766');
  for (const { all } of [clients, creators]) expect(all).not.toContain('https://pay.example');
});

test('an export has all rows and pictures also where they are more than are read at once, and no unused upload', async ({
  database,
  newMember,
  read,
}) => {
  const member = await newMember();
  const picture = { ownerAccountId: member.accountId, usedAt: nowDate() };
  const unused = await insertPicture(database, { ...picture, usedAt: null });
  const first = await insertPicture(database, picture);
  await database.execute(sql`insert into files
    select (jsonb_populate_record(files, jsonb_build_object('id', 'many' || lpad(n::text, 3, '0')))).*
    from files, generate_series(1, 500) n where files.id = ${first}`);
  const { names, rows } = await read(member);
  const pictures = names.filter((name) => name.startsWith('pictures/'));
  expect([pictures.length, new Set(pictures).size]).toEqual([501, 501]);
  expect(pictures).not.toContain(`pictures/${unused}.jpeg`);
  expect(new Set(rows('files').map(({ id }) => id)).size).toBe(502);
});

test('an export holds account ids of nobody else (threat-exported-others)', async ({
  parties: { client, creator },
  read,
}) => {
  expect((await read(client)).all).not.toContain(creator.accountId);
  expect((await read(creator)).all).not.toContain(client.accountId);
});

test.for(['the blocked one', 'the one who blocked'])(
  'after a block the export of %s names the other as before it, without id, and not among friends (threat-exported-others)',
  async (whose, { database, parties: { client, creator, id, names }, read }) => {
    const before = await read(client);
    expect(before.rows('friends').length).toBeGreaterThan(0);
    expect(before.all).toContain(creator.profileId);
    const [blocker, blocked] = whose === 'the blocked one' ? [creator, client] : [client, creator];
    const nameOf = (member: Member) => marks(member === client ? names.client : names.creator).text;
    await insertBlock(database, blocker, blocked);
    await database.update(profiles).set({ name: 'Present name' }).where(eq(profiles.id, creator.profileId));
    const { all, rows } = await read(client);
    expect(all).not.toContain('Present name');
    expect(all).not.toContain(creator.profileId);
    expect(rows('friends')).toEqual([]);
    const shown = new Set([...rows('conversations'), ...rows('chats'), ...rows('receipts')].flatMap(namesIn));
    expect(shown).toEqual(new Set([nameOf(client), nameOf(creator)]));
    expect(rows('interactions').find((row) => row.id === id)).toMatchObject({
      creator_id: null,
      creator_name: nameOf(creator),
      client_id: client.profileId,
    });
  },
);

const namesIn = (row: Record<string, unknown>) =>
  Object.entries(row)
    .filter(([name, value]) => name.endsWith('_name') && value !== null)
    .map(([, value]) => value);
