import type { Call } from '@tara/contract/calls';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { admin as adminCalls } from '@tara/contract/money/confirmations';
import { drawFraction } from '@tara/contract/random';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { interactions } from '../../features/interactions/index.ts';
import type { Answered } from '../server.ts';
import { insertPlan } from './interactions.ts';
import { insertMember, type Member } from './members.ts';
import type { PaymentFixture } from './payment-fixture.ts';

/** What may happen to a request, in any order and also when it makes no sense. */
export const happenings = [
  'pay',
  'payTwice',
  'accept',
  'acceptTwice',
  'fulfil',
  'fulfilTwice',
  'cancel',
  'confirmByTwo',
  'check',
  'redeliver',
  'redeliverForged',
  'reconcile',
] as const;
export type Happening = (typeof happenings)[number];

/** The way on which everything goes well. */
export const goodEnd: readonly Happening[] = ['pay', 'accept', 'fulfil', 'confirmByTwo'];

/** What came of a schedule. */
export interface Outcome {
  id: string;
  price: number;
  /** Whether the hosted page took the client's money. */
  charged: boolean;
  /** Statuses of every answer but those that tell of a provider that is away. */
  statuses: number[];
}

type Answer = Pick<Answered<Call>, 'status' | 'problem'>;

/** Sends a request and lets everything of the schedule happen to it, one after the other. */
export async function live(
  fixture: PaymentFixture,
  admins: readonly Member[],
  schedule: readonly Happening[],
): Promise<Outcome> {
  const { database, server } = fixture;
  const creator = await insertMember(database, { verified: true, phoneNumber: '09171234567' });
  const client = await insertMember(database, { verified: true });
  const price = 100_00 + 25 * schedule.length;
  const planId = await insertPlan(database, creator, { priceCentavos: price });
  const parties = await Promise.all([
    server.call(client, calls.createInteraction, { body: { planId } }),
    server.call(client, calls.createInteraction, { body: { planId } }),
  ]);
  const { reply } = parties.find(({ status }) => status === 200) ?? expect.fail('no request was made');
  const outcome: Outcome = {
    id: reply.id,
    price,
    charged: false,
    statuses: parties.map(({ status }) => status),
  };
  const body = { interactionId: outcome.id };

  const together = async (...answers: Promise<Answer>[]) => {
    for (const answer of await Promise.all(answers)) {
      // Of a provider that is away, as is said to whoever asks for a payment's state.
      const isProviderAway = answer.status === 502 && answer.problem.type === 'payment_link_failed';
      if (!isProviderAway) outcome.statuses.push(answer.status);
    }
  };
  const step = (who: Member, name: 'acceptRequest' | 'markDone' | 'cancelRequest' | 'checkPayment') =>
    server.call(who, calls[name], { body });
  const pay = async (times: number) => {
    const url = await readCheckoutUrl(fixture, outcome.id);
    if (url === null) return;
    const taken = await Promise.all(Array.from({ length: times }, () => fixture.provider.pay(url)));
    outcome.charged ||= taken.some(Boolean);
  };

  const does: Record<Happening, () => Promise<void>> = {
    pay: () => pay(1),
    payTwice: () => pay(2),
    accept: () => together(step(creator, 'acceptRequest')),
    acceptTwice: () => together(step(creator, 'acceptRequest'), step(creator, 'acceptRequest')),
    fulfil: () => together(step(client, 'markDone')),
    fulfilTwice: () => together(step(client, 'markDone'), step(client, 'markDone')),
    cancel: () => together(step(client, 'cancelRequest'), step(creator, 'cancelRequest')),
    confirmByTwo: () =>
      together(...admins.map((admin) => server.call(admin, adminCalls.confirmPlans, { body }))),
    check: () => together(step(client, 'checkPayment'), step(creator, 'checkPayment')),
    redeliver: () => redeliver(fixture, outcome.id, {}),
    redeliverForged: () => redeliver(fixture, outcome.id, { secret: 'whsk_forged' }),
    reconcile: () => fixture.reconcile(),
  };
  for (const happening of schedule) await does[happening]();
  return outcome;
}

/** Where the request can be paid, once its link is made; null when it is over or paid. */
async function readCheckoutUrl(fixture: PaymentFixture, id: string): Promise<string | null> {
  let looks = 0;
  const look = async () => {
    const [row] = await fixture.database.select().from(interactions).where(eq(interactions.id, id));
    if (!row || row.paidAt || row.cancelledAt) return null;
    // A link whose making failed waits for the reconciler; asking it each time would only slow the others.
    if (++looks % 10 === 0) await fixture.reconcile();
    return row.checkoutUrl ?? undefined;
  };
  await expect.poll(look, { timeout: 60_000, interval: 20 }).toBeDefined();
  return (await look()) ?? null;
}

/** Delivers the request's payment once more, under an event id of its own. */
async function redeliver(fixture: PaymentFixture, id: string, forged: { secret?: string }): Promise<void> {
  const [row] = await fixture.database.select().from(interactions).where(eq(interactions.id, id));
  if (!row?.linkId) return;
  const link = await fixture.provider.client.links.get(row.linkId).catch(() => null);
  const payment = link?.payments[0];
  if (!payment) return;
  const attributes = {
    type: 'payment.paid',
    livemode: false,
    data: payment,
    previous_data: {},
    created_at: 1,
  };
  const event = { data: { id: `evt_${drawFraction()}`, type: 'event', attributes } };
  const { statusCode } = await fixture.deliver(event, forged);
  expect(statusCode).toBe(forged.secret ? 401 : 200);
}
