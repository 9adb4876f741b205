import { nowDate, nowMs } from '@tara/contract/clock';
import { PaymongoUnreachable } from '@tara/paymongo';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { postponedItems } from '../../platform/jobs/tables.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { paymentTest as test } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture } from '../../testing/features/request-fixture.ts';
import { test as platformTest } from '../../testing/test.ts';
import { interactions } from '../interactions/index.ts';
import { findNewPayments } from './new-payments.ts';
import { reconcile } from './reconcile.ts';
import { providerReads } from './tables.ts';

test('reads the list of payments to what it has read before, and no page further', async ({ fixture }) => {
  const cursors: (string | undefined)[] = [];
  const secondsAgo = (minutesAgo: number) => Math.floor(nowMs() / 1000) - minutesAgo * 60;
  // A payment a minute, of which none is ours.
  const all = Array.from({ length: 250 }, (_, minute) => ({
    ...{ id: `pay_${minute}`, type: 'payment' },
    attributes: { amount: 100, currency: 'PHP', status: 'paid', created_at: secondsAgo(minute) },
  }));
  const { client } = fixture.provider;
  const payments: typeof client.payments = {
    ...client.payments,
    list: async ({ after } = {}) => {
      cursors.push(after);
      const from = all.findIndex(({ id }) => id === after) + 1;
      return { items: all.slice(from, from + 100), hasMore: from + 100 < all.length };
    },
  };
  const context = { ...fixture.context, provider: { ...client, payments } };
  await findNewPayments(context);
  expect(cursors).toEqual([undefined, 'pay_99', 'pay_199']);
  cursors.length = 0;
  await findNewPayments(context);
  expect(cursors).toEqual([undefined]);
});

test('a payment that cannot be booked is tried again, and holds up no other', async ({ fixture }) => {
  await fixture.provider.fault({ kind: 'drop_deliveries' });
  const requests = await openRequestFixture(fixture);
  const [poisoned, other] = [await requests.requested(), await requests.requested()];
  for (const id of [poisoned, other]) await requests.payFor(id);
  await fixture.sql.unsafe(
    `alter table captured_payments add constraint poisoned check (interaction_id <> '${poisoned}')`,
  );
  await fixture.reconcile();
  expect((await requests.row(poisoned)).paidAt).toBeNull();
  expect((await requests.row(other)).paidAt).not.toBeNull();
  await fixture.sql`alter table captured_payments drop constraint poisoned`;
  await fixture.database.update(providerReads).set({ readUntil: new Date(nowMs() + 3_600_000) });
  await fixture.reconcile();
  expect((await requests.row(poisoned)).paidAt).not.toBeNull();
  await fixture.provider.clearFaults();
});

test('a pending payment that cannot be read is left out, and the others are found', async ({ fixture }) => {
  await fixture.provider.fault({ kind: 'drop_deliveries' });
  const requests = await openRequestFixture(fixture);
  const id = await requests.requested();
  await requests.payFor(id);
  const read = { openIds: ['pay_gone', 'pay_away'], readUntil: nowDate() };
  await fixture.database
    .insert(providerReads)
    .values({ list: 'payments', ...read })
    .onConflictDoUpdate({ target: providerReads.list, set: read });
  const { client } = fixture.provider;
  const get: typeof client.payments.get = (paymentId) =>
    paymentId === 'pay_away'
      ? Promise.reject(new PaymongoUnreachable('timeout', 'GET /v1/payments'))
      : client.payments.get(paymentId);
  const provider = { ...client, payments: { ...client.payments, get } };
  await findNewPayments({ ...fixture.context, provider });
  expect((await requests.row(id)).paidAt).not.toBeNull();
  expect((await fixture.database.select().from(providerReads))[0]?.openIds).toEqual(['pay_away']);
  await fixture.database.update(providerReads).set({ openIds: [] });
  await fixture.provider.clearFaults();
});

platformTest('steps whose job fails for ever do not keep a newer one from its job', async ({ platform }) => {
  const { database } = platform;
  const { signal } = new AbortController();
  const none = { list: async () => ({ items: [], hasMore: false }) };
  const provider = { disputes: none, payments: none } as never;
  const creator = await insertMember(database, { verified: true });
  const client = await insertMember(database, { verified: true });
  const insert = async (minutes: number) => {
    const planId = await insertPlan(database, creator);
    const createdAt = new Date(nowMs() - minutes * 60_000);
    return insertInteraction(database, { creator, client, planId }, { createdAt });
  };
  for (let index = 0; index < 100; index++) await insert(60 + index);
  const newer = await insert(5);
  const queued: string[] = [];
  for (let round = 0; round < 3; round++) {
    await reconcile({ ...platform, provider, signal });
    // Nobody does them: each step is still waiting in the next round.
    queued.push(...(await platform.takeJobs()).map(({ payload }) => String(payload.interactionId)));
  }
  expect(queued).toContain(newer);
  expect(queued).toHaveLength(201);
  // An hour later they are done: nothing of them is left in the list of failures.
  await database.update(interactions).set({ cancelledAt: nowDate(), cancelReason: 'withdrawn' });
  await database.update(postponedItems).set({ retryAt: sql`now() - interval '2 hours'` });
  await reconcile({ ...platform, provider, signal });
  expect(await database.$count(postponedItems)).toBe(0);
});
