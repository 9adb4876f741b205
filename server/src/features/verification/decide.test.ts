import { verification } from '@tara/contract/members/verification';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { helpers, test } from '../../testing/features/verification.ts';
import { files } from '../files/index.ts';
import { profiles } from '../profiles/index.ts';
import { verificationTasks } from './requests.ts';
import { verifications } from './tables.ts';

test.beforeEach(async ({ connection }) => {
  await connection.sql`delete from verifications`;
});

describe('deciding', () => {
  test('of both sides of an ID, a photo and an address an admin accepts one member and declines another (§1-verification)', async ({
    server,
    admin,
    ana,
    ben,
    request,
    readPictures,
    readProfile,
  }) => {
    const [first, second] = [await request(ana), await request(ben)];
    expect(first).toMatchObject({ userId: ana.profileId, address: '1 Mabini Street, Cebu', valid: null });
    expect(Object.keys(await readPictures(first.id)).sort()).toEqual(['idBack', 'idFront', 'photo']);
    await server.call(admin, verification.accept, { body: { id: first.id } });
    await server.call(admin, verification.decline, { body: { id: second.id } });
    expect(await readProfile(ana)).toMatchObject({ verified: true });
    expect(await readProfile(ben)).toMatchObject({ verified: null, sentVerifiedReq: false });
  });

  test('accepted: the member is verified, the request valid, the decision written down (§4-verification-accept, §4-verification-accept-request)', async ({
    database,
    platform,
    server,
    admin,
    ana,
    request,
    readPending,
    readProfile,
    lastAudit,
  }) => {
    const { id } = await request(ana);
    expect((await server.call(admin, verification.accept, { body: { id } })).reply).toEqual({ status: 'ok' });
    expect(await readProfile(ana)).toMatchObject({
      verified: true,
      sentVerifiedReq: true,
      verifiedName: 'Ana',
    });
    const [row] = await database.select().from(verifications).where(eq(verifications.id, id));
    expect(row?.valid).toBe(true);
    expect(await lastAudit()).toMatchObject({
      action: 'verification.accept',
      subject: `profile:${ana.profileId}`,
      actorAccountId: admin.accountId,
    });
    expect(platform.viewersChanged.at(-1)).toBe(ana.accountId);
    await expect(readPending(ana)).rejects.toThrow('no request waits');
  });

  test('the member is mailed what was decided, and reads why a request was declined until the next one', async ({
    platform,
    server,
    admin,
    ana,
    request,
    readProfile,
    mails,
  }) => {
    const first = await request(ana);
    await mails();
    const words = { reason: 'unreadable', note: 'The back is <missing>.' } as const;
    await server.call(admin, verification.decline, { body: { id: first.id, ...words } });
    expect(await readProfile(ana)).toMatchObject({ declineReason: words.reason, declineNote: words.note });
    const [declined] = await mails();
    expect(declined).toMatchObject({ to: ana.email, subject: 'Your verification on Tara needs another try' });
    expect(declined?.text).toContain('cut off to be read');
    expect(declined?.text).toContain(`${platform.config.publicUrl}/verifying-identity`);
    expect(declined?.html).toContain('The back is &lt;missing&gt;.');
    const second = await request(ana);
    expect(await readProfile(ana)).toMatchObject({ declineReason: null, declineNote: null });
    await server.call(admin, verification.accept, { body: { id: second.id } });
    expect((await mails()).map(({ to, subject }) => [to, subject])).toEqual([
      [ana.email, 'You are verified on Tara'],
    ]);
  });

  test.for([
    ['words without a reason', { note: 'Hm' }, 'note'],
    ['no words where none of the list fits', { reason: 'other' }, 'note'],
    ['a reason that is not in the list', { reason: 'ugly' }, 'reason'],
    ['too many words', { reason: 'other', note: 'x'.repeat(1001) }, 'note'],
  ] as const)(
    'a decline with %s changes nothing (§5)',
    async ([_what, words, field], { server, admin, ana, request, countRequests }) => {
      const { id } = await request(ana);
      const { status, problem } = await server.call(admin, verification.decline, {
        body: { id, ...words } as never,
      });
      expect([status, Object.keys(problem.fields ?? {})]).toEqual([400, [field]]);
      expect(await countRequests(ana)).toBe(1);
    },
  );

  test('declined: sentVerifiedReq is false (§4-verification-decline) and verified null (§4-verification-decline-verified), the request and its three pictures are deleted, and the member may ask again (§4-verification-decline-request, §4-verification-decline-images, threat-identity-documents)', async ({
    database,
    server,
    admin,
    ana,
    request,
    readProfile,
    countRequests,
    lastAudit,
    removeReleased,
  }) => {
    const { id } = await request(ana);
    expect(await database.$count(files, eq(files.ownerAccountId, ana.accountId))).toBe(3);
    // So that a decline is seen to set it.
    await database.update(profiles).set({ verified: true }).where(eq(profiles.id, ana.profileId));
    expect((await server.call(admin, verification.decline, { body: { id } })).reply).toEqual({
      status: 'ok',
    });
    expect(await readProfile(ana)).toMatchObject({
      ...{ verified: null, sentVerifiedReq: false, declineReason: 'other', declineNote: '' },
    });
    expect(await countRequests(ana)).toBe(0);
    expect(await lastAudit()).toMatchObject({ action: 'verification.decline' });
    await removeReleased();
    expect(await database.$count(files, eq(files.ownerAccountId, ana.accountId))).toBe(0);
    expect((await request(ana)).valid).toBeNull();
  });

  test.for([
    ['accept', verification.accept, verification.decline],
    ['decline', verification.decline, verification.accept],
  ] as const)(
    'with two admins at once one decides (%s first)',
    async ([_name, one, other], { database, server, admin, ana, request }) => {
      const { id } = await request(ana);
      const second = await insertMember(database, { admin: true });
      const answers = await Promise.all([
        server.call(admin, one, { body: { id } }),
        server.call(second, other, { body: { id } }),
        server.call(second, one, { body: { id } }),
      ]);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused.map(({ problem }) => problem.type)).toEqual([
        'verification_not_found',
        'verification_not_found',
      ]);
    },
  );

  test.for([
    ['accept', verification.accept],
    ['decline', verification.decline],
  ] as const)(
    'an admin does not %s the request about their own identity (threat-admin-errors)',
    async ([_name, decide], { database, server, admin, request, readPending, readProfile }) => {
      const self = await insertMember(database, { admin: true });
      const { id } = await request(self);
      const { problem } = await server.call(self, decide, { body: { id } });
      expect(problem).toMatchObject({ type: 'admin_own_record', code: 403 });
      const refusal = async (other: string) =>
        (await server.call(self, decide, { body: { id: other } })).problem.type;
      expect(await refusal('nothing')).toBe('verification_not_found');
      expect(await readProfile(self)).toMatchObject({ verified: null, sentVerifiedReq: true });
      expect((await readPending(self)).valid).toBeNull();
      expect((await server.call(admin, verification.accept, { body: { id } })).status).toBe(200);
      // Decided, it is found no more.
      expect(await refusal(id)).toBe('verification_not_found');
    },
  );

  test('30 days after acceptance the pictures go (threat-identity-documents)', async ({
    connection,
    database,
    platform,
    server,
    admin,
    ana,
    request,
    readPictures,
    readProfile,
    removeReleased,
  }) => {
    const { id } = await request(ana);
    const { photo } = await readPictures(id);
    await server.call(admin, verification.accept, { body: { id } });
    const expire = verificationTasks(platform)['verification.expire'];
    await expire({}, helpers);
    expect((await server.request(admin, { url: photo })).statusCode).toBe(200);
    await connection.sql`update verifications set accepted_at = now() - interval '31 days' where id = ${id}`;
    await expire({}, helpers);
    await removeReleased();
    expect((await server.request(admin, { url: photo })).statusCode).toBe(404);
    expect(await database.$count(files, eq(files.ownerAccountId, ana.accountId))).toBe(0);
    expect(await readProfile(ana)).toMatchObject({ verified: true });
  });
});
