import { adminWork } from '@tara/contract/admin';
import { nowDate } from '@tara/contract/clock';
import { isNull } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertCapture } from '../../testing/features/captures.ts';
import { insertOwed } from '../../testing/features/disbursements.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { notifications } from '../notifications/index.ts';
import { unassignedDisputes } from '../payments/index.ts';
import { reports } from '../reports/index.ts';
import { verifications } from '../verification/index.ts';
import { adminRoutes } from './index.ts';
import { notifyWork } from './work.ts';

const test = serverTest(adminRoutes)
  .extend('environment', { scope: 'file' }, { PAYOUTS: 'manual' })
  .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  .extend('ana', { scope: 'file' }, ({ database }) =>
    insertMember(database, { verified: true, phoneNumber: '09171234567' }),
  )
  .extend('ben', { scope: 'file' }, ({ database }) => insertMember(database));

test('counts what waits for an admin, and nothing that is decided', async ({
  server,
  database,
  admin,
  ana,
  ben,
}) => {
  const counts = async () => (await server.call(admin, adminWork.counts)).reply;
  expect(await counts()).toEqual({
    verifications: 0,
    plans: 0,
    reports: 0,
    disputes: 0,
    noAnswer: 0,
    chargebacks: 0,
    unassignedDisputes: 0,
    byHand: 0,
  });
  const address = '12 Mabini Street, Cebu';
  const pending = { id: newId(), userId: ben.profileId, address };
  const accepted = { id: newId(), userId: ana.profileId, address, valid: true, acceptedAt: nowDate() };
  await database.insert(verifications).values([pending, accepted]);
  const snapshot = { title: 'Ben', text: 'Sea', imageUrl: null, createdAt: nowDate().toISOString() };
  const report = { kind: 'post', recordId: newId(), reason: 'spam', memberId: ben.profileId } as const;
  const decided = { decision: 'dismiss', decidedAt: nowDate() } as const;
  await database
    .insert(reports)
    .values([{}, decided, decided].map((decision) => ({ ...report, snapshot, ...decision, id: newId() })));
  const planId = await insertPlan(database, ana);
  const at = nowDate();
  const parties = { creator: ana, client: ben, planId };
  const fulfilled = { paidAt: at, acceptedAt: at, userSetDoneAt: at };
  await insertInteraction(database, parties, fulfilled);
  const newParties = async () => ({ ...parties, planId: await insertPlan(database, ana) });
  await insertInteraction(database, await newParties(), { paidAt: at, disputedAt: at });
  const aWeekAgo = new Date(at.getTime() - 8 * 24 * 3_600_000);
  await insertInteraction(database, await newParties(), {
    paidAt: at,
    acceptedAt: at,
    dayStartsAt: aWeekAgo,
  });
  await insertInteraction(database, parties, { ...fulfilled, adminSetDoneAt: at, completedAt: at });
  const completed = await insertInteraction(database, await newParties(), fulfilled);
  await insertCapture(database, completed, 250_00);
  await insertOwed(database, completed, 'payout');
  const dispute = { amountCentavos: 250_00, disputedAt: at };
  await database.insert(unassignedDisputes).values([
    { ...dispute, id: 'dsp_1' },
    { ...dispute, id: 'dsp_2', state: 'won' },
  ]);
  expect(await counts()).toEqual({
    verifications: 1,
    plans: 1,
    reports: 1,
    disputes: 1,
    noAnswer: 1,
    chargebacks: 0,
    unassignedDisputes: 1,
    byHand: 1,
  });
});

test('are for admins alone', async ({ server, ben }) => {
  const { status } = await server.call(ben, adminWork.counts);
  expect(status).toBe(403);
});

test('admins are notified of what waits once a day for each list', async ({ database, admin, platform }) => {
  const { profileId } = await insertMember(database);
  const waiting = { id: newId(), userId: profileId, address: '12 Mabini Street, Cebu' };
  await database.insert(verifications).values(waiting);
  const events = async (list: string) =>
    (await database.select().from(notifications))
      .filter(({ recordId }) => recordId === list)
      .map((row) => ({ profileId: row.profileId, event: row.event, details: row.details }));
  const day = new Date('2026-12-01T01:00:00Z');
  for (let round = 0; round < 2; round++) await notifyWork(platform, day);
  const notice = (count: number) => ({
    ...{ profileId: admin.profileId, event: 'workWaits', details: { count: String(count) } },
  });
  const lists = [
    ['verifications', notice(await database.$count(verifications, isNull(verifications.valid)))],
    ['byHand', notice(1)],
  ] as const;
  for (const [list, one] of lists) expect(await events(list)).toEqual([one]);
  // Nothing waits in this one.
  expect(await events('chargebacks')).toEqual([]);
  await notifyWork(platform, new Date('2026-12-02T01:00:00Z'));
  for (const [list, one] of lists) expect(await events(list)).toEqual([one, one]);
});
