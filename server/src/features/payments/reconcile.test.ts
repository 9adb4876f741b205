import { nowDate, nowMs } from '@tara/contract/clock';
import { type Payment, PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import { eq, isNull, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { postponedItems } from '../../platform/jobs/tables.ts';
import { openLog } from '../../platform/log.ts';
import { tasks } from '../../platform/tasks.ts';
import { insertCapture } from '../../testing/features/captures.ts';
import { insertOwed } from '../../testing/features/disbursements.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { paymentTest as test } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture } from '../../testing/features/request-fixture.ts';
import { fulfilled } from '../../testing/features/reviews.ts';
import { test as platformTest } from '../../testing/test.ts';
import { interactions } from '../interactions/index.ts';
import { findNewPayments } from './new-payments.ts';
import { reconcile } from './reconcile.ts';
import { disbursements, providerEvents, providerReads } from './tables.ts';

/** A list that has nothing. */
const none = { list: async () => ({ items: [], hasMore: false }) };

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
  const { client } = fixture.provider;
  const payments = { ...client.payments, list: none.list };
  await reconcile({ ...fixture.context, provider: { ...client, payments } }, { settleSeconds: 0 });
  expect((await requests.row(poisoned)).paidAt).not.toBeNull();
  await fixture.provider.clearFaults();
});

test('of pending payments those that the provider does not know are dropped, and one that cannot be read stays', async ({
  fixture,
}) => {
  await fixture.provider.fault({ kind: 'drop_deliveries' });
  const requests = await openRequestFixture(fixture);
  const [pending, listed] = [await requests.requested(), await requests.requested()];
  await requests.payFor(pending);
  const { client } = fixture.provider;
  const [newest] = (await client.payments.list()).items;
  await requests.payFor(listed);
  const read = { openIds: ['pay_gone', 'pay_broken', 'pay_away', newest?.id ?? ''], readUntil: nowDate() };
  await fixture.database
    .insert(providerReads)
    .values({ list: 'payments', ...read })
    .onConflictDoUpdate({ target: providerReads.list, set: read });
  const failures: Record<string, Error> = {
    pay_broken: new PaymongoError(500, [{ code: 'internal_server_error' }], {}),
    pay_away: new PaymongoUnreachable('timeout', 'GET /v1/payments'),
  };
  const payments: typeof client.payments = {
    ...client.payments,
    list: async (query) => {
      const { items, ...page } = await client.payments.list(query);
      return { ...page, items: items.filter(({ id }) => id !== newest?.id) };
    },
    get: async (paymentId) => {
      const failure = failures[paymentId];
      if (failure) throw failure;
      return client.payments.get(paymentId);
    },
  };
  await findNewPayments({ ...fixture.context, provider: { ...client, payments } });
  for (const id of [pending, listed]) expect((await requests.row(id)).paidAt).not.toBeNull();
  expect((await fixture.database.select().from(providerReads))[0]?.openIds).toEqual([
    'pay_broken',
    'pay_away',
  ]);
  await fixture.database.update(providerReads).set({ openIds: [] });
  await fixture.provider.clearFaults();
});

test('a payment whose time lies ahead does not hide those that come after it', async ({ fixture }) => {
  const secondsNow = () => Math.floor(nowMs() / 1000);
  const all: Payment[] = [];
  const add = (id: string, createdAt: number, reference?: string) =>
    all.unshift({
      ...{ id, type: 'payment' },
      attributes: {
        ...{ amount: 250_00, currency: 'PHP', status: 'paid', fee: 0, net_amount: 250_00 },
        ...{ created_at: createdAt, external_reference_number: reference },
      },
    });
  const { client } = fixture.provider;
  const payments = { ...client.payments, list: async () => ({ items: all, hasMore: false }) };
  const context = { ...fixture.context, provider: { ...client, payments } };
  const readUntil = async () => (await fixture.database.select().from(providerReads))[0]?.readUntil.getTime();
  const requests = await openRequestFixture(fixture);
  // Milliseconds in place of seconds.
  add('pay_ahead', nowMs());
  await findNewPayments(context);
  expect(await readUntil()).toBeLessThanOrEqual(nowMs());
  // As an earlier version stored it.
  await fixture.database.update(providerReads).set({ readUntil: new Date(nowMs() + 3_600_000) });
  const id = await requests.requested();
  add('pay_lost', secondsNow(), (await requests.row(id)).referenceNumber ?? '');
  await findNewPayments(context);
  expect((await requests.row(id)).paidAt).not.toBeNull();
  expect(await readUntil()).toBeLessThanOrEqual(nowMs());
});

const emptyProvider = { disputes: none, payments: none } as never;

platformTest('a payout that an admin sends by hand is not queued again and again', async ({ platform }) => {
  const { database } = platform;
  const creator = await insertMember(database, { verified: true, phoneNumber: '0917 123 4567' });
  const client = await insertMember(database, { verified: true });
  const longAgo = new Date(nowMs() - 3_600_000);
  const owe = async (amountCentavos: number) => {
    const planId = await insertPlan(database, creator);
    const id = await insertInteraction(
      database,
      { creator, client, planId },
      { ...fulfilled, priceCentavos: amountCentavos },
    );
    await insertCapture(database, id, amountCentavos);
    const owed = await insertOwed(database, id, 'payout', amountCentavos);
    await database.update(disbursements).set({ updatedAt: longAgo }).where(eq(disbursements.id, owed));
    return owed;
  };
  const carried = await owe(249_99);
  await owe(250_00);
  const lines: string[] = [];
  const log = openLog({ level: 'error', destination: { write: (line) => void lines.push(line) } });
  const config = { ...platform.config, payoutLimitCentavos: 249_99 };
  const context = { ...platform, log, config, provider: emptyProvider };
  const queued = new Set<unknown>();
  for (let round = 0; round < 10; round++) {
    await reconcile({ ...context, signal: new AbortController().signal }, { settleSeconds: 0 });
    for (const { payload } of await platform.takeJobs()) queued.add(payload.disbursementId);
  }
  expect([...queued]).toEqual([carried]);
  // Nobody does the job of the other one here, which needs a person then.
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ itemId: `disbursement ${carried}` }),
  ]);
  await database.update(disbursements).set({ state: 'void' });
});

platformTest('an event whose job was lost has it again', async ({ platform }) => {
  const { database } = platform;
  const event = { id: 'evt_lost', type: 'payment.paid', payload: {} };
  await database.insert(providerEvents).values(event);
  const { signal } = new AbortController();
  await reconcile({ ...platform, provider: emptyProvider, signal }, { settleSeconds: 0 });
  expect(await platform.jobs(tasks.workProviderEvent.name)).toEqual([{ eventId: event.id }]);
  await platform.takeJobs();
  await database.delete(providerEvents).where(eq(providerEvents.id, event.id));
});

platformTest('steps whose job fails for ever do not keep a newer one from its job', async ({ platform }) => {
  const { database } = platform;
  const { signal } = new AbortController();
  const provider = emptyProvider;
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
  await database
    .update(interactions)
    .set({ cancelledAt: nowDate(), cancelReason: 'withdrawn' })
    .where(isNull(interactions.completedAt));
  await database.update(postponedItems).set({ retryAt: sql`now() - interval '2 hours'` });
  await reconcile({ ...platform, provider, signal });
  expect(await database.$count(postponedItems)).toBe(0);
});

platformTest('a node that leaves asks for no further payment that was pending', async ({ platform }) => {
  const read = { openIds: ['pay_first', 'pay_second'], readUntil: nowDate() };
  await platform.database
    .insert(providerReads)
    .values({ list: 'payments', ...read })
    .onConflictDoUpdate({ target: providerReads.list, set: read });
  const stopping = new AbortController();
  const readIds: string[] = [];
  const get = async (id: string) => {
    readIds.push(id);
    stopping.abort(new Error('the node leaves'));
    return { id, attributes: { status: 'failed' } };
  };
  const provider = { disputes: none, payments: { ...none, get } } as never;
  await expect(reconcile({ ...platform, provider, signal: stopping.signal })).rejects.toThrow('leaves');
  expect(readIds).toEqual(['pay_first']);
  await platform.database.update(providerReads).set({ openIds: [] });
});
