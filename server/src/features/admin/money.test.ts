import { adminWork } from '@tara/contract/admin';
import { nowMs } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { insertCapture } from '../../testing/features/captures.ts';
import { insertOwed } from '../../testing/features/disbursements.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { disbursements } from '../payments/index.ts';
import { adminRoutes } from './index.ts';

const test = serverTest(adminRoutes)
  .extend('admin', ({ database }) => insertMember(database, { admin: true }))
  .extend('ana', ({ database }) => insertMember(database, { verified: true }))
  .extend('ben', ({ database }) => insertMember(database));

const daysAgo = (days: number) => new Date(nowMs() - days * 86_400_000);

test('sums the money of members by where it is and how long it has been there', async ({
  server,
  database,
  admin,
  ana,
  ben,
}) => {
  const insert = async (state: Parameters<typeof insertInteraction>[2]) =>
    insertInteraction(
      database,
      { creator: ana, client: ben, planId: await insertPlan(database, ana) },
      state,
    );
  const ready = (days: number) => ({ paidAt: daysAgo(days), acceptedAt: daysAgo(days) });
  await insert({ paidAt: daysAgo(0) });
  await insert({ ...ready(20), dayStartsAt: daysAgo(10), priceCentavos: 100_50 });
  await insert({ ...ready(40), userSetDoneAt: daysAgo(2) });
  await insert({ ...ready(3), disputedAt: daysAgo(0) });
  await insert({ ...ready(3), priceCentavos: 0 });
  const over = { userSetDoneAt: daysAgo(2) };
  const owe = async (
    purpose: 'payout' | 'refund',
    state: Parameters<typeof insertInteraction>[2],
    days: number,
    change: Partial<typeof disbursements.$inferInsert> = {},
  ) => {
    const interactionId = await insert(state);
    await insertCapture(database, interactionId, 250_00);
    const id = await insertOwed(database, interactionId, purpose);
    const moments = { createdAt: daysAgo(days), updatedAt: daysAgo(days) };
    await database
      .update(disbursements)
      .set({ ...moments, ...change })
      .where(eq(disbursements.id, id));
  };
  for (const problem of [null, 'The account is closed.'])
    await owe('payout', { ...ready(40), ...over }, 2, { problem });
  const back = ready(20);
  await owe('refund', back, 3);
  await owe('refund', back, 3, { problem: 'It was refused.' });
  await owe('refund', back, 10, { way: 'transfer' });
  const { reply } = await server.call(admin, adminWork.moneyOverview);
  const one = { count: 1, pesos: 250 };
  const two = { count: 2, pesos: 500 };
  const none = { count: 0, pesos: 0 };
  expect(Object.fromEntries(reply.places.map(({ place, ages }) => [place, ages]))).toEqual({
    escrow: { day: one, week: one, month: { count: 1, pesos: 100.5 }, older: one },
    toConfirm: { day: none, week: one, month: none, older: none },
    noAnswer: { day: none, week: { count: 1, pesos: 100.5 }, month: none, older: none },
    disputed: { day: one, week: none, month: none, older: none },
    toPayOut: { day: none, week: two, month: one, older: none },
    failed: { day: none, week: two, month: none, older: none },
  });
  expect(reply.alarms).toEqual([]);
  // Without a platform fee Tara bears what the provider takes.
  expect(reply.losingSale).toEqual({ price: 50_000, earned: 0, cost: 1260 });
  expect((await server.call(ben, adminWork.moneyOverview)).status).toBe(403);
});

test('money is older after a day, a week and 30 days', async ({ server, database, admin, ana, ben }) => {
  const inEscrow = async () => {
    const { reply } = await server.call(admin, adminWork.moneyOverview);
    return Object.values(reply.places[0]?.ages ?? {}).map(({ count }) => count);
  };
  const before = await inEscrow();
  for (const days of [1, 7, 30])
    for (const more of [60_000, -60_000]) {
      const planId = await insertPlan(database, ana);
      const paidAt = new Date(daysAgo(days).getTime() + more);
      await insertInteraction(database, { creator: ana, client: ben, planId }, { paidAt });
    }
  const after = await inEscrow();
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 2, 2, 1]);
});
