import { nowDate } from '@tara/contract/clock';
import type { PaymentLink } from '@tara/paymongo';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { waitFor } from '../../testing/features/request-fixture.ts';
import { test } from '../../testing/test.ts';
import { interactions } from '../interactions/index.ts';
import { captureLink } from './capture.ts';
import { readPayment } from './read-payment.ts';
import { capturedPayments } from './tables.ts';

test('a payment that was booked without its id gets it once, also when it is read and captured at the same time', async ({
  platform,
}) => {
  const { database } = platform;
  const creator = await insertMember(database, { verified: true });
  const client = await insertMember(database, { verified: true });
  const planId = await insertPlan(database, creator);
  const state = { linkId: 'link_1', paidAt: nowDate() };
  const interactionId = await insertInteraction(database, { creator, client, planId }, state);
  const paymentId = `link-${interactionId}`;
  await database.insert(capturedPayments).values({ id: paymentId, interactionId, amountCentavos: 250_00 });
  const attributes = { amount: 250_00, currency: 'PHP', fee: 0, net_amount: 250_00, status: 'paid' };
  const payment = { id: 'pay_1', type: 'payment', attributes };
  const link = { id: 'link_1', status: 'paid', payments: [payment] } as unknown as PaymentLink;
  const context = { ...platform, provider: { links: { get: async () => link } } as never };
  const waiting = (count: number) =>
    expect
      .poll(async () => {
        const rows = await database.execute(sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return rows.length;
      }, waitFor)
      .toBe(count);
  // Both come while another one has the request: first who captures it, then who reads it.
  const both = await database.transaction(async (transaction) => {
    await transaction.execute(sql`select from interactions where id = ${interactionId} for update`);
    const captured = captureLink(context, link);
    await waiting(1);
    const read = readPayment(context, { paymentId, interactionId });
    await waiting(2);
    return { captured, read };
  });
  expect(await Promise.allSettled([both.captured, both.read])).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: payment },
  ]);
  const rows = await database
    .select({ id: capturedPayments.id, own: interactions.paymentId })
    .from(capturedPayments)
    .innerJoin(interactions, eq(interactions.id, capturedPayments.interactionId));
  expect(rows).toEqual([{ id: 'pay_1', own: 'pay_1' }]);
});
