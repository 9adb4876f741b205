import { nowMs } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { and, eq, isNotNull, ne } from 'drizzle-orm';
import { describe, expect, vi } from 'vitest';
import { listDisbursements } from '../../testing/features/disbursements.ts';
import { insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { notifications } from '../notifications/index.ts';
import { captureLink } from './capture.ts';
import { heldFor } from './ledger.ts';
import { createLink } from './links.ts';
import { disbursements, ledgerEntries, ledgerTransfers, providerEvents, providerReads } from './tables.ts';

const test = paymentTest
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  .extend('paymentEvent', ({ requests }) => async (id: string, change: Record<string, unknown> = {}) => {
    const { referenceNumber } = await requests.row(id);
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
  });

test.afterEach(({ fixture }) => fixture.provider.clearFaults());

describe('a payment', () => {
  test('has a link whose amount is the price times 100, and whose description is the plan’s title (§7-provider-request, §9-minor-units)', async ({
    fixture,
    requests,
  }) => {
    const id = await requests.requested();
    const { linkId, planTitle } = await requests.row(id);
    expect(await fixture.provider.client.links.get(linkId ?? '')).toMatchObject({
      amount: 250_00,
      description: planTitle,
      status: 'unpaid',
    });
  });

  test('that cannot be created is answered with status error and the error of the provider (§8-payment-failure)', async ({
    fixture,
    requests,
  }) => {
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/links', method: 'POST' });
    const planId = await insertPlan(fixture.database, requests.creator);
    const body = { planId };
    const { reply } = await fixture.server.call(requests.client, calls.createInteraction, { body });
    const { problem } = await fixture.server.call(requests.client, calls.checkPayment, {
      body: { interactionId: reply.id },
    });
    expect(problem).toMatchObject({
      ...{ status: 'error', code: 502, type: 'payment_link_failed' },
      text: 'Simulated by a fault.',
    });
  });

  test('of another member’s request is made through a link of the card payment provider (§1-plans-request)', async ({
    fixture,
    requests,
  }) => {
    const id = await requests.requested();
    const read = async (who: Member) =>
      (await fixture.server.call(who, calls.interaction, { params: { id } })).reply;
    const { paid, checkoutUrl } = await read(requests.client);
    expect(paid).toBe(false);
    expect(checkoutUrl).toContain(`${fixture.provider.origin}/`);
    expect((await read(requests.creator)).checkoutUrl).toBeNull();
    expect(await fixture.provider.pay(checkoutUrl ?? '')).toBe(true);
    for (const who of [requests.client, requests.creator])
      await expect.poll(async () => (await read(who)).paid, waitFor).toBe(true);
  });

  test('goes from link to capture: held, with the provider’s fee apart, announced to both parties (§4-interaction-paid, §7-provider-status)', async ({
    fixture,
    requests,
  }) => {
    const id = await requests.paid();
    const { reply } = await fixture.server.call(requests.client, calls.interaction, { params: { id } });
    expect(reply).toMatchObject({ paid: true, checkoutUrl: null, money: { state: 'held', amount: 250 } });
    expect(reply.paymentId).toMatch(/^pay_/);
    expect(reply.webhookId).toMatch(/^hook_/);
    expect(reply.referenceNumber).toMatch(/^\w{7}$/);
    expect(await heldFor(fixture.database, id)).toBe(250_00);
    // It is announced after the commit, which is what was waited for until here.
    await vi.waitFor(() => {
      const events = fixture.platform.announced.filter((change) => change.id === id && change.document.paid);
      expect(new Set(events.map(({ audience }) => String(audience)))).toEqual(
        new Set([requests.client.accountId, requests.creator.accountId]),
      );
    });
  });

  test('is booked with what the provider keeps: its fee and the foreign fee, and the tax that it withheld on them', async ({
    fixture,
    requests,
  }) => {
    const id = await requests.requested();
    await fixture.provider.pay((await requests.row(id)).checkoutUrl ?? '', '4343434343434345');
    await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
    const { attributes } = await fixture.provider.client.payments.get(
      (await requests.row(id)).paymentId ?? '',
    );
    const entries = await fixture.database
      .select({ account: ledgerEntries.account, owner: ledgerEntries.owner, amount: ledgerEntries.amount })
      .from(ledgerEntries)
      .innerJoin(ledgerTransfers, eq(ledgerTransfers.id, ledgerEntries.transferId))
      .where(eq(ledgerTransfers.interactionId, id));
    const amounts = Object.fromEntries(
      entries.map(({ account, owner, amount }) => [account + owner, amount]),
    );
    // 3.5% and ₱15, 1% for a foreign card; of both 2% without VAT are withheld, and owed to the tax office.
    expect(amounts).toEqual({
      ...{ fees: 2375 + 250, tax_withheld: -47, cash: attributes.net_amount },
      [`escrow${id}`]: -250_00,
    });
    expect(attributes.net_amount).toBe(250_00 - 2375 - 250 + 47);
    expect(await heldFor(fixture.database, id)).toBe(250_00);
  });

  test('that fails leaves the request unpaid', async ({ fixture, requests }) => {
    const id = await requests.requested();
    expect(await fixture.provider.pay((await requests.row(id)).checkoutUrl ?? '', '4200000000000018')).toBe(
      false,
    );
    const { reply } = await fixture.server.call(requests.client, calls.checkPayment, {
      body: { interactionId: id },
    });
    expect(reply).toMatchObject({ paid: false, money: { state: 'unpaid' } });
  });

  test('is found by asking when every delivery is lost', async ({ fixture, requests }) => {
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const id = await requests.requested();
    await requests.payFor(id);
    const { reply } = await fixture.server.call(requests.client, calls.checkPayment, {
      body: { interactionId: id },
    });
    expect(reply.paid).toBe(true);
    expect(await requests.transfers(id)).toEqual(['capture']);
  });

  test('is found by the reconciler when every delivery is lost and nobody asks (threat-provider-failures, threat-lost-answers)', async ({
    fixture,
    requests,
  }) => {
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const id = await requests.requested();
    await requests.payFor(id);
    await fixture.reconcile();
    expect((await requests.row(id)).paidAt).not.toBeNull();
  });

  test('is shown as not yet known while the provider is away (threat-provider-failures)', async ({
    fixture,
    requests,
  }) => {
    const id = await requests.requested();
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/links' });
    const { status, reply } = await fixture.server.call(requests.client, calls.checkPayment, {
      body: { interactionId: id },
    });
    expect([status, reply.paid]).toEqual([200, false]);
  });

  test('is booked once when it is delivered twice, in any order, and polled as well (threat-charged-twice)', async ({
    fixture,
    requests,
  }) => {
    await fixture.provider.fault({ kind: 'duplicate_deliveries' });
    const id = await requests.requested();
    await requests.payFor(id);
    await Promise.all([
      fixture.server.call(requests.client, calls.checkPayment, { body: { interactionId: id } }),
      fixture.server.call(requests.creator, calls.checkPayment, { body: { interactionId: id } }),
      fixture.reconcile(),
    ]);
    await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
    expect(await requests.transfers(id)).toEqual(['capture']);
  });

  test('is not what the client says it is (mass assignment) (threat-mass-assignment)', async ({
    fixture,
    requests,
  }) => {
    const id = await requests.requested();
    const body = { interactionId: id, paid: true };
    const { problem } = await fixture.server.call(requests.client, calls.checkPayment, { body });
    expect(problem).toMatchObject({ code: 400, fields: { paid: 'is not a field of this call' } });
    expect((await requests.row(id)).paidAt).toBeNull();
  });

  test('cannot be asked for by a stranger', async ({ fixture, requests }) => {
    const stranger = await insertMember(fixture.database);
    const { problem } = await fixture.server.call(stranger, calls.checkPayment, {
      body: { interactionId: await requests.requested() },
    });
    expect(problem).toMatchObject({ code: 404, type: 'interaction_not_found' });
  });
});

test('a payment for a time that another request holds by then goes back, and both parties learn why', async ({
  fixture,
  requests,
}) => {
  const [first, second] = [await requests.requested(), await requests.requested()];
  await fixture.sql`update interactions set meets_at = now() + interval '3 days',
    meets_until = now() + interval '3 days 2 hours' where id in (${first}, ${second})`;
  await requests.payFor(first);
  await expect.poll(async () => (await requests.row(first)).paidAt, waitFor).not.toBeNull();
  await requests.payFor(second);
  await expect.poll(async () => (await requests.row(second)).refundedAt, waitFor).not.toBeNull();
  expect(await requests.row(second)).toMatchObject({ cancelReason: 'time_taken', refundCentavos: 250_00 });
  expect(await requests.row(first)).toMatchObject({ cancelledAt: null });
  expect(await requests.notified(second)).toEqual([
    ...[
      'cancelled client',
      'cancelled creator',
      'paidTooLate client',
      'refunded client',
      'requested creator',
    ],
  ]);
});

test('a payment that cannot be booked now does not end its request as one whose time is taken', async ({
  fixture,
  requests,
}) => {
  const id = await requests.requested();
  const { linkId } = await requests.row(id);
  await fixture.sql.unsafe(
    `alter table interactions add constraint poisoned
      check (id <> '${id}' or paid_at is null or cancelled_at is not null)`,
  );
  const attributes = { amount: 250_00, currency: 'PHP', fee: 0, net_amount: 250_00, status: 'paid' };
  const payment = { id: `pay_${id}`, type: 'payment', attributes };
  const book = () =>
    captureLink(fixture.context, { id: linkId, status: 'paid', payments: [payment] } as never);
  await expect(book()).rejects.toThrow();
  expect(await requests.row(id)).toMatchObject({ paidAt: null, cancelledAt: null });
  await fixture.sql`alter table interactions drop constraint poisoned`;
  await book();
  expect(await requests.row(id)).toMatchObject({ paymentId: payment.id, cancelledAt: null });
});

describe('a delivery moves nothing (threat-forged-webhooks)', () => {
  test.for([
    ['signed with another secret', { secret: 'whsk_guessed' }],
    ['more than 5 minutes old', { aheadMs: -301_000 }],
    ['from the future', { aheadMs: 310_000 }],
    ['whose body was altered after signing', { altered: { data: { id: 'evt_altered' } } }],
  ] as const)('a delivery %s moves nothing', async ([_name, forged], { fixture, requests, paymentEvent }) => {
    const id = await requests.requested();
    const answer = await fixture.deliver(await paymentEvent(id), forged);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ type: 'payment_signature_invalid' });
    expect(await fixture.database.$count(providerEvents, eq(providerEvents.id, `evt_${id}`))).toBe(0);
  });

  test('a delivery without a signature moves nothing', async ({ fixture }) => {
    const answer = await fixture.server.request(null, {
      method: 'POST',
      url: '/api/payment/webhook',
      payload: { data: {} },
    });
    expect(answer.statusCode).toBe(401);
  });

  test.for([
    ['of another amount', { amount: 100_00 }],
    ['in another currency', { currency: 'USD' }],
    ['that failed', { status: 'failed' }],
    ['for another reference', { external_reference_number: 'nothing' }],
    ['for no reference', { external_reference_number: null }],
  ] as const)(
    'although signed: a payment %s (threat-forged-webhooks)',
    async ([_name, change], { fixture, requests, paymentEvent }) => {
      const id = await requests.requested();
      expect((await fixture.deliver(await paymentEvent(id, change))).statusCode).toBe(200);
      const processed = async () =>
        (
          await fixture.database
            .select()
            .from(providerEvents)
            .where(eq(providerEvents.id, `evt_${id}`))
        )[0]?.processedAt;
      await expect.poll(processed, waitFor).toEqual(expect.any(Date));
      expect((await requests.row(id)).paidAt).toBeNull();
      expect(await requests.transfers(id)).toEqual([]);
    },
  );

  test('a delivery that comes again under its id moves nothing (threat-forged-webhooks)', async ({
    fixture,
    requests,
    paymentEvent,
  }) => {
    const id = await requests.requested();
    const event = await paymentEvent(id);
    const answers = await Promise.all([
      fixture.deliver(event),
      fixture.deliver(event),
      fixture.deliver(event),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
    expect(await requests.transfers(id)).toEqual(['capture']);
  });

  test('that is signed but unreadable: answered 200, and stored once as it came', async ({ fixture }) => {
    const event = { data: { id: 'evt_odd', attributes: { type: 7 } }, more: 'x'.repeat(300_000) };
    const answers = [await fixture.deliver(event), await fixture.deliver(event)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const isUnread = isNotNull(providerEvents.body);
    const [stored, ...more] = await fixture.database.select().from(providerEvents).where(isUnread);
    expect(more).toEqual([]);
    expect(stored?.body?.toString()).toBe(JSON.stringify(event));
    expect(stored?.problem).toContain('data.attributes.type');
  });

  test.for([
    ['without what it is about', 'payment.paid', { id: 'pay_1', type: 'payment', attributes: {} }],
    [
      'about a transfer that is none of Tara’s',
      'transfer.outward.succeeded',
      { id: 'tr_1', type: 'transfer', attributes: { reference_number: 'nothing' } },
    ],
  ] as const)('of an event %s: it is done with', async ([_name, type, data], { fixture }) => {
    const id = `evt_${type}`;
    expect((await fixture.deliver({ data: { id, attributes: { type, data } } })).statusCode).toBe(200);
    const read = async () => {
      const [row] = await fixture.database.select().from(providerEvents).where(eq(providerEvents.id, id));
      return row?.processedAt;
    };
    await expect.poll(read, waitFor).toEqual(expect.any(Date));
  });

  test('that holds what no database does: accepted, so that the webhook stays enabled', async ({
    fixture,
    requests,
    paymentEvent,
  }) => {
    const id = await requests.requested();
    const odd = await paymentEvent(id, { description: 'a\u0000b\ud800' });
    expect((await fixture.deliver(odd)).statusCode).toBe(200);
    await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
  });
});

test('a delivery is read without the fields that the provider may leave out', async ({
  fixture,
  requests,
  paymentEvent,
}) => {
  const id = await requests.requested();
  const { data } = await paymentEvent(id, { created_at: undefined, updated_at: undefined, fee: undefined });
  const { type, data: payment } = data.attributes;
  expect(
    (await fixture.deliver({ data: { id: data.id, attributes: { type, data: payment } } })).statusCode,
  ).toBe(200);
  await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
});

test('a link is paid by a payment with an id, and by nothing else (§7-provider-status)', async ({
  fixture,
  requests,
}) => {
  const id = await requests.requested();
  const { linkId } = await requests.row(id);
  const link = { id: linkId, amount: 250_00, currency: 'PHP' };
  const attributes = { amount: 250_00, currency: 'PHP', fee: 0, net_amount: 250_00, status: 'failed' };
  const failed = { id: `pay_failed${id}`, type: 'payment', attributes };
  const paid = { id: `pay_${id}`, type: 'payment', attributes: { ...attributes, status: 'paid' } };
  for (const [payments, status] of [
    [[], 'unpaid'],
    [[failed], 'unpaid'],
    // It says that it is paid before it names the payment.
    [[], 'paid'],
    [[failed], 'paid'],
  ] as const) {
    await captureLink(fixture.context, { ...link, payments, status } as never);
    expect(await requests.row(id)).toMatchObject({ paidAt: null, paymentId: null });
  }
  for (let times = 0; times < 2; times++)
    await captureLink(fixture.context, { ...link, payments: [failed, paid], status: 'paid' } as never);
  expect((await requests.row(id)).paymentId).toBe(paid.id);
  expect(await requests.transfers(id)).toEqual(['capture']);
  expect(await fixture.database.$count(disbursements, eq(disbursements.interactionId, id))).toBe(0);
});

describe('a second payment, which was begun in another tab', () => {
  /** Opens the page of a wallet for a link, as a payer in another tab; returns how they agree there. */
  const begin = async (checkoutUrl: string | null) => {
    const answer = await fetch(`${checkoutUrl}/gcash`, { method: 'POST', redirect: 'manual' });
    const page = new URL(answer.headers.get('location') ?? '', checkoutUrl ?? '');
    const body = new URLSearchParams({ decision: 'authorize' });
    return async () => void (await fetch(page, { method: 'POST', body, redirect: 'manual' }));
  };

  test('is found in the next round when its events are lost, and goes back', async ({
    fixture,
    requests,
  }) => {
    const id = await requests.requested();
    const authorize = await begin((await requests.row(id)).checkoutUrl);
    await requests.payFor(id);
    await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await authorize();
    const back = () => listDisbursements(fixture.database, id);
    await fixture.reconcile();
    // The refund's own event may be lost as well.
    await expect
      .poll(async () => {
        await fixture.sql`update disbursements set updated_at = now() - interval '2 hours' where interaction_id = ${id}`;
        await fixture.reconcile();
        return (await back()).map(({ state }) => state);
      }, waitFor)
      .toEqual(['arrived']);
    await fixture.provider.clearFaults();
    expect(await heldFor(fixture.database, id)).toBe(250_00);
    expect(await requests.notified(id)).toEqual([
      ...['paid client', 'paid creator', 'paidTooLate client', 'refunded client', 'requested creator'],
    ]);
    const [{ paymentId } = expect.fail()] = await back();
    const about = await fixture.database
      .select({
        event: notifications.event,
        occasion: notifications.occasion,
        details: notifications.details,
      })
      .from(notifications)
      .where(and(eq(notifications.interactionId, id), ne(notifications.occasion, '')))
      .orderBy(notifications.event);
    const details = { amount: '25000', paymentId };
    expect(about).toEqual([
      { event: 'paidTooLate', occasion: paymentId, details },
      { event: 'refunded', occasion: paymentId, details: { ...details, way: 'provider' } },
    ]);
  });

  test('goes back while the card issuer disputes the first one', async ({ fixture, requests }) => {
    const id = await requests.requested();
    const authorize = await begin((await requests.row(id)).checkoutUrl);
    await requests.payFor(id);
    await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
    await fixture.provider.control(`/payments/${(await requests.row(id)).paymentId}/dispute`, {
      names_payment: true,
    });
    const frozenAt = async () => (await requests.row(id)).frozenAt;
    await expect.poll(frozenAt, waitFor).not.toBeNull();
    await authorize();
    const back = async () => (await listDisbursements(fixture.database, id)).map(({ state }) => state);
    await expect.poll(back, waitFor).toEqual(['arrived']);
    expect(await frozenAt()).not.toBeNull();
  });

  test('that stays pending is looked at until it is paid', async ({ fixture, requests }) => {
    const id = await requests.requested();
    const authorize = await begin((await requests.row(id)).checkoutUrl);
    await requests.payFor(id);
    await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await fixture.provider.fault({ kind: 'delay_payment', delay_ms: 4000, times: 1 });
    await authorize();
    await fixture.reconcile();
    const [read] = await fixture.database.select().from(providerReads);
    expect(read?.openIds).toEqual([expect.stringMatching(/^pay_/)]);
    // As if it had been made long before.
    await fixture.database.update(providerReads).set({ readUntil: new Date(nowMs() + 3_600_000) });
    const back = () => fixture.database.$count(disbursements, eq(disbursements.interactionId, id));
    await expect
      .poll(async () => {
        await fixture.reconcile();
        return back();
      }, waitFor)
      .toBe(1);
    await fixture.database.update(providerReads).set({ readUntil: new Date(nowMs() - 3_600_000) });
  });
});

describe('a cancelled request', () => {
  test('closes a link that is made while it is cancelled', async ({ fixture, requests }) => {
    const id = await requests.requested();
    await fixture.sql`update interactions set link_id = null, checkout_url = null where id = ${id}`;
    const { client } = fixture.provider;
    let linkId = '';
    const create: typeof client.links.create = async (order) => {
      const link = await client.links.create(order, `again-${id}`);
      linkId = link.id;
      await requests.step(requests.client, 'cancelRequest', id);
      return link;
    };
    const archived: string[] = [];
    const archive: typeof client.links.archive = (link) => {
      archived.push(link);
      return client.links.archive(link);
    };
    const provider = { ...client, links: { ...client.links, create, archive } };
    await createLink({ ...fixture.context, provider }, id);
    expect(archived).toEqual([linkId]);
  });

  test('closes its link', async ({ requests }) => {
    const id = await requests.requested();
    const { checkoutUrl } = await requests.row(id);
    await requests.step(requests.client, 'cancelRequest', id);
    await expect.poll(async () => (await fetch(checkoutUrl ?? '')).status, waitFor).toBe(410);
  });

  test('gives back what arrives after the cancellation, once, also when the answer to the refund is lost (threat-lost-answers)', async ({
    fixture,
    requests,
  }) => {
    await fixture.provider.fault({ kind: 'delay_deliveries', delay_ms: 60_000 });
    await fixture.provider.fault({ kind: 'lose_answer', path: '/v1/refunds', method: 'POST', times: 1 });
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/links/', method: 'POST', times: 1 });
    const id = await requests.requested();
    await requests.payFor(id);
    expect((await requests.step(requests.client, 'cancelRequest', id)).status).toBe(200);
    await expect
      .poll(async () => {
        await fixture.reconcile();
        return (await requests.row(id)).refundedAt;
      }, waitFor)
      .not.toBeNull();
    expect(await heldFor(fixture.database, id)).toBe(0);
    const { paymentId } = await requests.row(id);
    const { attributes } = await fixture.provider.client.payments.get(paymentId ?? '');
    expect(attributes.refunds).toHaveLength(1);
    const { reply } = await fixture.server.call(requests.client, calls.interaction, { params: { id } });
    expect(reply.money).toMatchObject({ state: 'refunded', amount: 250 });
    expect(await fixture.database.$count(disbursements, eq(disbursements.interactionId, id))).toBe(1);
    expect(await requests.notified(id)).toEqual([
      ...['cancelled creator', 'paidTooLate client', 'refunded client', 'requested creator'],
    ]);
  });
});
