import { nowDate, nowMs } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { interactions } from '../interactions/index.ts';
import { notifications } from '../notifications/index.ts';
import { captureLink } from './capture.ts';
import { workDeadlines } from './deadlines.ts';
import { heldFor } from './ledger.ts';

const dayMs = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(nowMs() - days * dayMs);

const test = paymentTest
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  .extend('move', ({ fixture }) => async (id: string, state: Partial<typeof interactions.$inferInsert>) => {
    await fixture.database.update(interactions).set(state).where(eq(interactions.id, id));
  })
  .extend('read', ({ fixture, requests }) => async (id: string) => {
    const { reply } = await fixture.server.call(requests.client, calls.interaction, { params: { id } });
    return reply;
  })
  .extend('inserted', ({ fixture, requests }) => async (state: Partial<typeof interactions.$inferInsert>) => {
    const planId = await insertPlan(fixture.database, requests.creator);
    return insertInteraction(fixture.database, { ...requests, planId }, state);
  })
  .extend('events', ({ fixture }) => async (id: string) => {
    const rows = await fixture.database
      .select()
      .from(notifications)
      .where(eq(notifications.interactionId, id));
    return rows.map(({ event, occasion, profileId, details }) => ({ event, occasion, profileId, details }));
  });

test.afterEach(({ fixture }) => fixture.provider.clearFaults());

test('both are reminded a day before they meet, once for each day, but not of what was agreed on within that day', async ({
  fixture,
  inserted,
  move,
  events,
}) => {
  const day = (hours: number) => {
    const meetsAt = new Date(nowMs() + hours * 3_600_000);
    const dayStartsAt = new Date(meetsAt.getTime() - 8 * 3_600_000);
    return { meetsAt, meetsUntil: new Date(meetsAt.getTime() + 3_600_000), dayStartsAt };
  };
  const agreed = { paidAt: daysAgo(3), acceptedAt: daysAgo(3) };
  const id = await inserted({ ...agreed, ...day(30), place: 'Luneta' });
  const work = async () => {
    for (let round = 0; round < 2; round++) await workDeadlines(fixture.context);
    return (await events(id)).map(({ event }) => event);
  };
  expect(await work()).toEqual([]);
  await move(id, day(20));
  expect(await work()).toEqual(['upcoming', 'upcoming']);
  expect((await events(id))[0]?.details).toEqual({ day: expect.any(String), place: 'Luneta' });
  await move(id, day(22));
  expect(await work()).toHaveLength(4);
  const others = [
    { acceptedAt: nowDate() },
    { paidAt: nowDate() },
    { cancelledAt: nowDate(), cancelReason: 'cancelled' },
    { userSetDoneAt: nowDate() },
    { disputedAt: nowDate() },
    { frozenAt: nowDate() },
    day(-1),
  ] as const;
  const ids: string[] = [];
  for (const [index, state] of others.entries())
    ids.push(await inserted({ ...agreed, ...day(2 * index + 2), ...state }));
  await work();
  for (const other of ids) expect(await events(other)).toEqual([]);
});

describe('a request whose time is over', () => {
  test('ends when it is not paid, and its link is closed', async ({
    fixture,
    requests,
    inserted,
    move,
    read,
    events,
  }) => {
    const id = await requests.requested();
    // Of one without a link, and of one whose link the provider does not know, nobody paid anything.
    const others = [await inserted({ payUntil: daysAgo(0.1) })];
    others.push(await inserted({ payUntil: daysAgo(0.1), linkId: 'link_none' }));
    const withdrawn = await inserted({
      ...{ payUntil: daysAgo(0.1), cancelledAt: daysAgo(0.2), cancelReason: 'withdrawn' },
    });
    const { createdAt, payUntil, checkoutUrl } = await requests.row(id);
    expect(Number(payUntil) - Number(createdAt)).toBe(7 * dayMs);
    await workDeadlines(fixture.context);
    expect((await read(id)).cancelled).toBe(false);
    await move(id, { payUntil: daysAgo(0.1) });
    fixture.platform.announced.length = 0;
    await Promise.all([workDeadlines(fixture.context), workDeadlines(fixture.context)]);
    expect(await read(id)).toMatchObject({ cancelReason: 'unpaid', money: { state: 'unpaid' } });
    expect(fixture.platform.announced.map((change) => change.id)).toContain(id);
    for (const other of others) {
      expect((await read(other)).cancelReason).toBe('unpaid');
      expect((await events(other)).map(({ event }) => event)).toEqual(['cancelled', 'cancelled']);
    }
    expect((await read(withdrawn)).cancelReason).toBe('withdrawn');
    // Its link is closed: nobody can pay it any more.
    await expect.poll(async () => (await fetch(checkoutUrl ?? '')).status, waitFor).toBe(410);
    expect((await events(id)).filter(({ event }) => event === 'cancelled')).toMatchObject([
      { details: { reason: 'unpaid' } },
      { details: { reason: 'unpaid' } },
    ]);
  });

  test('stays when it was paid in time and every delivery was lost', async ({
    fixture,
    requests,
    move,
    read,
  }) => {
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const id = await requests.requested();
    await requests.payFor(id);
    await move(id, { payUntil: daysAgo(0.1) });
    await workDeadlines(fixture.context);
    expect(await read(id)).toMatchObject({ cancelled: false, paid: true, money: { state: 'held' } });
  });

  test('waits for a provider that cannot be reached', async ({ fixture, requests, move, read }) => {
    const id = await requests.requested();
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/links' });
    await move(id, { payUntil: daysAgo(0.1) });
    await workDeadlines(fixture.context);
    expect((await read(id)).cancelled).toBe(false);
    await fixture.provider.clearFaults();
    await workDeadlines(fixture.context);
    expect((await read(id)).cancelReason).toBe('unpaid');
  });

  test.for(['answer_403', 'answer_429'])(
    'waits for a provider that refuses every call: %s',
    async (kind, { fixture, requests, move, read }) => {
      await fixture.provider.fault({ kind: 'drop_deliveries' });
      const id = await requests.requested();
      await requests.payFor(id);
      await fixture.provider.fault({ kind, path: '/v1/links', delay_ms: 1000 });
      await move(id, { payUntil: daysAgo(0.1) });
      const round = workDeadlines(fixture.context);
      // The job is set back then.
      if (kind === 'answer_429') await expect(round).rejects.toMatchObject({ status: 429 });
      else await round;
      expect((await read(id)).cancelled).toBe(false);
      await fixture.provider.clearFaults();
      // It wants to be left alone for a second.
      const answers = () => fixture.provider.client.links.get('none').catch(({ status }) => status);
      await expect.poll(answers, waitFor).toBe(404);
      await workDeadlines(fixture.context);
      expect(await read(id)).toMatchObject({ cancelled: false, money: { state: 'held' } });
    },
  );

  test('gives a payment back that crosses with its end', async ({ fixture, requests, move, read }) => {
    const id = await requests.requested();
    const { linkId, checkoutUrl } = await requests.row(id);
    // The page of the checkout is open, and the link is closed only afterwards.
    await move(id, { cancelledAt: nowDate(), cancelReason: 'unpaid' });
    expect(await fixture.provider.pay(checkoutUrl ?? '')).toBe(true);
    await captureLink(fixture.context, await fixture.provider.client.links.get(linkId ?? ''));
    await expect.poll(async () => (await read(id)).money.state, waitFor).toBe('refunded');
    expect(await heldFor(fixture.database, id)).toBe(0);
  });

  test('ends with a refund in full when it is paid and not accepted for a week', async ({
    fixture,
    requests,
    inserted,
    read,
    events,
  }) => {
    const id = await requests.paid();
    // A payment is never moved back; this one came a week ago.
    await fixture.sql`alter table interactions disable trigger interactions_forward_only`;
    await fixture.sql`update interactions set paid_at = now() - interval '7 days' where id = ${id}`;
    await fixture.sql`alter table interactions enable trigger interactions_forward_only`;
    const younger = await inserted({ paidAt: daysAgo(6.9) });
    await workDeadlines(fixture.context);
    expect(await read(id)).toMatchObject({ cancelReason: 'unanswered', money: { refund: { amount: 250 } } });
    await expect.poll(async () => (await read(id)).money.state, waitFor).toBe('refunded');
    expect(await heldFor(fixture.database, id)).toBe(0);
    expect((await read(younger)).cancelled).toBe(false);
    expect(await events(id)).toContainEqual(
      expect.objectContaining({
        event: 'cancelled',
        profileId: requests.creator.profileId,
        details: { reason: 'unanswered' },
      }),
    );
  });

  test('ends without money when it is free; not while somebody decides about it', async ({
    fixture,
    inserted,
    read,
  }) => {
    const free = await inserted({ priceCentavos: 0, paidAt: daysAgo(8) });
    const accepted = await inserted({ priceCentavos: 0, paidAt: daysAgo(8), acceptedAt: daysAgo(8) });
    const disputed = await inserted({ paidAt: daysAgo(8), disputedAt: nowDate() });
    const frozen = await inserted({ paidAt: daysAgo(8), frozenAt: nowDate() });
    await workDeadlines(fixture.context);
    expect(await read(free)).toMatchObject({
      cancelReason: 'unanswered',
      money: { state: 'free', refund: null },
    });
    for (const id of [accepted, disputed, frozen]) expect((await read(id)).cancelled).toBe(false);
  });
});

test('reminds the client on days 1, 3 and 6 after the plan’s day, once each, and again for a moved day', async ({
  fixture,
  requests,
  inserted,
  move,
  events,
}) => {
  const id = await inserted({ paidAt: daysAgo(20), acceptedAt: daysAgo(20), dayStartsAt: daysAgo(0.5) });
  const reminded = async () => {
    await workDeadlines(fixture.context);
    await workDeadlines(fixture.context);
    return (await events(id)).filter(({ event }) => event === 'reminder').length;
  };
  expect(await reminded()).toBe(0);
  // The clock moves by moving the day, which is an occasion of its own each time.
  const counts: number[] = [];
  for (const days of [1.1, 2.1, 3.1, 5.1, 6.1]) {
    await move(id, { dayStartsAt: daysAgo(days) });
    counts.push(await reminded());
  }
  expect(counts).toEqual([1, 2, 3, 4, 5]);
  const occasions = (await events(id)).map(({ occasion }) => occasion.replace(/-\d{4}.*/, ''));
  expect(occasions.sort()).toEqual(['day-1', 'day-1', 'day-3', 'day-3', 'day-6']);
  expect((await events(id)).every(({ profileId }) => profileId === requests.client.profileId)).toBe(true);
  await move(id, { dayStartsAt: daysAgo(4), userSetDoneAt: nowDate() });
  expect(await reminded()).toBe(5);
  const agreed = { paidAt: daysAgo(20), acceptedAt: daysAgo(20), dayStartsAt: daysAgo(4) };
  const others: string[] = [];
  for (const state of [
    { cancelledAt: nowDate(), cancelReason: 'cancelled' },
    { disputedAt: nowDate() },
    { frozenAt: nowDate() },
    { paidAt: null },
    { paidAt: daysAgo(4), acceptedAt: null },
  ] as const)
    others.push(await inserted({ ...agreed, ...state }));
  await reminded();
  for (const other of others) expect(await events(other)).toEqual([]);
});
