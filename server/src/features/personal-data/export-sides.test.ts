import { buffer } from 'node:stream/consumers';
import { aboutFields } from '@tara/contract/members/profiles';
import { eq } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { expect } from 'vitest';
import yauzl from 'yauzl';
import { encryptedStore } from '../../platform/files/encrypted.ts';
import { newId } from '../../platform/ids.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import type { Member } from '../../testing/features/members.ts';
import {
  test as base,
  documentsKey,
  fillMember,
  helpers,
  marks,
} from '../../testing/matrix/personal-data.ts';
import { profiles } from '../profiles/index.ts';
import { blocks } from '../visibility/index.ts';
import { personalDataZip } from './export-file.ts';
import { personalTables } from './list.ts';

/** What members write about themselves, which every member sees. */
const aboutColumns = aboutFields.map(({ name }) => profiles[name].name).join(' ');

/**
 * The columns that a member gets of each table; `refund_number@client_id`: whose id that column has, gets it alone. A new
 * column is added here once it is decided who is shown it: no more than the calls of the product show.
 */
const exportedColumns: Record<string, string> = {
  account_events: 'id account_id event ip user_agent created_at',
  accounts:
    'id email phone phone_verified_at name password_updated_at email_verified_at labels prefs blocked_at deletes_at deleted_at suspended_until warning terms_version consented_at demo accessed_at created_at updated_at',
  chat_marks: 'chat_id member_id delivered read incoming_read shows_read updated_at',
  chat_settings: 'profile_id messages_from show_read_marks show_last_seen',
  chats:
    'id kind first_id second_id first_account_id second_account_id last_sequence first_count second_count closed_at expires_at awaits_id version newest_at created_at updated_at',
  conversations:
    'id first_id second_id first_account_id second_account_id is_request remove_expired created_at',
  data_exports: 'id account_id size_bytes ready_at expires_at created_at',
  dispute_photos: 'interaction_id profile_id position image_id',
  disputes: 'interaction_id reason story created_at answer answered_at',
  files:
    'id bucket owner_account_id name mime_type size signature width height thumbhash alt variants used_at chosen_id parts created_at updated_at',
  friends: 'owner_id friend_id created_at',
  identities: 'id account_id provider issuer provider_uid provider_email created_at updated_at',
  interactions:
    'id plan_id plan_title client_id creator_id price_centavos reference_number payment_id paid_at accepted_at user_set_done_at admin_set_done_at completed_at cancelled_at cancelled_by cancel_reason cancel_note terms platform_fee_basis_points meets_at meets_until place day_starts_at pay_until refund_number@client_id creator_met_at disputed_at frozen_at charged_back_at released_centavos refund_centavos payout_waits_until@creator_id paid_out_at refunded_at client_name creator_name stage card_down review_submitted created_at updated_at',
  meeting_proposals: 'id interaction_id proposed_by meets_at meets_until place created_at answer answered_at',
  member_presence: 'profile_id last_seen_at',
  messages: 'chat_id sequence id user_id name body picture image_id reply_to client_key unsent_at created_at',
  notices: 'interaction_id event occasion profile_id details created_at delivered_at',
  payout_attempts: 'payout_id attempt destination created_at refused_at refusal',
  payouts:
    'id interaction_id recipient_id purpose number manual_reference amount_centavos state attempt transfer_id last_error created_at updated_at paid_at',
  plan_photos: 'plan_id position image_id',
  plans:
    'id creator_id title description time duration_minutes place price_centavos image_id terms total_reviews total_stars total_meetings removed_at closed_at edited_at created_at updated_at',
  post_likes: 'id who_liked post_id created_at',
  posts: 'id creator_id caption image_id location tags used_dp total_likes created_at updated_at',
  profiles: `id account_id name username phone_number payout_number_from image_id ${aboutColumns} birth_date shares_posts sent_verified_req verified verified_name limited_plan total_plan total_interaction total_reviews total_stars deleted_at created_at updated_at`,
  receipts: 'id interaction_id creator_id client_id creator_account_id client_account_id created_at',
  request_decisions: 'interaction_id occasion outcome refund_centavos note created_at',
  review_comments: 'id review_id creator_id client_key body created_at',
  review_likes: 'id who_liked review_id created_at',
  review_photos: 'review_id position image_id',
  reviews:
    'id interaction_id creator_id owner_id plan_id caption location stars tags total_likes total_comments edited_at created_at updated_at',
  saves: 'id user_id post_id created_at',
  second_factors: 'account_id created_at',
  sessions:
    'id account_id provider provider_uid ip user_agent expires_at password_shown_at second_factor_shown_at created_at updated_at',
  shared_plans: 'interaction_id profile_id created_at',
  uploads: 'id owner_account_id bucket chosen_id name size parts created_at updated_at',
  verifications: 'id user_id id_front_id id_back_id photo_id address valid accepted_at created_at',
};

const test = base
  .extend('read', { scope: 'file' }, ({ database, platform }) => async (member: Member) => {
    const documents = encryptedStore(platform.files, documentsKey);
    const zip = personalDataZip({ database, files: platform.files, documents }, member, helpers.signal);
    const archive = await yauzl.fromBufferPromise(await buffer(zip), { lazyEntries: true });
    const entries = new Map<string, string>();
    for await (const entry of archive.eachEntry())
      entries.set(entry.fileName, String(await buffer(await archive.openReadStreamPromise(entry))));
    return {
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
        payoutWaitsUntil: new Date(),
      },
    );
    return { client, creator, id, names };
  });

const columnsOf = ({ table, exported }: (typeof personalTables)[number]): string =>
  'none' in exported
    ? ''
    : getTableConfig(table)
        .columns.map(({ name }) => name)
        .filter((name) => !exported.without.includes(name))
        .map((name) => (exported.onlyFor?.[name] ? `${name}@${exported.onlyFor[name]}` : name))
        .join(' ');

test('an export has no column of which nobody decided who gets it (threat-exported-others)', () => {
  const columns = personalTables
    .map((entry) => [getTableConfig(entry.table).name, columnsOf(entry)] as const)
    .filter(([, names]) => names !== '');
  expect(Object.fromEntries(columns)).toEqual(exportedColumns);
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
    await database.insert(blocks).values({
      blockerId: blocker.profileId,
      blockedId: blocked.profileId,
      blockerName: nameOf(blocker),
      blockedName: nameOf(blocked),
    });
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
