import { profiles } from '@tara/contract/profiles';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember, type Member, withOldPassword } from '../../testing/members.ts';
import { insertPicture } from '../../testing/pictures.ts';
import { serverTest } from '../../testing/test.ts';
import { files } from '../files/index.ts';
import { befriend } from './friends.ts';
import { profileRoutes } from './routes.ts';
import { friends, profiles as rows } from './tables.ts';

const test = serverTest((app, platform) => profileRoutes(app, platform))
  .extend('ana', ({ database }) =>
    insertMember(database, {
      name: 'Ana',
      phoneNumber: '0917 123',
      birthDate: '2000-02-03',
    }),
  )
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben' }))
  .extend('stored', { scope: 'file' }, ({ database }) => async (member: Member) => {
    const [row] = await database.select().from(rows).where(eq(rows.id, member.profileId));
    return row;
  })
  .extend(
    'numberOf',
    { scope: 'file' },
    ({ stored }) =>
      async (member: Member) =>
        (await stored(member))?.phoneNumber,
  )
  .extend(
    'change',
    { scope: 'file' },
    ({ server }) =>
      (who: Member, phoneNumber: string) =>
        server.call(who, profiles.updateAbout, { body: { ...about, phoneNumber } }),
  )
  .extend('delayOf', { scope: 'file' }, ({ connection }) => async (member: Member) => {
    const [row] =
      await connection.sql`select extract(epoch from payout_number_from - updated_at)::int as seconds from profiles where id = ${member.profileId}`;
    return row?.seconds;
  });

const privateFields = [
  'email',
  'phoneNumber',
  'bDay',
  'sentVerifiedReq',
  'sharesPosts',
  'limitedPlan',
  'totalPlan',
  'totalInteraction',
];
const about = {
  bio: 'Hello',
  gender: 'Female',
  lookingFor: 'friends',
  hobby: 'hiking',
  workingAs: 'Nurse',
  education: 'UP',
  birthDate: '2001-05-06',
  phoneNumber: '',
};

describe('reading', () => {
  test('one’s own profile starts with these values (§9-start-values, §3-user-profile)', async ({
    database,
    server,
  }) => {
    const cora = await insertMember(database, { name: 'Cora' });
    expect((await server.call(cora, profiles.get, { params: { id: cora.profileId } })).reply).toMatchObject({
      username: 'User025',
      email: cora.email,
      limitedPlan: 5,
      totalPlan: 0,
      totalInteraction: 0,
      verified: null,
      picture: { imageId: null, imageUrl: '/v1/avatars/initials?name=Cora' },
    });
  });

  test('decisions §2: nobody else gets e-mail, phone, birth date or counts, by any call', async ({
    database,
    server,
    ana,
    ben,
  }) => {
    const admin = await insertMember(database, { admin: true });
    for (const who of [ben, admin]) {
      const { reply } = await server.call(who, profiles.get, { params: { id: ana.profileId } });
      for (const field of privateFields) expect(reply).not.toHaveProperty(field);
    }
    const people = (await server.call(ben, profiles.people, { query: { search: 'Ana' } })).reply.items;
    expect(people.length).toBeGreaterThan(0);
    for (const person of people) for (const field of privateFields) expect(person).not.toHaveProperty(field);
  });

  test('a member that is not there', async ({ server, ana }) => {
    const { status, problem } = await server.call(ana, profiles.get, { params: { id: 'nobody' } });
    expect([status, problem.type]).toEqual([404, 'profile_not_found']);
  });
});

describe('people (§7)', () => {
  test('20 a page by last update, without oneself, each once (§7-list-users)', async ({
    database,
    server,
    ana,
  }) => {
    await Promise.all(Array.from({ length: 25 }, () => insertMember(database)));
    await database.update(rows).set({ updatedAt: new Date() });
    const first = (await server.call(ana, profiles.people)).reply;
    expect(first.items).toHaveLength(20);
    const seen = first.items.map(({ id }) => id);
    for (let cursor = first.next; cursor; ) {
      const page = (await server.call(ana, profiles.people, { query: { cursor } })).reply;
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength((await database.$count(rows)) - 1);
    expect(seen).not.toContain(ana.profileId);
  });

  test('search finds by name, username and hobby, whatever the accents and the case; every word counts (§7-search-users)', async ({
    database,
    server,
    ana,
  }) => {
    await insertMember(database, { name: 'José Zurita', username: 'joz', hobby: 'free diving, reefs' });
    await insertMember(database, { name: 'zurich', username: 'zzz', hobby: 'chess' });
    await insertMember(database, { name: 'Reef Santos', username: 'reef' });
    for (const [search, names] of [
      ['zur', ['José Zurita', 'zurich']],
      ['ZURITA', ['José Zurita']],
      ['jose z', ['José Zurita']],
      ['chess zzz', ['zurich']],
      ['reef', ['Reef Santos', 'José Zurita']],
      ['urich', []],
      ['%zur_', ['José Zurita', 'zurich']],
      ['&', []],
    ] as const) {
      const { items, next } = (await server.call(ana, profiles.people, { query: { search } })).reply;
      const people = items.map(({ name }) => name);
      expect(names.length === 2 && names[0] === 'Reef Santos' ? people : people.sort(), search).toEqual([
        ...names,
      ]);
      expect(next).toBeNull();
    }
    expect(
      (await server.call(ana, profiles.people, { query: { search: 'Ana' } })).reply.items,
    ).not.toContainEqual(expect.objectContaining({ id: ana.profileId }));
  });

  test('an empty search is none; one that is too long is refused', async ({ server, ana }) => {
    const all = (await server.call(ana, profiles.people)).reply;
    expect((await server.call(ana, profiles.people, { query: { search: ' ' } })).reply).toEqual(all);
    const { status, problem } = await server.call(ana, profiles.people, {
      query: { search: 'x'.repeat(101) },
    });
    expect([status, problem.fields]).toEqual([400, { search: 'Must be at most 100 characters.' }]);
  });
});

describe('changing (§5, §6)', () => {
  test('the About section is changed, and everybody is told what everybody may know (§7-update-about, §6-owner)', async ({
    platform,
    server,
    ana,
  }) => {
    const { reply } = await server.call(ana, profiles.updateAbout, {
      body: { ...about, phoneNumber: '+63 917 000' },
    });
    expect(reply).toMatchObject({
      bio: 'Hello',
      workingAs: 'Nurse',
      education: 'UP',
      bDay: '2001-05-06',
      phoneNumber: '+63 917 000',
      email: ana.email,
    });
    const event = platform.announced.at(-1);
    expect(event).toMatchObject({
      collection: 'users',
      id: ana.profileId,
      change: 'update',
      audience: 'members',
    });
    for (const field of privateFields) expect(event?.document).not.toHaveProperty(field);
    expect(platform.viewersChanged.at(-1)).toBe(ana.accountId);
  });

  test('§6 a phone number lets waiting payouts be looked at anew; the rest of the form does not', async ({
    platform,
    server,
    ben,
  }) => {
    const before = (await platform.jobs('payments.payoutsOf')).length;
    await server.call(ben, profiles.updateAbout, { body: about });
    expect(await platform.jobs('payments.payoutsOf')).toHaveLength(before);
    await server.call(ben, profiles.updateAbout, { body: { ...about, phoneNumber: '0917' } });
    await server.call(ben, profiles.updateAbout, { body: { ...about, phoneNumber: '0918' } });
    await server.call(ben, profiles.updateAbout, { body: { ...about, bio: 'New', phoneNumber: '0918' } });
    const job = { profileId: ben.profileId };
    expect((await platform.jobs('payments.payoutsOf')).slice(before)).toEqual([job, job]);
  });

  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  test.for([
    ['bio', 'a'.repeat(256), 'Must be at most 255 characters.'],
    ['gender', 'a'.repeat(16), 'Must be at most 15 characters.'],
    ['lookingFor', 'a'.repeat(101), 'Must be at most 100 characters.'],
    ['hobby', 'a'.repeat(81), 'Must be at most 80 characters.'],
    ['workingAs', 'a'.repeat(31), 'Must be at most 30 characters.'],
    ['education', 'a'.repeat(31), 'Must be at most 30 characters.'],
    ['phoneNumber', '1'.repeat(31), 'Must be at most 30 characters.'],
    ['phoneNumber', 'call me', 'Must be a phone number'],
    ['birthDate', '1899-12-31', 'Must be on or after 1900-01-01.'],
    ['birthDate', tomorrow, 'Must not be in the future.'],
    ['birthDate', 'yesterday', 'Must be a date'],
    ['birthDate', '2001-02-31', 'Must be a date'],
    ['verified', true, 'is not a field of this call'],
    ['limitedPlan', 99, 'is not a field of this call'],
    ['email', 'other@example.com', 'is not a field of this call'],
    ['accountId', 'other', 'is not a field of this call'],
  ] as const)(
    '%s against its rule is refused and changes nothing (case %#) (§5-profile)',
    async ([field, value, rule], { server, ana, stored }) => {
      const before = await stored(ana);
      const { status, problem } = await server.call(ana, profiles.updateAbout, {
        body: { ...about, [field]: value },
      });
      expect([status, problem.type]).toEqual([400, 'general_argument_invalid']);
      expect(problem.fields).toMatchObject({ [field]: rule });
      expect(await stored(ana)).toEqual(before);
    },
  );

  test('§5 a birth date is set, changed and emptied again while nothing depends on it', async ({
    database,
    server,
  }) => {
    const member = await insertMember(database, { birthDate: null });
    for (const birthDate of ['2002-01-01', '2003-01-01', '']) {
      const { reply } = await server.call(member, profiles.updateAbout, { body: { ...about, birthDate } });
      expect(reply.bDay).toBe(birthDate || null);
    }
  });

  test.for([
    ['while a verification request waits', { sentVerifiedReq: true }],
    ['once verified', { sentVerifiedReq: true, verified: true }],
  ] as const)(
    'decisions §2: the birth date is fixed %s; a missing one can be added, the rest be changed',
    async ([_name, state], { database, server, stored }) => {
      const member = await insertMember(database, { ...state, birthDate: null });
      const send = (birthDate: string) =>
        server.call(member, profiles.updateAbout, { body: { ...about, bio: birthDate, birthDate } });
      expect((await send('2001-01-01')).reply.bDay).toBe('2001-01-01');
      for (const other of ['2000-01-01', '']) {
        const { problem } = await send(other);
        expect(problem).toMatchObject({ code: 409, type: 'profile_birth_date_fixed' });
        expect(problem.fields).toMatchObject({ birthDate: expect.stringContaining('cannot be changed') });
      }
      expect(await stored(member)).toMatchObject({ birthDate: '2001-01-01', bio: '2001-01-01' });
      expect((await send('2001-01-01')).status).toBe(200);
    },
  );

  test('a new picture takes the place of the one before, which is given up', async ({
    platform,
    database,
    server,
    ana,
  }) => {
    const one = await insertPicture(database, { ownerAccountId: ana.accountId });
    const two = await insertPicture(database, { ownerAccountId: ana.accountId });
    await server.call(ana, profiles.updatePicture, { body: { imageId: one } });
    const { reply } = await server.call(ana, profiles.updatePicture, { body: { imageId: two } });
    expect(reply.picture).toMatchObject({ imageId: two, alt: 'Ana' });
    expect(await platform.jobs('files.remove')).toContainEqual({ id: one });
  });

  test("another's upload, or one that is used, is no profile picture", async ({
    database,
    server,
    ana,
    ben,
    stored,
  }) => {
    const before = await stored(ana);
    const theirs = await insertPicture(database, { ownerAccountId: ben.accountId });
    const used = await insertPicture(database, { ownerAccountId: ana.accountId, usedAt: new Date() });
    const document = await insertPicture(database, {
      ownerAccountId: ana.accountId,
      bucket: 'verificationFiles',
    });
    for (const imageId of [theirs, used, document, 'nowhere']) {
      const { problem } = await server.call(ana, profiles.updatePicture, { body: { imageId } });
      expect(problem).toMatchObject({
        type: 'storage_file_not_found',
        fields: { imageId: expect.any(String) },
      });
    }
    expect(await stored(ana)).toEqual(before);
    const [row] = await database.select().from(files).where(eq(files.id, theirs));
    expect(row?.usedAt).toBeNull();
  });
});

test('decisions §1: friendship goes both ways, once', async ({ database, ana, ben }) => {
  await database.transaction(async (transaction) => {
    await befriend(transaction, ana.profileId, ben.profileId);
    await befriend(transaction, ben.profileId, ana.profileId);
  });
  expect(await database.$count(friends, eq(friends.ownerId, ana.profileId))).toBe(1);
  expect(await database.$count(friends, eq(friends.ownerId, ben.profileId))).toBe(1);
});

describe('the phone number that receives payouts', () => {
  test.for([
    ['another', '0918 765 4321'],
    ['none', ''],
  ] as const)(
    'is not changed to %s by a session that showed its password long ago',
    async ([_name, phoneNumber], { ana, numberOf, stored, change }) => {
      const { problem } = await change(withOldPassword(ana), phoneNumber);
      expect(problem).toMatchObject({ type: 'user_recent_password_required', code: 403 });
      expect(await numberOf(ana)).toBe('0917 123');
      expect((await stored(ana))?.bio).toBe('');
      expect((await change(ana, phoneNumber)).status).toBe(200);
    },
  );

  test('is not set for the first time by such a session either', async ({ ben, numberOf, change }) => {
    expect((await change(withOldPassword(ben), '09187654321')).problem.type).toBe(
      'user_recent_password_required',
    );
    expect(await numberOf(ben)).toBe('');
  });

  test('the first one is used at once, and no mail says so', async ({ platform, ben, change, delayOf }) => {
    const mails = (await platform.jobs('accounts.payoutNumberChanged')).length;
    const { reply } = await change(ben, '09187654321');
    expect(reply).toMatchObject({ phoneNumber: '09187654321', payoutNumberFrom: null });
    expect(await delayOf(ben)).toBeNull();
    expect(await platform.jobs('accounts.payoutNumberChanged')).toHaveLength(mails);
  });

  test.for([
    ['another', ['0918 765 4321']],
    ['another after it was removed', ['', '0918 765 4321']],
  ] as const)(
    'a thief cannot have payouts go to %s before 24 hours are over, nor without a mail',
    async ([_name, numbers], { platform, ana, stored, change, delayOf }) => {
      for (const number of numbers) await change(ana, number);
      expect(await delayOf(ana)).toBe(24 * 3600);
      const mail = (await platform.jobs('accounts.payoutNumberChanged')).findLast(
        (payload) => payload.accountId === ana.accountId,
      );
      expect(mail?.from).toBe((await stored(ana))?.payoutNumberFrom?.toISOString());
    },
  );

  test('may be written in another way, and the rest changed, without asking for the password', async ({
    ana,
    numberOf,
    change,
    delayOf,
  }) => {
    expect((await change(withOldPassword(ana), '(0917) 123')).status).toBe(200);
    expect(await numberOf(ana)).toBe('(0917) 123');
    expect(await delayOf(ana)).toBeNull();
  });
});
