import { randomBytes } from 'node:crypto';
import { type VerificationRequest, verification } from '@tara/contract/members/verification';
import { desc, eq } from 'drizzle-orm';
import { auditLog } from '../../features/audit/tables.ts';
import { fileTasks } from '../../features/files/index.ts';
import { profiles } from '../../features/profiles/index.ts';
import { verificationRoutes } from '../../features/verification/routes.ts';
import { verifications } from '../../features/verification/tables.ts';
import { encryptedStore } from '../../platform/files/encrypted.ts';
import { quietLog } from '../../platform/log.ts';
import { serverTest } from '../test.ts';
import { takeMails } from './mails.ts';
import { insertMember, type Member } from './members.ts';
import { insertPicture, pictureBytes } from './pictures.ts';

/** Encrypts the identity pictures of these tests. */
export const key = randomBytes(32);
/** What a task is given. */
export const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
/** Tests of the identity check: an admin, Ana and Ben, and requests of theirs. */
export const test = serverTest((app, platform) => verificationRoutes(app, platform, key))
  .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben' }))
  /** The three uploads of a request, with bytes. */
  .extend('uploadForm', { scope: 'file' }, ({ database, platform }) => async (owner: Member) => {
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
    'readPending',
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
    ({ server, uploadForm, readPending }) =>
      async (owner: Member): Promise<VerificationRequest> => {
        await server.call(owner, verification.send, { body: await uploadForm(owner) });
        return readPending(owner);
      },
  )
  .extend(
    'readPictures',
    { scope: 'file' },
    ({ server, admin }) =>
      async (id: string) =>
        (await server.call(admin, verification.pictures, { params: { id } })).reply,
  )
  .extend('readProfile', { scope: 'file' }, ({ database }) => async (member: Member) => {
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
  /** The mails that wait, which are taken. */
  .extend(
    'mails',
    { scope: 'file' },
    ({ platform }) =>
      () =>
        takeMails(platform),
  )
  /** Does the jobs that remove given-up files. */
  .extend('removeReleased', { scope: 'file' }, ({ platform }) => async (): Promise<void> => {
    for (const payload of await platform.jobs('files.remove'))
      await fileTasks(platform, key)['files.remove'](payload, helpers);
  });
