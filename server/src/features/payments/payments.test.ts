import { admin as adminCalls, interactions as calls } from '@tara/contract/interactions';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertMember, type Member } from '../../testing/members.ts';
import { auditLog } from '../audit/tables.ts';
import { interactions } from '../interactions/index.ts';
import { insertPlan } from '../interactions/testing.ts';
import { profiles } from '../profiles/index.ts';
import { heldFor, owedTo } from './ledger.ts';
import { payOutsOf } from './payouts.ts';
import { ledgerTransfers, payouts, providerEvents, refunds } from './tables.ts';
import { startTill, type Till } from './testing.ts';
import { registerWebhook } from './webhook.ts';

let till: Till;
let creator: Member;
let client: Member;
let admin: Member;

beforeAll(async () => {
  till = await startTill();
  admin = await insertMember(till.database, { admin: true });
});
beforeEach(async () => {
  creator = await insertMember(till.database, { verified: true, phoneNumber: '+63 917 123 4567' });
  client = await insertMember(till.database, { verified: true });
});
afterEach(() => till.provider.clearFaults());
afterAll(() => till.close());

const row = async (id: string) => {
  const [found] = await till.database.select().from(interactions).where(eq(interactions.id, id));
  if (!found) throw new Error(`no request ${id}`);
  return found;
};
const transfers = async (id: string) =>
  (await till.database.select().from(ledgerTransfers).where(eq(ledgerTransfers.interactionId, id)))
    .map(({ kind }) => kind)
    .sort();
const step = (who: Member, name: 'acceptRequest' | 'markDone' | 'cancelRequest', interactionId: string) =>
  till.server.call(who, calls[name], { body: { interactionId } });
const confirm = (who: Member, interactionId: string, more: object = {}) =>
  till.server.call(who, adminCalls.confirmPlans, { body: { interactionId, ...more } });
const waitFor = { timeout: 5000, interval: 10 };

/** A request whose payment link is there. */
async function requested(price = 250_00) {
  const planId = await insertPlan(till.database, creator, { priceCentavos: price });
  const { reply } = await till.server.call(client, calls.createInteraction, { body: { planId } });
  if (price > 0) await expect.poll(async () => (await row(reply.id)).checkoutUrl, waitFor).not.toBeNull();
  return reply.id;
}
async function payFor(id: string) {
  expect(await till.provider.pay((await row(id)).checkoutUrl ?? '')).toBe(true);
}
async function paid() {
  const id = await requested();
  await payFor(id);
  await expect.poll(async () => (await row(id)).paidAt, waitFor).not.toBeNull();
  return id;
}
async function fulfilled() {
  const id = await paid();
  await step(creator, 'acceptRequest', id);
  await step(client, 'markDone', id);
  return id;
}
async function paymentEvent(id: string, change: Record<string, unknown> = {}) {
  const { referenceNumber } = await row(id);
  const attributes = {
    amount: 250_00,
    currency: 'PHP',
    fee: 0,
    status: 'paid',
    external_reference_number: referenceNumber,
    created_at: 1,
    updated_at: 1,
    ...change,
  };
  const data = { id: `pay_${id}`, type: 'payment', attributes };
  const event = { type: 'payment.paid', livemode: false, data, previous_data: {}, created_at: 1 };
  return { data: { id: `evt_${id}`, type: 'event', attributes: event } };
}

describe('a payment', () => {
  it('goes from link to capture: held, with the provider’s fee apart, told to both parties', async () => {
    const id = await paid();
    const { reply } = await till.server.call(client, calls.interaction, { params: { id } });
    expect(reply).toMatchObject({ paid: true, checkoutUrl: null, money: { state: 'held', amount: 250 } });
    expect(reply.paymentId).toMatch(/^pay_/);
    expect(reply.webhookId).toMatch(/^hook_/);
    expect(reply.referenceNumber).toMatch(/^\w{7}$/);
    expect(await heldFor(till.database, id)).toBe(250_00);
    const told = till.platform.announced.filter((change) => change.id === id && change.document.paid);
    expect(new Set(told.map(({ audience }) => String(audience)))).toEqual(
      new Set([client.accountId, creator.accountId]),
    );
  });

  it('that fails leaves the request unpaid', async () => {
    const id = await requested();
    expect(await till.provider.pay((await row(id)).checkoutUrl ?? '', '4200000000000018')).toBe(false);
    const { reply } = await till.server.call(client, calls.checkPayment, { body: { interactionId: id } });
    expect(reply).toMatchObject({ paid: false, money: { state: 'unpaid' } });
  });

  it('is found by asking when every delivery is lost', async () => {
    await till.provider.fault({ kind: 'drop_deliveries' });
    const id = await requested();
    await payFor(id);
    const { reply } = await till.server.call(client, calls.checkPayment, { body: { interactionId: id } });
    expect(reply.paid).toBe(true);
    expect(await transfers(id)).toEqual(['capture']);
  });

  it('is found by the reconciler when every delivery is lost and nobody asks', async () => {
    await till.provider.fault({ kind: 'drop_deliveries' });
    const id = await requested();
    await payFor(id);
    await till.reconcile();
    expect((await row(id)).paidAt).not.toBeNull();
  });

  it('is shown as not yet known while the provider is away', async () => {
    const id = await requested();
    await till.provider.fault({ kind: 'answer_500', path: '/v1/links' });
    const { status, reply } = await till.server.call(client, calls.checkPayment, {
      body: { interactionId: id },
    });
    expect([status, reply.paid]).toEqual([200, false]);
  });

  it('is booked once when it is delivered twice, in any order, and asked for besides', async () => {
    await till.provider.fault({ kind: 'duplicate_deliveries' });
    const id = await requested();
    await payFor(id);
    await Promise.all([
      till.server.call(client, calls.checkPayment, { body: { interactionId: id } }),
      till.server.call(creator, calls.checkPayment, { body: { interactionId: id } }),
      till.reconcile(),
    ]);
    await expect.poll(async () => (await row(id)).paidAt, waitFor).not.toBeNull();
    expect(await transfers(id)).toEqual(['capture']);
  });

  it('gets a link although the provider’s first answer was lost', async () => {
    await till.provider.fault({ kind: 'lose_answer', path: '/v1/links', method: 'POST', times: 1 });
    const planId = await insertPlan(till.database, creator);
    const { reply } = await till.server.call(client, calls.createInteraction, { body: { planId } });
    await expect
      .poll(async () => {
        await till.reconcile();
        return (await row(reply.id)).checkoutUrl;
      }, waitFor)
      .not.toBeNull();
  });

  it('is not what the client says it is (mass assignment)', async () => {
    const id = await requested();
    const body = { interactionId: id, paid: true };
    const { problem } = await till.server.call(client, calls.checkPayment, { body });
    expect(problem).toMatchObject({ code: 400, fields: { paid: 'is not a field of this call' } });
    expect((await row(id)).paidAt).toBeNull();
  });

  it('cannot be asked for by a stranger', async () => {
    const stranger = await insertMember(till.database);
    const { problem } = await till.server.call(stranger, calls.checkPayment, {
      body: { interactionId: await requested() },
    });
    expect(problem).toMatchObject({ code: 404, type: 'interaction_not_found' });
  });
});

describe('a delivery moves nothing', () => {
  it.each([
    ['signed with another secret', { secret: 'whsk_guessed' }],
    ['more than 5 minutes old', { aheadMs: -301_000 }],
    ['from the future', { aheadMs: 310_000 }],
    ['whose body was altered after signing', { altered: { data: { id: 'evt_altered' } } }],
  ])('%s', async (_name, forged) => {
    const id = await requested();
    const answer = await till.deliver(await paymentEvent(id), forged);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ type: 'payment_signature_invalid' });
    expect(await till.database.$count(providerEvents, eq(providerEvents.id, `evt_${id}`))).toBe(0);
  });

  it('without a signature', async () => {
    const answer = await till.server.request(null, {
      method: 'POST',
      url: '/api/payment/webhook',
      payload: { data: {} },
    });
    expect(answer.statusCode).toBe(401);
  });

  it.each([
    ['of another amount', { amount: 100_00 }],
    ['in another currency', { currency: 'USD' }],
    ['that failed', { status: 'failed' }],
    ['for another reference', { external_reference_number: 'nothing' }],
    ['for no reference', { external_reference_number: null }],
  ])('although signed: a payment %s', async (_name, change) => {
    const id = await requested();
    expect((await till.deliver(await paymentEvent(id, change))).statusCode).toBe(200);
    const processed = async () =>
      (
        await till.database
          .select()
          .from(providerEvents)
          .where(eq(providerEvents.id, `evt_${id}`))
      )[0]?.processedAt;
    await expect.poll(processed, waitFor).toBeInstanceOf(Date);
    expect((await row(id)).paidAt).toBeNull();
    expect(await transfers(id)).toEqual([]);
  });

  it('a second time under its id', async () => {
    const id = await requested();
    const event = await paymentEvent(id);
    const answers = await Promise.all([till.deliver(event), till.deliver(event), till.deliver(event)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    await expect.poll(async () => (await row(id)).paidAt, waitFor).not.toBeNull();
    expect(await transfers(id)).toEqual(['capture']);
  });

  it('that is signed but unreadable, or holds what no database does: taken, so that the webhook lives', async () => {
    const id = await requested();
    expect((await till.deliver({ nothing: true })).statusCode).toBe(200);
    const odd = await paymentEvent(id, { description: 'a\u0000b\ud800' });
    expect((await till.deliver(odd)).statusCode).toBe(200);
    await expect.poll(async () => (await row(id)).paidAt, waitFor).not.toBeNull();
  });
});

describe('a cancelled request', () => {
  it('closes its link', async () => {
    const id = await requested();
    const { checkoutUrl } = await row(id);
    await step(client, 'cancelRequest', id);
    await expect.poll(async () => (await fetch(checkoutUrl ?? '')).status, waitFor).toBe(410);
  });

  it('gives back what arrives after the cancellation, once, also when the answer to the refund is lost', async () => {
    await till.provider.fault({ kind: 'delay_deliveries', delay_ms: 60_000 });
    await till.provider.fault({ kind: 'lose_answer', path: '/v1/refunds', method: 'POST', times: 1 });
    await till.provider.fault({ kind: 'answer_500', path: '/v1/links/', method: 'POST', times: 1 });
    const id = await requested();
    await payFor(id);
    expect((await step(client, 'cancelRequest', id)).status).toBe(200);
    await expect
      .poll(async () => {
        await till.reconcile();
        return (await row(id)).refundedAt;
      }, waitFor)
      .not.toBeNull();
    expect(await heldFor(till.database, id)).toBe(0);
    const { paymentId } = await row(id);
    const { attributes } = await till.provider.client.payments.get(paymentId ?? '');
    expect(attributes.refunds).toHaveLength(1);
    const { reply } = await till.server.call(client, calls.interaction, { params: { id } });
    expect(reply.money).toMatchObject({ state: 'refunded', amount: 250 });
    expect(await till.database.$count(refunds, eq(refunds.interactionId, id))).toBe(1);
  });
});

describe('the confirmation (§4)', () => {
  it('pays the creator out, raises the counts, and is written to the audit log', async () => {
    const id = await fulfilled();
    const forged = { creatorId: client.profileId, clientId: creator.profileId, id: 'x', id2: 'y' };
    expect((await confirm(admin, id, forged)).reply).toEqual({ status: 'ok' });
    await expect.poll(async () => (await row(id)).paidOutAt, waitFor).not.toBeNull();
    expect(await transfers(id)).toEqual(['capture', 'payout', 'release']);
    expect(await heldFor(till.database, id)).toBe(0);
    expect(await owedTo(till.database, creator.profileId)).toBe(0);
    const counts = async (member: Member) =>
      (await till.database.select().from(profiles).where(eq(profiles.id, member.profileId)))[0];
    expect(await counts(creator)).toMatchObject({ limitedPlan: 6, totalInteraction: 1 });
    expect(await counts(client)).toMatchObject({ limitedPlan: 5, totalInteraction: 1 });
    const [sent, ...more] = await till.provider.client.transfers.findByReference(id);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      amount: 250_00,
      destination_account: { number: '09171234567', bic: 'GXCHPHM2XXX' },
    });
    const [line] = await till.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, `interaction:${id}`));
    expect(line).toMatchObject({ action: 'plan.confirm', actorAccountId: admin.accountId });
  });

  it('happens once of two admins at once; the other learns why not', async () => {
    const second = await insertMember(till.database, { admin: true });
    const id = await fulfilled();
    const answers = await Promise.all([confirm(admin, id), confirm(second, id), confirm(admin, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.problem).toMatchObject({
      type: 'plan_confirm_failed',
      title: 'Failed to confirm plan',
      text: 'This plan is already confirmed.',
    });
    await expect.poll(async () => (await row(id)).paidOutAt, waitFor).not.toBeNull();
    expect(await transfers(id)).toEqual(['capture', 'payout', 'release']);
  });

  it.each([
    ['not fulfilled yet', paid, 409, 'The client has not said that the plan is fulfilled.'],
    ['cancelled', async () => cancelled(), 409, 'This request was cancelled.'],
    ['of no request', async () => 'nothing', 404, undefined],
  ])('is refused: %s', async (_name, make, code, text) => {
    const id = await make();
    const before = await till.database.$count(ledgerTransfers);
    const { problem } = await confirm(admin, id);
    expect(problem).toMatchObject({ code, ...(text === undefined ? {} : { text }) });
    expect(await till.database.$count(ledgerTransfers)).toBe(before);
  });
  async function cancelled() {
    const id = await requested();
    await step(client, 'cancelRequest', id);
    return id;
  }

  it('is an admin’s alone', async () => {
    const id = await fulfilled();
    for (const who of [creator, client]) expect((await confirm(who, id)).problem.type).toBe('admin_only');
    expect((await row(id)).completedAt).toBeNull();
  });

  it('of a free plan moves no money', async () => {
    const id = await requested(0);
    await step(creator, 'acceptRequest', id);
    await step(client, 'markDone', id);
    expect((await confirm(admin, id)).status).toBe(200);
    expect(await transfers(id)).toEqual([]);
    expect(await till.database.$count(payouts, eq(payouts.interactionId, id))).toBe(0);
  });
});

describe('a payout', () => {
  const payoutOf = async (id: string) =>
    (await till.database.select().from(payouts).where(eq(payouts.interactionId, id)))[0];

  it('waits until the creator gives a phone number', async () => {
    creator = await insertMember(till.database, { verified: true });
    const id = await fulfilled();
    await confirm(admin, id);
    await till.reconcile();
    expect(await payoutOf(id)).toMatchObject({ state: 'owed' });
    expect(await owedTo(till.database, creator.profileId)).toBe(250_00);
    await till.database
      .update(profiles)
      .set({ phoneNumber: '0917 765 4321' })
      .where(eq(profiles.id, creator.profileId));
    await payOutsOf(till.money, creator.profileId);
    await expect.poll(async () => (await payoutOf(id))?.state, waitFor).toBe('paid');
  });

  it('leaves once although the answer was lost', async () => {
    await till.provider.fault({ kind: 'lose_answer', path: '/v2/batch_transfers', times: 2 });
    const id = await fulfilled();
    await confirm(admin, id);
    await expect
      .poll(async () => {
        await till.reconcile();
        return (await row(id)).paidOutAt;
      }, waitFor)
      .not.toBeNull();
    expect(await till.provider.client.transfers.findByReference(id)).toHaveLength(1);
    expect(await transfers(id)).toEqual(['capture', 'payout', 'release']);
  });

  it('that the receiver refused is sent again once its number was put right', async () => {
    // The sandbox's account that is not active.
    creator = await insertMember(till.database, { verified: true, phoneNumber: '999999990004' });
    const id = await fulfilled();
    await confirm(admin, id);
    await expect.poll(async () => (await payoutOf(id))?.lastError, waitFor).toContain('inactive');
    expect(await payoutOf(id)).toMatchObject({ state: 'sending', attempt: 2, transferId: null });
    await till.database
      .update(profiles)
      .set({ phoneNumber: '09177654321' })
      .where(eq(profiles.id, creator.profileId));
    await payOutsOf(till.money, creator.profileId);
    await expect.poll(async () => (await payoutOf(id))?.state, waitFor).toBe('paid');
    const sent = await till.provider.client.transfers.findByReference(id);
    expect(sent.map(({ status }) => status).sort()).toEqual(['failed', 'succeeded']);
    expect(await owedTo(till.database, creator.profileId)).toBe(0);
  });
});

describe('the webhook', () => {
  const ours = async () =>
    (await till.provider.client.webhooks.list()).filter(
      ({ attributes }) => attributes.url === till.webhookUrl,
    );

  it('is registered once, however often the server starts', async () => {
    await registerWebhook(till.money, till.webhookUrl);
    await registerWebhook(till.money, till.webhookUrl);
    expect(await ours()).toHaveLength(1);
  });

  it('is enabled again when the provider disabled it', async () => {
    const [webhook] = await ours();
    await till.provider.client.webhooks.disable(webhook?.id ?? '');
    await registerWebhook(till.money, till.webhookUrl);
    expect((await ours())[0]?.attributes.status).toBe('enabled');
  });
});
