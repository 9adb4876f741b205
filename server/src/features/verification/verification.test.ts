import { randomBytes } from 'node:crypto';
import { type VerificationRequest, verification } from '@tara/contract/verification';
import { desc, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { encryptedStore } from '../../platform/files/encrypted.ts';
import { quietLog } from '../../platform/log.ts';
import { insertMember, type Member, withOldPassword } from '../../testing/members.ts';
import { insertPicture, pictureBytes } from '../../testing/pictures.ts';
import { serverTest } from '../../testing/test.ts';
import { auditLog } from '../audit/tables.ts';
import { files, fileTasks } from '../files/index.ts';
import { profiles } from '../profiles/index.ts';
import { verificationTasks } from './expire.ts';
import { linkLifetime, openLinks } from './links.ts';
import { verificationRoutes } from './routes.ts';
import { verifications } from './tables.ts';

const key = randomBytes(32);
const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
const test = serverTest((app, platform) => verificationRoutes(app, platform, key))
  .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben' }))
  /** The three uploads of a request, with bytes. */
  .extend('formOf', { scope: 'file' }, ({ database, platform }) => async (owner: Member) => {
    const documents = encryptedStore(platform.files, key);
    const one = async () => {
      const id = await insertPicture(database, {
        ownerAccountId: owner.accountId,
        bucket: 'verificationFiles',
        variants: [],
      });
      await documents.put(`${id}/original`, await pictureBytes());
      return id;
    };
    return {
      idFrontId: await one(),
      idBackId: await one(),
      photoId: await one(),
      address: '1 Mabini Street, Cebu',
    };
  })
  .extend(
    'pendingOf',
    { scope: 'file' },
    ({ server, admin }) =>
      async (owner: Member): Promise<VerificationRequest> => {
        const page = (await server.call(admin, verification.pending)).reply;
        const request = page.items.find(({ userId }) => userId === owner.profileId);
        if (!request) throw new Error('no request waits');
        return request;
      },
  )
  .extend(
    'request',
    { scope: 'file' },
    ({ server, formOf, pendingOf }) =>
      async (owner: Member): Promise<VerificationRequest> => {
        await server.call(owner, verification.send, { body: await formOf(owner) });
        return pendingOf(owner);
      },
  )
  .extend(
    'linksOf',
    { scope: 'file' },
    ({ server, admin }) =>
      async (id: string) =>
        (await server.call(admin, verification.pictures, { params: { id } })).reply,
  )
  .extend('profileOf', { scope: 'file' }, ({ database }) => async (member: Member) => {
    const [profile] = await database.select().from(profiles).where(eq(profiles.id, member.profileId));
    return profile;
  })
  .extend(
    'countRequests',
    { scope: 'file' },
    ({ database }) =>
      (owner: Member) =>
        database.$count(verifications, eq(verifications.userId, owner.profileId)),
  )
  .extend(
    'lastAudit',
    { scope: 'file' },
    ({ database }) =>
      async () =>
        (await database.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1))[0],
  )
  /** Does the jobs that remove given-up files. */
  .extend('removeReleased', { scope: 'file' }, ({ platform }) => async (): Promise<void> => {
    for (const payload of await platform.jobs('files.remove'))
      await fileTasks(platform)['files.remove'](payload, helpers);
  });

test.beforeEach(async ({ connection }) => {
  await connection.sql`delete from verifications`;
});

describe('sending (§4, §5)', () => {
  test('the request waits for an admin, and the profile says that it was sent (§7-create-verification, §3-verification-request)', async ({
    platform,
    ana,
    request,
    profileOf,
  }) => {
    const waiting = await request(ana);
    expect(waiting).toMatchObject({
      creator: { name: 'Ana' },
      address: '1 Mabini Street, Cebu',
      valid: null,
    });
    expect(await profileOf(ana)).toMatchObject({ sentVerifiedReq: true, verified: null });
    expect(platform.announced).toContainEqual(
      expect.objectContaining({ collection: 'verifying', id: waiting.id, audience: 'admins' }),
    );
    expect(platform.viewersChanged).toContain(ana.accountId);
  });

  test('a second request is refused, also at the same moment, and uses no picture', async ({
    database,
    server,
    ana,
    formOf,
    countRequests,
  }) => {
    const forms = [await formOf(ana), await formOf(ana)];
    const answers = await Promise.all(forms.map((body) => server.call(ana, verification.send, { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.problem.type).toBe('verification_already_sent');
    expect(await countRequests(ana)).toBe(1);
    const used = await database.select().from(files).where(eq(files.ownerAccountId, ana.accountId));
    expect(used.filter(({ usedAt }) => usedAt !== null)).toHaveLength(3);
  });

  test('a verified member has nothing to ask', async ({ database, server, formOf }) => {
    const vera = await insertMember(database, { verified: true });
    const { problem } = await server.call(vera, verification.send, { body: await formOf(vera) });
    expect(problem.type).toBe('verification_already_sent');
  });

  test.for([
    ['address under 5', { address: 'abcd' }, 'address', 'Address must be at least 5 characters.'],
    ['address over 100', { address: 'a'.repeat(101) }, 'address', 'Address must be at most 100 characters.'],
    ['no front', { idFrontId: undefined }, 'idFrontId', expect.any(String)],
    ['no back', { idBackId: undefined }, 'idBackId', expect.any(String)],
    ['no photo', { photoId: undefined }, 'photoId', expect.any(String)],
    ['verified at once (mass assignment)', { valid: true }, 'valid', 'is not a field of this call'],
    ['for another (mass assignment)', { userId: 'x' }, 'userId', 'is not a field of this call'],
  ] as const)(
    '%s stores nothing (§5-verification)',
    async ([_what, change, field, rule], { server, ana, formOf, profileOf, countRequests }) => {
      const body = { ...(await formOf(ana)), ...change };
      const { status, problem } = await server.call(ana, verification.send, { body });
      expect([status, problem.type]).toEqual([400, 'general_argument_invalid']);
      expect(problem.fields).toMatchObject({ [field]: rule });
      expect(await countRequests(ana)).toBe(0);
      expect(await profileOf(ana)).toMatchObject({ sentVerifiedReq: false });
    },
  );

  test.for([
    ["another's", 'foreign'],
    ['one of the images bucket', 'public'],
    ['one that is not there', 'missing'],
  ] as const)(
    'a picture that is %s is refused, and nothing is stored',
    async ([_what, photo], { database, server, ana, ben, formOf, profileOf }) => {
      const photos = {
        foreign: (await formOf(ben)).photoId,
        public: await insertPicture(database, { ownerAccountId: ana.accountId }),
        missing: 'nowhere',
      };
      const body = { ...(await formOf(ana)), photoId: photos[photo] };
      const { problem } = await server.call(ana, verification.send, { body });
      expect(problem).toMatchObject({
        type: 'storage_file_not_found',
        fields: { photoId: expect.any(String) },
      });
      expect(await profileOf(ana)).toMatchObject({ sentVerifiedReq: false });
    },
  );

  test('one picture is not three', async ({ server, ana, formOf, countRequests }) => {
    const form = await formOf(ana);
    const { problem } = await server.call(ana, verification.send, {
      body: { ...form, photoId: form.idFrontId },
    });
    expect(problem.fields).toHaveProperty('photoId');
    expect(await countRequests(ana)).toBe(0);
  });
});

describe('the admin’s list (§6, §7)', () => {
  test('is for admins (§6-admin)', async ({ server, ana, ben, request, profileOf }) => {
    const { id } = await request(ana);
    const calls = [
      server.call(ana, verification.pending),
      server.call(ana, verification.accept, { body: { id } }),
      server.call(ben, verification.decline, { body: { id } }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer.problem.type).toBe('admin_only');
    expect(await profileOf(ana)).toMatchObject({ verified: null, sentVerifiedReq: true });
  });

  test('has the oldest first, 20 a page, each once (§7-list-admin-verification)', async ({
    database,
    server,
    admin,
  }) => {
    const members = await Promise.all(Array.from({ length: 22 }, () => insertMember(database)));
    for (const [at, member] of members.entries()) {
      // Pairs share their moment.
      const createdAt = new Date(Date.now() - 100_000 + Math.floor(at / 2) * 1000);
      await database
        .insert(verifications)
        .values({ id: `v-${member.profileId}`, userId: member.profileId, address: 'somewhere', createdAt });
    }
    const first = (await server.call(admin, verification.pending)).reply;
    const second = (
      await server.call(admin, verification.pending, { query: { cursor: first.next ?? undefined } })
    ).reply;
    expect([first.items.length, second.items.length, second.next]).toEqual([20, 2, null]);
    const times = [...first.items, ...second.items].map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort());
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(22);
  });
});

describe('identity pictures', () => {
  test('an admin sees one by its link; the view is written down; nothing keeps it', async ({
    server,
    admin,
    ana,
    request,
    linksOf,
    lastAudit,
  }) => {
    const { photo } = await linksOf((await request(ana)).id);
    const shown = await server.request(admin, { url: photo });
    expect([shown.statusCode, shown.headers['content-type'], shown.headers['cache-control']]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ]);
    expect(shown.rawPayload).toEqual(await pictureBytes());
    expect(await lastAudit()).toMatchObject({
      actorAccountId: admin.accountId,
      action: 'verification.viewPicture',
      subject: `profile:${ana.profileId}`,
    });
  });

  test('a link opens for nobody else, not changed, and not for long', async ({
    database,
    server,
    admin,
    ana,
    request,
    linksOf,
  }) => {
    const { photo, idFront } = await linksOf((await request(ana)).id);
    const other = await insertMember(database, { admin: true });
    const fileId = photo.split('/').at(-1)?.split('?')[0] ?? '';
    const old = await openLinks(key).make(fileId, admin.accountId, Date.now() - linkLifetime - 1);
    const audits = await database.$count(auditLog);
    const expectRefused = async (who: Member | null, url: string, type: string) => {
      const answer = await server.request(who, { url });
      expect([url.slice(0, 30), answer.json().type]).toEqual([url.slice(0, 30), type]);
    };
    await expectRefused(other, photo, 'storage_file_not_found');
    await expectRefused(admin, old, 'storage_file_not_found');
    await expectRefused(
      admin,
      photo.replace(/until=(\d+)/, 'until=99999999999999'),
      'storage_file_not_found',
    );
    await expectRefused(admin, `${idFront.split('?')[0]}?${photo.split('?')[1]}`, 'storage_file_not_found');
    await expectRefused(admin, photo.split('?')[0] ?? '', 'general_argument_invalid');
    await expectRefused(ana, photo, 'admin_only');
    await expectRefused(null, photo, 'general_unauthorized_scope');
    expect(await database.$count(auditLog)).toBe(audits);
  });

  test('a session that showed its password long ago opens neither the links nor a picture', async ({
    database,
    server,
    admin,
    ana,
    request,
    linksOf,
  }) => {
    const { id } = await request(ana);
    const { photo } = await linksOf(id);
    const stolen = withOldPassword(admin);
    const { problem } = await server.call(stolen, verification.pictures, { params: { id } });
    expect(problem.type).toBe('user_recent_password_required');
    const audits = await database.$count(auditLog);
    const answer = await server.request(stolen, { url: photo });
    expect(answer.json().type).toBe('user_recent_password_required');
    expect(await database.$count(auditLog)).toBe(audits);
  });

  test('links are made for a request that waits, and for no other id', async ({
    server,
    admin,
    ana,
    request,
  }) => {
    const { id } = await request(ana);
    await server.call(admin, verification.decline, { body: { id } });
    const { problem } = await server.call(admin, verification.pictures, { params: { id } });
    expect(problem.type).toBe('verification_not_found');
  });

  test('a good link to a file that belongs to no request shows nothing', async ({
    server,
    admin,
    ana,
    formOf,
  }) => {
    const { photoId } = await formOf(ana);
    const answer = await server.request(admin, { url: await openLinks(key).make(photoId, admin.accountId) });
    expect(answer.json().type).toBe('storage_file_not_found');
  });
});

describe('deciding (§4-verification)', () => {
  test('accepted: the member is verified, the request valid, the decision written down', async ({
    database,
    platform,
    server,
    admin,
    ana,
    request,
    pendingOf,
    profileOf,
    lastAudit,
  }) => {
    const { id } = await request(ana);
    expect((await server.call(admin, verification.accept, { body: { id } })).reply).toEqual({ status: 'ok' });
    expect(await profileOf(ana)).toMatchObject({ verified: true, sentVerifiedReq: true });
    const [row] = await database.select().from(verifications).where(eq(verifications.id, id));
    expect(row?.valid).toBe(true);
    expect(await lastAudit()).toMatchObject({
      action: 'verification.accept',
      subject: `profile:${ana.profileId}`,
      actorAccountId: admin.accountId,
    });
    expect(platform.viewersChanged.at(-1)).toBe(ana.accountId);
    await expect(pendingOf(ana)).rejects.toThrow('no request waits');
  });

  test('declined: the request and its pictures go, and the member may ask again', async ({
    database,
    server,
    admin,
    ana,
    request,
    profileOf,
    countRequests,
    lastAudit,
    removeReleased,
  }) => {
    const { id } = await request(ana);
    expect((await server.call(admin, verification.decline, { body: { id } })).reply).toEqual({
      status: 'ok',
    });
    expect(await profileOf(ana)).toMatchObject({ verified: null, sentVerifiedReq: false });
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
    'of two admins at once one decides (%s first)',
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
    'an admin does not %s the request about their own identity',
    async ([_name, decide], { database, server, admin, request, pendingOf, profileOf }) => {
      const self = await insertMember(database, { admin: true });
      const { id } = await request(self);
      const { problem } = await server.call(self, decide, { body: { id } });
      expect(problem).toMatchObject({ type: 'admin_own_record', code: 403 });
      expect(await profileOf(self)).toMatchObject({ verified: null, sentVerifiedReq: true });
      expect((await pendingOf(self)).valid).toBeNull();
      expect((await server.call(admin, verification.accept, { body: { id } })).status).toBe(200);
    },
  );

  test('30 days after acceptance the pictures go', async ({
    connection,
    database,
    platform,
    server,
    admin,
    ana,
    request,
    linksOf,
    profileOf,
    removeReleased,
  }) => {
    const { id } = await request(ana);
    const { photo } = await linksOf(id);
    await server.call(admin, verification.accept, { body: { id } });
    const expire = verificationTasks(platform)['verification.expire'];
    await expire({}, helpers);
    expect((await server.request(admin, { url: photo })).statusCode).toBe(200);
    await connection.sql`update verifications set accepted_at = now() - interval '31 days' where id = ${id}`;
    await expire({}, helpers);
    await removeReleased();
    expect((await server.request(admin, { url: photo })).statusCode).toBe(404);
    expect(await database.$count(files, eq(files.ownerAccountId, ana.accountId))).toBe(0);
    expect(await profileOf(ana)).toMatchObject({ verified: true });
  });
});
