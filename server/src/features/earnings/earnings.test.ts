import { nowDate } from '@tara/contract/clock';
import { earnings as calls } from '@tara/contract/money/earnings';
import { expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { earningsRoutes } from './index.ts';

const test = serverTest(earningsRoutes)
  .extend('creator', ({ database }) => insertMember(database, { verified: true }))
  .extend('client', ({ database }) => insertMember(database, { verified: true }))
  .extend(
    'insert',
    ({ database, creator, client }) =>
      async (planTitle: string, state: Parameters<typeof insertInteraction>[2]) => {
        const planId = await insertPlan(database, creator, { title: planTitle });
        await insertInteraction(database, { creator, client, planId }, { planTitle, ...state });
        return planId;
      },
  )
  .extend(
    'read',
    ({ server, creator }) =>
      async (who = creator) =>
        (await server.call(who, calls.get)).reply,
  );

/** Noon in Manila on the 15th, so many months ago. */
function monthsAgo(count: number): Date {
  const now = nowDate();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 15, 4));
}
const monthOf = (at: Date) => at.toISOString().slice(0, 7);

const accepted = { acceptedAt: monthsAgo(3) };
const done = (at: Date) => ({ userSetDoneAt: at, adminSetDoneAt: at, completedAt: at });

test('counts what is held, earned and paid out in the month of each, less the platform fee', async ({
  insert,
  read,
}) => {
  const [paidAt, completedAt, paidOutAt] = [monthsAgo(3), monthsAgo(2), monthsAgo(1)];
  const state = { ...accepted, paidAt, releasedCentavos: 250_00, platformFeeBasisPoints: 1_000 };
  const planId = await insert('Coffee', { ...state, ...done(completedAt), paidOutAt });
  const held = await insert('Surfing', { paidAt, priceCentavos: 900_00, platformFeeBasisPoints: 500 });
  const row = { planId, planTitle: 'Coffee', held: 0, earned: 0, paidOut: 0 };
  expect(await read()).toEqual({
    rows: [
      { ...row, month: monthOf(paidOutAt), paidOut: 225 },
      { ...row, month: monthOf(completedAt), earned: 225 },
      { ...row, month: monthOf(paidAt), planId: held, planTitle: 'Surfing', held: 855 },
    ],
    totals: { held: 855, earned: 225, paidOut: 225, onTheWay: 0 },
  });
});

test('counts of a split only what was released, and nothing of what goes back', async ({ insert, read }) => {
  const at = monthsAgo(1);
  const split = { releasedCentavos: 100_00, refundCentavos: 150_00 };
  await insert('Coffee', { ...accepted, paidAt: at, ...done(at), ...split });
  await insert('Hiking', { paidAt: at, cancelledAt: at, refundCentavos: 250_00 });
  await insert('Free walk', { paidAt: at, priceCentavos: 0 });
  const { rows, totals } = await read();
  expect(rows).toHaveLength(1);
  expect(totals).toEqual({ held: 0, earned: 100, paidOut: 0, onTheWay: 100 });
});

test('counts nothing as earned, or on its way, that the card issuer took back', async ({ insert, read }) => {
  const at = monthsAgo(1);
  const state = { ...accepted, paidAt: at, releasedCentavos: 250_00, chargedBackAt: at };
  await insert('Coffee', { ...state, ...done(at) });
  expect((await read()).totals).toEqual({ held: 0, earned: 0, paidOut: 0, onTheWay: 0 });
});

test('lists 24 months, and counts older ones in the totals', async ({ insert, read }) => {
  await insert('Old', {
    ...accepted,
    paidAt: monthsAgo(30),
    ...done(monthsAgo(24)),
    releasedCentavos: 250_00,
  });
  await insert('Newer', {
    ...accepted,
    paidAt: monthsAgo(30),
    ...done(monthsAgo(23)),
    releasedCentavos: 250_00,
  });
  const { rows, totals } = await read();
  expect(rows.map(({ planTitle }) => planTitle)).toEqual(['Newer']);
  expect(totals.earned).toBe(500);
});

test('shows nobody the earnings of another', async ({ insert, read, client }) => {
  await insert('Coffee', { paidAt: monthsAgo(1) });
  expect(await read(client)).toEqual({ rows: [], totals: { held: 0, earned: 0, paidOut: 0, onTheWay: 0 } });
});
