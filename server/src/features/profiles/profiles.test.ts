import { nowDate, nowMs } from '@tara/contract/clock';
import { eachAboutText, profiles } from '@tara/contract/members/profiles';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { serverTest } from '../../testing/test.ts';
import { files } from '../files/index.ts';
import { profileRoutes } from './routes.ts';
import { profiles as rows } from './tables.ts';

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
  test('one’s own profile starts with User025, a picture of its initials, limitedPlan 5, totalPlan 0 and totalInteraction 0 (§9-start-limited-plan, §9-start-total-plan, §9-start-total-interaction, §3-user-profile-username, §3-user-profile-image, §3-user-profile-limited-plan, §3-user-profile-total-plan, §3-user-profile-total-interaction)', async ({
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

  test('decisions §2: nobody else gets email, phone, birth date or counts, by any call (threat-guessed-ids)', async ({
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

  test('an unknown member', async ({ server, ana }) => {
    const { status, problem } = await server.call(ana, profiles.get, { params: { id: 'nobody' } });
    expect([status, problem.type]).toEqual([404, 'profile_not_found']);
  });
});

describe('changing (§5, §6)', () => {
  test('the About section is changed, and announced to everybody as everybody may see it (§7-update-about, §1-profiles, §6-owner)', async ({
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

  test('each text of the About section is stored, and every member reads it (§1-profiles)', async ({
    server,
    ana,
    ben,
  }) => {
    const texts = eachAboutText((name) => `my ${name}`);
    const { reply } = await server.call(ana, profiles.updateAbout, { body: { ...about, ...texts } });
    expect(reply).toMatchObject(texts);
    const params = { id: ana.profileId };
    expect((await server.call(ben, profiles.get, { params })).reply).toMatchObject(texts);
  });

  test('§6 a new phone number retries waiting payouts; the rest of the form does not', async ({
    platform,
    server,
    ben,
  }) => {
    const before = (await platform.jobs('payments.payoutsOf')).length;
    await server.call(ben, profiles.updateAbout, { body: about });
    expect(await platform.jobs('payments.payoutsOf')).toHaveLength(before);
    await server.call(ben, profiles.updateAbout, { body: { ...about, phoneNumber: '0917 123 4567' } });
    await server.call(ben, profiles.updateAbout, { body: { ...about, phoneNumber: '0918 123 4567' } });
    await server.call(ben, profiles.updateAbout, {
      body: { ...about, bio: 'New', phoneNumber: '0918 123 4567' },
    });
    const job = { profileId: ben.profileId };
    expect((await platform.jobs('payments.payoutsOf')).slice(before)).toEqual([job, job]);
  });

  const tomorrow = new Date(nowMs() + 2 * 86_400_000).toISOString().slice(0, 10);
  test.for([
    ['bio', 'a'.repeat(256), 'Must be at most 255 characters.'],
    ['gender', 'a'.repeat(16), 'Must be at most 15 characters.'],
    ['lookingFor', 'a'.repeat(101), 'Must be at most 100 characters.'],
    ['hobby', 'a'.repeat(81), 'Must be at most 80 characters.'],
    ['workingAs', 'a'.repeat(31), 'Must be at most 30 characters.'],
    ['education', 'a'.repeat(31), 'Must be at most 30 characters.'],
    ['phoneNumber', '1'.repeat(31), 'Must be at most 30 characters.'],
    ['birthDate', '1899-12-31', 'Must be on or after 1900-01-01.'],
    ['birthDate', tomorrow, 'Must not be in the future.'],
    ['birthDate', 'yesterday', 'Must be a date'],
    ['birthDate', '2001-02-31', 'Must be a date'],
    ['verified', true, 'is not a field of this call'],
    ['limitedPlan', 99, 'is not a field of this call'],
    ['email', 'other@example.com', 'is not a field of this call'],
    ['accountId', 'other', 'is not a field of this call'],
  ] as const)(
    '%s against its rule is refused and changes nothing (case %#)',
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
    'decisions §2: the birth date is fixed %s; a missing one can be added, the rest be changed (threat-unsafe-meetings)',
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
    const used = await insertPicture(database, { ownerAccountId: ana.accountId, usedAt: nowDate() });
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
