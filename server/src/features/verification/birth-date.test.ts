import { randomBytes } from 'node:crypto';
import { latestAdultBirthDate } from '@tara/contract/members/profiles';
import { verification } from '@tara/contract/members/verification';
import { desc, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertMember, type Member, withOldPassword } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { auditLog } from '../audit/tables.ts';
import { profiles } from '../profiles/index.ts';
import { verificationRoutes } from './routes.ts';
import { verifications } from './tables.ts';

const test = serverTest((app, platform) => verificationRoutes(app, platform, randomBytes(32)))
  .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  .extend('ana', ({ database }) => insertMember(database, { birthDate: null, sentVerifiedReq: true }))
  .extend('request', ({ database }) => async (member: Member) => {
    const id = newId();
    await database
      .insert(verifications)
      .values({ id, userId: member.profileId, address: '1 Mabini Street, Cebu' });
    return id;
  })
  .extend('readProfile', { scope: 'file' }, ({ database }) => async (member: Member) => {
    const [profile] = await database.select().from(profiles).where(eq(profiles.id, member.profileId));
    return profile;
  })
  .extend(
    'correct',
    { scope: 'file' },
    ({ server }) =>
      (who: Member, member: Member, birthDate: string) =>
        server.call(who, verification.correctBirthDate, { body: { userId: member.profileId, birthDate } }),
  );

test('decisions §2: an admin sees the birth date beside the ID, and accepts nobody without one (threat-unsafe-meetings)', async ({
  server,
  admin,
  ana,
  request,
  readProfile,
  correct,
}) => {
  const id = await request(ana);
  const pending = async () => (await server.call(admin, verification.pending)).reply.items;
  const accept = () => server.call(admin, verification.accept, { body: { id } });
  expect(await pending()).toMatchObject([{ id, birthDate: null }]);
  expect((await accept()).problem).toMatchObject({ type: 'verification_birth_date_missing', code: 409 });
  expect(await readProfile(ana)).toMatchObject({ verified: null });
  expect(await pending()).toHaveLength(1);
  await correct(admin, ana, '1998-07-19');
  expect(await pending()).toMatchObject([{ id, birthDate: '1998-07-19' }]);
  expect((await accept()).reply).toEqual({ status: 'ok' });
  expect(await readProfile(ana)).toMatchObject({ verified: true, birthDate: '1998-07-19' });
});

test('an admin corrects the date of a verified member: audited, and her sessions read it again', async ({
  database,
  platform,
  admin,
  readProfile,
  correct,
}) => {
  const lia = await insertMember(database, { verified: true, birthDate: '2020-01-01' });
  expect((await correct(admin, lia, '2000-01-01')).reply).toEqual({ status: 'ok' });
  expect(await readProfile(lia)).toMatchObject({ birthDate: '2000-01-01', verified: true });
  const [line] = await database.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
  expect(line).toMatchObject({
    actorAccountId: admin.accountId,
    action: 'verification.correctBirthDate',
    subject: `profile:${lia.profileId}`,
    before: { age: 'plan_under_age' },
    after: { age: true },
  });
  expect(JSON.stringify(line)).not.toContain('2000-01-01');
  expect(platform.viewersChanged).toContain(lia.accountId);
  expect(JSON.stringify(platform.announced.at(-1))).not.toContain('2000-01-01');
});

test('only an admin with a recent password corrects a birth date: of others, and by its rules', async ({
  database,
  admin,
  ana,
  readProfile,
  correct,
}) => {
  const other = await insertMember(database);
  const adult = latestAdultBirthDate();
  expect((await correct(ana, ana, adult)).problem).toMatchObject({ code: 403, type: 'admin_only' });
  expect((await correct(other, ana, adult)).problem).toMatchObject({ code: 403, type: 'admin_only' });
  const old = await correct(withOldPassword(admin), ana, adult);
  expect(old.problem).toMatchObject({ code: 403, type: 'user_recent_password_required' });
  expect((await correct(admin, admin, adult)).problem).toMatchObject({ code: 403, type: 'admin_own_record' });
  const nobody = { ...ana, profileId: 'nobody' };
  expect((await correct(admin, nobody, adult)).problem).toMatchObject({
    code: 404,
    type: 'profile_not_found',
  });
  for (const [birthDate, rule] of [
    ['', 'Must be a date'],
    ['2001-02-31', 'Must be a date'],
    ['1899-12-31', 'Must be on or after 1900-01-01.'],
    ['2999-01-01', 'Must not be in the future.'],
  ] as const) {
    const { problem } = await correct(admin, ana, birthDate);
    expect(problem).toMatchObject({ code: 400, fields: { birthDate: rule } });
  }
  expect(await readProfile(ana)).toMatchObject({ birthDate: null });
});
