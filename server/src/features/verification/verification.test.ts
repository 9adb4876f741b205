import { nowMs } from '@tara/contract/clock';
import { verification } from '@tara/contract/members/verification';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { test } from '../../testing/features/verification.ts';
import { files } from '../files/index.ts';
import { verifications } from './tables.ts';

test.beforeEach(async ({ connection }) => {
  await connection.sql`delete from verifications`;
});

describe('sending (§4, §5)', () => {
  test('the request waits for an admin, and the profile says that it was sent: sentVerifiedReq (§4-verification, §7-create-verification)', async ({
    database,
    platform,
    server,
    ana,
    uploadForm,
    readPending,
    readProfile,
  }) => {
    const form = await uploadForm(ana);
    await server.call(ana, verification.send, { body: form });
    const waiting = await readPending(ana);
    const [stored] = await database.select().from(verifications).where(eq(verifications.id, waiting.id));
    expect(stored).toMatchObject(form);
    expect(waiting).toMatchObject({
      creator: { name: 'Ana' },
      address: '1 Mabini Street, Cebu',
      valid: null,
    });
    expect(await readProfile(ana)).toMatchObject({ sentVerifiedReq: true, verified: null });
    expect(platform.announced).toContainEqual(
      expect.objectContaining({ collection: 'verifying', id: waiting.id, audience: 'admins' }),
    );
    expect(platform.viewersChanged).toContain(ana.accountId);
  });

  test('a second verification request is refused, also at the same moment, and uses no picture', async ({
    database,
    server,
    ana,
    uploadForm,
    countRequests,
  }) => {
    const forms = [await uploadForm(ana), await uploadForm(ana)];
    const answers = await Promise.all(forms.map((body) => server.call(ana, verification.send, { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.problem.type).toBe('verification_already_sent');
    expect(await countRequests(ana)).toBe(1);
    const used = await database.select().from(files).where(eq(files.ownerAccountId, ana.accountId));
    expect(used.filter(({ usedAt }) => usedAt !== null)).toHaveLength(3);
  });

  test('a verified member has nothing to ask', async ({ database, server, uploadForm }) => {
    const vera = await insertMember(database, { verified: true });
    const { problem } = await server.call(vera, verification.send, { body: await uploadForm(vera) });
    expect(problem.type).toBe('verification_already_sent');
  });

  test('a request is its sender’s, whomever the payload names (§6-owner-verification)', async ({
    server,
    ana,
    ben,
    uploadForm,
    countRequests,
  }) => {
    const body = { ...(await uploadForm(ana)), userId: ben.profileId, accountId: ben.accountId };
    expect((await server.call(ana, verification.send, { body })).status).toBe(200);
    expect([await countRequests(ana), await countRequests(ben)]).toEqual([1, 0]);
  });

  test.for([
    ['address under 5', { address: 'abcd' }, 'address', 'Address must be at least 5 characters.'],
    ['address over 100', { address: 'a'.repeat(101) }, 'address', 'Address must be at most 100 characters.'],
    ['no front (§5-verification)', { idFrontId: undefined }, 'idFrontId', expect.any(String)],
    ['no back (§5-verification)', { idBackId: undefined }, 'idBackId', expect.any(String)],
    ['no photo (§5-verification)', { photoId: undefined }, 'photoId', expect.any(String)],
    ['verified at once (mass assignment)', { valid: true }, 'valid', 'is not a field of this call'],
  ] as const)(
    '%s stores nothing',
    async ([_what, change, field, rule], { server, ana, uploadForm, readProfile, countRequests }) => {
      const body = { ...(await uploadForm(ana)), ...change };
      const { status, problem } = await server.call(ana, verification.send, { body });
      expect([status, problem.type]).toEqual([400, 'general_argument_invalid']);
      expect(problem.fields).toMatchObject({ [field]: rule });
      expect(await countRequests(ana)).toBe(0);
      expect(await readProfile(ana)).toMatchObject({ sentVerifiedReq: false });
    },
  );

  test.for([
    ["another's", 'foreign'],
    ['one of the images bucket', 'public'],
    ['an unknown one', 'missing'],
  ] as const)(
    'a picture that is %s is refused, and nothing is stored',
    async ([_what, photo], { database, server, ana, ben, uploadForm, readProfile }) => {
      const photos = {
        foreign: (await uploadForm(ben)).photoId,
        public: await insertPicture(database, { ownerAccountId: ana.accountId }),
        missing: 'nowhere',
      };
      const body = { ...(await uploadForm(ana)), photoId: photos[photo] };
      const { problem } = await server.call(ana, verification.send, { body });
      expect(problem).toMatchObject({
        type: 'storage_file_not_found',
        fields: { photoId: expect.any(String) },
      });
      expect(await readProfile(ana)).toMatchObject({ sentVerifiedReq: false });
    },
  );

  test('a birth date that is sent is saved to the profile, by its rules', async ({
    server,
    ana,
    uploadForm,
    readProfile,
  }) => {
    const form = await uploadForm(ana);
    const send = (birthDate: string) => server.call(ana, verification.send, { body: { ...form, birthDate } });
    expect((await send('2999-01-01')).problem).toMatchObject({
      code: 400,
      fields: { birthDate: 'Must not be in the future.' },
    });
    expect(await readProfile(ana)).toMatchObject({ sentVerifiedReq: false });
    expect((await send('1998-07-19')).status).toBe(200);
    expect(await readProfile(ana)).toMatchObject({ sentVerifiedReq: true, birthDate: '1998-07-19' });
    // The admins have it now.
    expect((await send('1990-01-01')).problem).toMatchObject({ type: 'verification_already_sent' });
    expect(await readProfile(ana)).toMatchObject({ birthDate: '1998-07-19' });
  });

  test('a verification request that names a picture twice is refused', async ({
    server,
    ana,
    uploadForm,
    countRequests,
  }) => {
    const form = await uploadForm(ana);
    const { problem } = await server.call(ana, verification.send, {
      body: { ...form, photoId: form.idFrontId },
    });
    expect(problem.fields).toHaveProperty('photoId');
    expect(await countRequests(ana)).toBe(0);
  });
});

describe('the admin’s list (§6, §7)', () => {
  test('is for admins (§6-admin-verification)', async ({ server, ana, ben, request, readProfile }) => {
    const { id } = await request(ana);
    const calls = [
      server.call(ana, verification.pending),
      server.call(ana, verification.accept, { body: { id } }),
      server.call(ben, verification.decline, { body: { id } }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer.problem.type).toBe('admin_only');
    expect(await readProfile(ana)).toMatchObject({ verified: null, sentVerifiedReq: true });
  });

  test('has the oldest first, 20 a page, each once (§7-list-admin-verification)', async ({
    database,
    server,
    admin,
  }) => {
    const members = await Promise.all(Array.from({ length: 22 }, () => insertMember(database)));
    for (const [index, member] of members.entries()) {
      // Pairs share their moment.
      const createdAt = new Date(nowMs() - 100_000 + Math.floor(index / 2) * 1000);
      await database
        .insert(verifications)
        .values({ id: `v-${member.profileId}`, userId: member.profileId, address: 'somewhere', createdAt });
    }
    // One that was accepted waits no more.
    const { profileId: userId } = await insertMember(database, { verified: true });
    await database
      .insert(verifications)
      .values({ id: 'v-accepted', userId, address: 'somewhere', valid: true });
    const first = (await server.call(admin, verification.pending)).reply;
    const second = (
      await server.call(admin, verification.pending, { query: { cursor: first.next ?? undefined } })
    ).reply;
    expect([first.items.length, second.items.length, second.next]).toEqual([20, 2, null]);
    const times = [...first.items, ...second.items].map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort());
    const people = [...first.items, ...second.items].map(({ creator }) => creator.id);
    expect(people.toSorted()).toEqual(members.map(({ profileId }) => profileId).sort());
  });
});
