import { nowMs } from '@tara/contract/clock';
import { admin as confirming } from '@tara/contract/money/confirmations';
import { type Payment, PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, vi } from 'vitest';
import {
  freeze,
  listDisbursements,
  readDisbursement,
  sendAttempt,
  unfreeze,
} from '../../testing/features/disbursements.ts';
import { insertMember } from '../../testing/features/members.ts';
import { type PaymentFixture, paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, type RequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { notifications } from '../notifications/index.ts';
import { openMoney } from './admin-money.ts';
import { captureLink } from './capture.ts';
import { recordChargeback } from './chargebacks.ts';
import { disburse, storeEnding, takeTransfer } from './disburse.ts';
import { cash, heldFor, losses, owedTo, readBalance } from './ledger.ts';
import { proveLedger } from './ledger-check.ts';
import { settle } from './settle.ts';
import { chargebacks, disbursements } from './tables.ts';

const price = 250_00;
/** The provider's test accounts: refused, and arriving. */
const [refusing, arriving] = ['999999990002', '999999990001'];

const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture, { phoneNumber: 'none' }))
  .extend('refused', ({ fixture }) => openRequestFixture(fixture, { phoneNumber: refusing }))
  .extend(
    'confirm',
    { scope: 'file' },
    ({ fixture, admin }) =>
      async (interactionId: string) =>
        expect(
          (await fixture.server.call(admin, confirming.confirmPlans, { body: { interactionId } })).status,
        ).toBe(200),
  )
  /** What the provider says of a dispute about a payment. */
  .extend(
    'says',
    { scope: 'file' },
    ({ fixture }) =>
      (
        paymentId: string | null,
        status: 'needs_response' | 'won' | 'lost',
        amount = price,
        id = `dp_${paymentId}`,
      ) =>
        recordChargeback(fixture.context, {
          ...{ id, type: 'dispute' },
          attributes: { amount, status, payment_id: paymentId },
        }),
  )
  .extend('readPayout', { scope: 'file' }, ({ fixture }) => async (id: string) => {
    const rows = await listDisbursements(fixture.database, id);
    return rows.find(({ purpose }) => purpose === 'payout');
  })
  /** What is to go back to the client of a request: of which payment, and how much. */
  .extend('readRefunds', { scope: 'file' }, ({ fixture }) => async (id: string) => {
    const rows = await listDisbursements(fixture.database, id);
    return rows
      .filter(({ purpose, state }) => purpose === 'refund' && state !== 'void')
      .map(({ paymentId, owedCentavos }) => [paymentId, owedCentavos]);
  })
  /** An attempt was sent, and then given up as lost. */
  .extend('giveUp', { scope: 'file' }, ({ fixture }) => async (id: string) => {
    await sendAttempt(fixture.database, id, { reference: `tr_${id}` });
    await fixture.sql`update attempts set state = 'lost', ended_at = now() where disbursement_id = ${id}`;
    await fixture.sql`update disbursements set state = 'owed' where id = ${id}`;
  })
  /** The attempt comes to light. */
  .extend('takeUp', { scope: 'file' }, ({ fixture }) => async (id: string) => {
    await fixture.sql`update attempts set state = 'sent', ended_at = null where disbursement_id = ${id}`;
    await fixture.sql`update disbursements set state = 'sending' where id = ${id}`;
  })
  /** The provider says that the attempt arrived. */
  .extend('arrive', { scope: 'file' }, ({ fixture }) => async (id: string) => {
    const disbursement = await readDisbursement(fixture.database, id);
    await fixture.database.transaction((transaction) =>
      settle(transaction, disbursement, { number: 1, reference: `tr_${id}`, feeCentavos: 0 }),
    );
  })
  /** A request with its payment and a second one, of which the provider knows nothing, so that its refund waits. */
  .extend('payTwice', ({ fixture, requests }) => async () => {
    const id = await requests.paid();
    const { paymentId, linkId } = await requests.row(id);
    const second = `pay_second${id}`;
    const attributes = {
      ...{ amount: price, currency: 'PHP', fee: 0, net_amount: price, status: 'paid' },
      source: { id: 'src_1', type: 'card' },
    };
    const payment = { id: second, type: 'payment', attributes };
    await captureLink(fixture.context, { id: linkId, status: 'paid', payments: [payment] } as never);
    const refund = await requests.outgoing(id, 'refund');
    return { id, paymentId, second, refund: refund?.id ?? '' };
  });

test.afterEach(async ({ fixture }) => {
  expect((await proveLedger(fixture.database)).differences).toEqual([]);
});

test('a lost part of a payout that was not sent leaves the rest to the creator, who reads so', async ({
  fixture,
  requests,
  confirm,
  says,
  readPayout,
}) => {
  const id = await requests.fulfilled();
  await confirm(id);
  const { paymentId } = await requests.row(id);
  const before = await readBalance(fixture.database, cash);
  await says(paymentId, 'lost', 100_00);
  expect(await readPayout(id)).toMatchObject({ owedCentavos: 150_00, state: 'owed' });
  expect(await owedTo(fixture.database, requests.creator.profileId)).toBe(150_00);
  expect(await readBalance(fixture.database, cash)).toBe(
    before - fixture.platform.config.chargebackFeeCentavos,
  );
  const [notice] = (
    await fixture.database.select().from(notifications).where(eq(notifications.interactionId, id))
  ).filter(({ event }) => event === 'chargedBack');
  expect(notice?.details).toEqual({ amount: '10000', rest: '0', earned: '15000', taken: '10000' });
});

describe('of a lost chargeback', () => {
  const chargedBack = async (requests: RequestFixture, id: string) =>
    (await requests.notified(id)).filter((notice) => notice.startsWith('chargedBack'));

  test('both sides are notified, and of the next one of the request again', async ({
    fixture,
    confirm,
    says,
  }) => {
    const requests = await openRequestFixture(fixture);
    const id = await requests.fulfilled();
    await confirm(id);
    await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
    const { paymentId } = await requests.row(id);
    await says(paymentId, 'lost', 100_00, `dp_first${id}`);
    expect(await chargedBack(requests, id)).toEqual(['chargedBack client', 'chargedBack creator']);
    await says(paymentId, 'lost', 50_00, `dp_second${id}`);
    expect(await chargedBack(requests, id)).toEqual([
      ...['chargedBack client', 'chargedBack client', 'chargedBack creator', 'chargedBack creator'],
    ]);
  });

  test('the client alone is notified when the money had gone back before', async ({ requests, says }) => {
    const id = await requests.paid();
    await requests.step(requests.creator, 'cancelRequest', id);
    await expect.poll(async () => (await requests.row(id)).refundedAt, waitFor).not.toBeNull();
    await says((await requests.row(id)).paymentId, 'lost');
    expect(await chargedBack(requests, id)).toEqual(['chargedBack client']);
  });
});

test('a payout whose sending was refused is frozen, and is sent to nobody when the chargeback is lost', async ({
  fixture,
  refused,
  confirm,
  says,
  readPayout,
}) => {
  const id = await refused.fulfilled();
  await confirm(id);
  await expect.poll(async () => (await readPayout(id))?.attempt?.state, waitFor).toBe('refused');
  const { paymentId } = await refused.row(id);
  await says(paymentId, 'needs_response');
  expect((await refused.row(id)).frozenAt).not.toBeNull();
  expect(await owedTo(fixture.database, refused.creator.profileId)).toBe(0);
  await fixture.sql`update profiles set phone_number = ${arriving ?? ''} where id = ${refused.creator.profileId}`;
  await fixture.sql`update disbursements set updated_at = now() - interval '2 hours' where interaction_id = ${id}`;
  await fixture.reconcile();
  await says(paymentId, 'lost');
  const payout = await readPayout(id);
  expect(payout).toMatchObject({ state: 'void', amountCentavos: price });
  expect(await refused.row(id)).toMatchObject({ paidOutAt: null, chargedBackAt: expect.any(Date) });
  const transfers = await fixture.provider.client.transfers.findByReference(payout?.id ?? '');
  expect(transfers.map(({ status }) => status)).toEqual(['failed']);
});

test('a refund by a transfer that was refused is not owed any more', async ({ fixture, requests, says }) => {
  const id = await requests.paid();
  const { paymentId } = await requests.row(id);
  const readRefund = () => requests.outgoing(id, 'refund');
  await fixture.provider.control(`/payments/${paymentId}/age`, { days: 61 });
  await fixture.sql`update interactions set refund_number = ${refusing ?? ''} where id = ${id}`;
  await requests.step(requests.client, 'cancelRequest', id);
  await expect.poll(async () => (await readRefund())?.attempt?.state, waitFor).toBe('refused');
  await says(paymentId, 'lost');
  expect(await readRefund()).toMatchObject({ way: 'transfer', state: 'void' });
});

test('a refund that another open dispute may give back does not end with one that is lost', async ({
  fixture,
  requests,
  says,
}) => {
  const { id, interactionId } = await requests.owed('refund');
  const { paymentId } = await requests.row(interactionId);
  const state = async () => (await readDisbursement(fixture.database, id)).state;
  await says(paymentId, 'needs_response', price, `dp_one${id}`);
  await says(paymentId, 'lost', 100_00, `dp_two${id}`);
  expect(await state()).toBe('owed');
  await says(paymentId, 'won', price, `dp_one${id}`);
  await expect.poll(state, waitFor).toBe('arrived');
  expect(await heldFor(fixture.database, interactionId)).toBe(0);
});

test('what another open dispute gives back of a request that ended goes back to the client', async ({
  fixture,
  requests,
  says,
  readRefunds,
}) => {
  const id = await requests.paid();
  const { paymentId } = await requests.row(id);
  await says(paymentId, 'needs_response', 150_00, `dp_one${id}`);
  await says(paymentId, 'needs_response', 100_00, `dp_two${id}`);
  await says(paymentId, 'lost', 150_00, `dp_one${id}`);
  expect(await requests.row(id)).toMatchObject({ cancelReason: 'charged_back', refundCentavos: 100_00 });
  expect(await readRefunds(id)).toEqual([[paymentId, 0]]);
  await says(paymentId, 'won', 100_00, `dp_two${id}`);
  // The request is over, so that nothing of it goes on.
  expect((await requests.notified(id)).filter((one) => one.startsWith('paymentUnfrozen'))).toEqual([]);
  await expect.poll(async () => (await requests.row(id)).refundedAt, waitFor).not.toBeNull();
  expect(await heldFor(fixture.database, id)).toBe(0);
});

test('a payout that was given up and comes to light while its payment is disputed is a loss', async ({
  fixture,
  requests,
  says,
  giveUp,
  takeUp,
  arrive,
}) => {
  const { id, interactionId } = await requests.owed('payout');
  const { paymentId } = await requests.row(interactionId);
  await giveUp(id);
  await says(paymentId, 'needs_response');
  await takeUp(id);
  const before = await readBalance(fixture.database, losses);
  await arrive(id);
  await says(paymentId, 'lost');
  expect(await owedTo(fixture.database, requests.creator.profileId)).toBe(0);
  expect(await readBalance(fixture.database, losses)).toBe(before + price);
});

test.for([
  ['won', 100_00],
  ['lost', 150_00],
] as const)(
  'of a payout that comes to light beside two disputes only what is lost is a loss: the second is %s',
  async ([outcome, lost], { fixture, requests, says, giveUp, takeUp, arrive }) => {
    const { id, interactionId } = await requests.owed('payout');
    const { paymentId } = await requests.row(interactionId);
    const before = await readBalance(fixture.database, losses);
    await giveUp(id);
    await says(paymentId, 'needs_response', 100_00, `dp_one${id}`);
    await says(paymentId, 'needs_response', 50_00, `dp_two${id}`);
    await takeUp(id);
    await arrive(id);
    await says(paymentId, 'lost', 100_00, `dp_one${id}`);
    await says(paymentId, outcome, 50_00, `dp_two${id}`);
    expect(await owedTo(fixture.database, requests.creator.profileId)).toBe(0);
    expect(await readBalance(fixture.database, losses)).toBe(before + lost);
  },
);

test('what a lost dispute took of a payout that comes to light beside one that is won is a loss', async ({
  fixture,
  requests,
  says,
  giveUp,
  takeUp,
  arrive,
}) => {
  const { id, interactionId } = await requests.owed('payout');
  const { paymentId } = await requests.row(interactionId);
  const before = await readBalance(fixture.database, losses);
  await giveUp(id);
  await says(paymentId, 'lost', 100_00, `dp_one${id}`);
  await says(paymentId, 'needs_response', 150_00, `dp_two${id}`);
  await takeUp(id);
  await arrive(id);
  await says(paymentId, 'won', 150_00, `dp_two${id}`);
  expect(await owedTo(fixture.database, requests.creator.profileId)).toBe(0);
  expect(await readBalance(fixture.database, losses)).toBe(before + 100_00);
});

test('a payout that comes to light once its payment is lost, and fails then, is owed to nobody', async ({
  fixture,
  requests,
  says,
  giveUp,
}) => {
  const { id, interactionId } = await requests.owed('payout');
  const { paymentId } = await requests.row(interactionId);
  await giveUp(id);
  await says(paymentId, 'lost');
  expect((await readDisbursement(fixture.database, id)).state).toBe('void');
  const { client } = fixture.provider;
  const providerOf = (transfer: object) => {
    const get = async () => ({ ...transfer, id: `tr_${id}`, reference_number: id, amount: price }) as never;
    return { ...client, transfers: { ...client.transfers, get } };
  };
  const sent = { status: 'pending', destination_account: { number: arriving } };
  await takeTransfer({ ...fixture.context, provider: providerOf(sent) }, id, `tr_${id}`);
  expect((await readDisbursement(fixture.database, id)).state).toBe('sending');
  // What is on its way to be a loss is no difference.
  expect((await proveLedger(fixture.database)).differences).toEqual([]);
  const failed = { status: 'failed', provider_error: 'It is closed.' };
  await disburse({ ...fixture.context, provider: providerOf(failed) }, id);
  expect((await readDisbursement(fixture.database, id)).state).toBe('void');
  expect(await requests.notified(interactionId)).not.toContain('payoutRefused creator');
});

test('a payout that is refused while its payment is disputed waits for the card issuer', async ({
  fixture,
  requests,
  says,
}) => {
  const { id, interactionId } = await requests.owed('payout');
  const { paymentId } = await requests.row(interactionId);
  await sendAttempt(fixture.database, id);
  const sending = await readDisbursement(fixture.database, id);
  await says(paymentId, 'needs_response');
  expect((await requests.row(interactionId)).frozenAt).toBeNull();
  await fixture.database.transaction((transaction) =>
    storeEnding(transaction, sending, { number: 1 }, { problem: 'The account is closed.' }),
  );
  expect((await requests.row(interactionId)).frozenAt).not.toBeNull();
  await says(paymentId, 'lost');
  expect((await requests.row(interactionId)).frozenAt).toBeNull();
});

test('what a second payment is owed back is not refunded twice when the first one is lost', async ({
  fixture,
  requests,
  says,
  payTwice,
  readRefunds,
}) => {
  const { id, paymentId, second } = await payTwice();
  await says(paymentId, 'lost');
  expect(await requests.row(id)).toMatchObject({ cancelReason: 'charged_back', refundCentavos: 0 });
  expect(await readRefunds(id)).toEqual([[second, price]]);
  expect(await heldFor(fixture.database, id)).toBe(price);
});

test('a lost second payment cancels its own refund, and the request continues', async ({
  fixture,
  requests,
  says,
  payTwice,
  readRefunds,
}) => {
  const { id, second } = await payTwice();
  const before = await readBalance(fixture.database, losses);
  await says(second, 'needs_response');
  expect(await requests.row(id)).toMatchObject({ stage: 'paid', frozenAt: null });
  await says(second, 'lost');
  expect(await readRefunds(id)).toEqual([]);
  expect(await requests.row(id)).toMatchObject({ stage: 'paid', frozenAt: null, chargedBackAt: null });
  expect(await heldFor(fixture.database, id)).toBe(price);
  expect(await readBalance(fixture.database, losses)).toBe(before);
  const [row] = await fixture.database.select().from(chargebacks).where(eq(chargebacks.interactionId, id));
  expect(row?.paymentId).toBe(second);
  // The client was told that it goes back.
  const notices = await fixture.database
    .select({ profileId: notifications.profileId, details: notifications.details })
    .from(notifications)
    .where(and(eq(notifications.interactionId, id), eq(notifications.event, 'chargedBack')));
  expect(notices).toEqual([
    {
      profileId: requests.client.profileId,
      details: expect.objectContaining({ paymentId: second, amount: String(price), rest: '0' }),
    },
  ]);
});

test('of a second payment whose dispute is won nobody is told that the request goes on', async ({
  requests,
  says,
  payTwice,
}) => {
  const { id, second } = await payTwice();
  await says(second, 'needs_response');
  await says(second, 'won');
  expect((await requests.notified(id)).filter((one) => /frozen/i.test(one))).toEqual([]);
});

test('both sides are told that a request goes on once the last of its disputes is won, if one had stopped something', async ({
  requests,
  says,
}) => {
  const id = await requests.paid();
  const { paymentId } = await requests.row(id);
  const unfreezeNotices = async () =>
    (await requests.notified(id)).filter((one) => one.startsWith('paymentUnfrozen'));
  await says(paymentId, 'needs_response', price, `dp_one${id}`);
  // Nothing is left that it could stop.
  await says(paymentId, 'needs_response', 100_00, `dp_two${id}`);
  await says(paymentId, 'won', price, `dp_one${id}`);
  expect(await unfreezeNotices()).toEqual([]);
  await says(paymentId, 'won', 100_00, `dp_two${id}`);
  expect(await unfreezeNotices()).toEqual(['paymentUnfrozen client', 'paymentUnfrozen creator']);
});

test('a dispute holds what is held for the client and what is owed to the creator, each without what is under way', async ({
  fixture,
  requests,
  says,
}) => {
  for (const isSent of [false, true]) {
    const { interactionId: id } = await requests.owed('payout', 100_00);
    const { paymentId } = await requests.row(id);
    await fixture.sql`update interactions set refund_centavos = 15000 where id = ${id}`;
    const refund = `back-${id}`;
    await fixture.database.insert(disbursements).values({
      ...{ id: refund, interactionId: id, paymentId: paymentId ?? '', amountCentavos: 150_00 },
      ...{ recipientId: requests.client.profileId, purpose: 'refund', way: 'provider' },
    });
    if (isSent) await sendAttempt(fixture.database, refund, { reference: `ref_${id}` });
    await says(paymentId, 'needs_response', 160_00);
    const isThis = eq(chargebacks.id, `dp_${paymentId}`);
    const [row] = await fixture.database.select().from(chargebacks).where(isThis);
    expect(row).toMatchObject(
      isSent
        ? { fromEscrowCentavos: 0, fromPayableCentavos: 100_00 }
        : { fromEscrowCentavos: 150_00, fromPayableCentavos: 10_00 },
    );
  }
});

test('a chargeback that is lost while a payout is being sent reduces what is sent', async ({
  fixture,
  confirm,
  says,
  readPayout,
}) => {
  const requests = await openRequestFixture(fixture, { phoneNumber: 'none' });
  const id = await requests.fulfilled();
  await confirm(id);
  const { paymentId } = await requests.row(id);
  // Its own job is done when it has asked for a number.
  const isRequest = and(eq(notifications.interactionId, id), eq(notifications.event, 'payoutNumber'));
  await expect.poll(() => fixture.database.$count(notifications, isRequest), waitFor).toBe(1);
  await fixture.sql`update profiles set phone_number = ${arriving ?? ''} where id = ${requests.creator.profileId}`;
  const { client } = fixture.provider;
  const wallets: typeof client.wallets = {
    ...client.wallets,
    list: async (...query) => {
      await says(paymentId, 'lost', 100_00);
      return client.wallets.list(...query);
    },
  };
  const { id: payout = '' } = (await readPayout(id)) ?? {};
  await disburse({ ...fixture.context, provider: { ...client, wallets } }, payout);
  await expect.poll(async () => (await readPayout(id))?.state, waitFor).toBe('arrived');
  const sent = await client.transfers.findByReference(payout);
  expect(sent.map(({ amount }) => amount)).toEqual([150_00]);
});

test('of a refund that becomes a transfer while a chargeback is lost the rest is sent', async ({
  fixture,
  requests,
  says,
}) => {
  const { id, interactionId } = await requests.owed('refund');
  const { paymentId } = await requests.row(interactionId);
  await fixture.provider.control(`/payments/${paymentId}/age`, { days: 61 });
  const { client } = fixture.provider;
  const payments: typeof client.payments = {
    ...client.payments,
    get: async (payment) => {
      await says(paymentId, 'lost', 100_00);
      return client.payments.get(payment);
    },
  };
  await disburse({ ...fixture.context, provider: { ...client, payments } }, id);
  expect(await readDisbursement(fixture.database, id)).toMatchObject({
    ...{ way: 'transfer', owedCentavos: 150_00, amountCentavos: price },
  });
});

test('a lost second payment that is on its way back already is a loss, and the request keeps its money', async ({
  fixture,
  requests,
  says,
  payTwice,
}) => {
  const { id, second, refund } = await payTwice();
  await fixture.sql`update disbursements set way = 'transfer', number = '09171234567' where id = ${refund}`;
  await sendAttempt(fixture.database, refund, {
    destination: { number: arriving ?? '', name: 'Ana', bic: 'GXCHPHM2XXX' },
  });
  const before = await readBalance(fixture.database, losses);
  await says(second, 'lost');
  expect(await requests.row(id)).toMatchObject({ stage: 'paid', frozenAt: null, chargedBackAt: null });
  const { client } = fixture.provider;
  const payments = {
    ...client.payments,
    get: async () => ({ id: second, type: 'payment', attributes: { amount: price, disputed: true } }),
  } as unknown as typeof client.payments;
  const payOutAgain = async () => {
    await disburse({ ...fixture.context, provider: { ...client, payments } }, refund);
    return (await readDisbursement(fixture.database, refund)).state;
  };
  await expect.poll(payOutAgain, waitFor).toBe('arrived');
  expect(await heldFor(fixture.database, id)).toBe(price);
  expect(await readBalance(fixture.database, losses)).toBe(before + price);
});

test('two payments of a request are disputed: the second is not taken for the request’s own', async ({
  fixture,
  requests,
  says,
  payTwice,
  readRefunds,
}) => {
  const { id, paymentId, second } = await payTwice();
  await says(second, 'needs_response');
  await says(paymentId, 'needs_response');
  expect(await heldFor(fixture.database, id)).toBe(0);
  await says(paymentId, 'lost');
  expect(await requests.row(id)).toMatchObject({ stage: 'cancelled', cancelReason: 'charged_back' });
  await says(second, 'lost');
  expect(await readRefunds(id)).toEqual([]);
  expect(await heldFor(fixture.database, id)).toBe(0);
});

test('a part of the own payment is lost while the second one is frozen: the rest goes back', async ({
  fixture,
  requests,
  says,
  payTwice,
  readRefunds,
}) => {
  const { id, paymentId, second } = await payTwice();
  await says(paymentId, 'needs_response', 100_00);
  await says(second, 'needs_response');
  await says(paymentId, 'lost', 100_00);
  expect(await requests.row(id)).toMatchObject({ cancelReason: 'charged_back', refundCentavos: 150_00 });
  // The rest is sent at once; the second one waits.
  expect(await readRefunds(id)).toContainEqual([second, 0]);
  await expect.poll(async () => (await requests.row(id)).refundedAt, waitFor).not.toBeNull();
  await says(second, 'won');
  expect(await heldFor(fixture.database, id)).toBe(price);
});

describe('a refund whose order may be at the provider', () => {
  /** Sends a refund; whether the provider has the order is not known. */
  const loseAnswer = async (fixture: PaymentFixture, id: string) => {
    const { client } = fixture.provider;
    const create = vi.fn<typeof client.refunds.create>(async () => {
      throw new PaymongoUnreachable('timeout', 'POST /v1/refunds');
    });
    const provider = { ...client, refunds: { ...client.refunds, create } };
    await expect(disburse({ ...fixture.context, provider }, id)).rejects.toThrow(PaymongoUnreachable);
    expect(create).toHaveBeenCalledOnce();
  };
  const readState = async (fixture: PaymentFixture, id: string) =>
    (await readDisbursement(fixture.database, id)).state;

  test('is not reduced by a part that is lost, and arrives once', async ({ fixture, requests, says }) => {
    const { id, interactionId } = await requests.owed('refund');
    const { paymentId } = await requests.row(interactionId);
    await loseAnswer(fixture, id);
    const before = await readBalance(fixture.database, losses);
    await says(paymentId, 'needs_response', 100_00);
    await says(paymentId, 'lost', 100_00);
    await disburse(fixture.context, id);
    await expect.poll(() => readState(fixture, id), waitFor).toBe('arrived');
    const payment = await fixture.provider.client.payments.get(paymentId ?? '');
    expect(payment.attributes.refunds?.map(({ attributes }) => attributes.amount)).toEqual([price]);
    expect(await readBalance(fixture.database, losses)).toBe(before + 100_00);
  });

  test.for([
    { part: price, left: 0, refused: 'after' },
    { part: 100_00, left: 150_00, refused: 'after' },
    { part: price, left: 0, refused: 'before' },
    { part: 100_00, left: 150_00, refused: 'before' },
  ] as const)(
    'is owed without what the card issuer took, $part of 25000, when it is refused $refused the issuer decides',
    async ({ part, left, refused }, { fixture, requests, says }) => {
      const { id, interactionId } = await requests.owed('refund');
      const { paymentId } = await requests.row(interactionId);
      const reference = `ref_${id}`;
      await sendAttempt(fixture.database, id, { reference });
      const before = await readBalance(fixture.database, losses);
      const sending = await readDisbursement(fixture.database, id);
      const refuse = () =>
        fixture.database.transaction((transaction) =>
          storeEnding(transaction, sending, { number: 1 }, { problem: 'It was refused.', reference }),
        );
      await says(paymentId, 'needs_response', part);
      if (refused === 'before') await refuse();
      await says(paymentId, 'lost', part);
      if (refused === 'after') {
        expect(await readBalance(fixture.database, losses)).toBe(before + part);
        await refuse();
      }
      await expect.poll(() => readState(fixture, id), waitFor).toBe(left === 0 ? 'void' : 'arrived');
      const payment = await fixture.provider.client.payments.get(paymentId ?? '');
      const refunds = (payment.attributes.refunds ?? []).map(({ attributes }) => attributes.amount);
      expect(refunds).toEqual(left === 0 ? [] : [left]);
      expect(await readBalance(fixture.database, losses)).toBe(before);
      expect((await requests.row(interactionId)).chargedBackAt).not.toBeNull();
      const notices = (await fixture.database.select().from(notifications))
        .filter(
          (notice) =>
            notice.interactionId === interactionId && /^(?:chargedBack|refundCovered)$/.test(notice.event),
        )
        .map(({ event, details }) => [event, details]);
      const took = { amount: String(part), earned: '0', taken: '0' };
      expect(notices.sort()).toEqual(
        refused === 'before'
          ? [['chargedBack', { ...took, rest: String(left) }]]
          : [
              ['chargedBack', { ...took, rest: '0', underWay: String(price) }],
              ['refundCovered', { amount: String(part), rest: String(left) }],
            ],
      );
    },
  );

  test('is followed up while the payment is frozen', async ({ fixture, requests, says }) => {
    const { id, interactionId } = await requests.owed('refund');
    const { paymentId } = await requests.row(interactionId);
    await loseAnswer(fixture, id);
    await says(paymentId, 'needs_response');
    expect((await requests.row(interactionId)).frozenAt).not.toBeNull();
    await fixture.sql`update disbursements set updated_at = now() - interval '2 hours' where id = ${id}`;
    await fixture.reconcile();
    await expect.poll(() => readState(fixture, id), waitFor).toBe('arrived');
    await says(paymentId, 'lost');
    expect(await heldFor(fixture.database, interactionId)).toBe(0);
  });

  test('is not begun once the payment is frozen', async ({ fixture, requests, says }) => {
    const { id, interactionId } = await requests.owed('refund');
    const { paymentId } = await requests.row(interactionId);
    const { client } = fixture.provider;
    const create = vi.fn(client.refunds.create);
    const context = {
      ...fixture.context,
      provider: { ...client, refunds: { ...client.refunds, create } },
    };
    const { sending } = await fixture.database.transaction(async (transaction) => {
      await transaction.execute(sql`select from interactions where id = ${interactionId} for update`);
      const sending = disburse(context, id);
      const waiting = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(() => fixture.database.execute(waiting), waitFor).not.toHaveLength(0);
      await freeze(transaction as never, interactionId);
      return { sending };
    });
    await sending;
    expect(create).not.toHaveBeenCalled();
    await unfreeze(fixture.database, interactionId);
    await says(paymentId, 'lost');
    expect(await readState(fixture, id)).toBe('void');
  });
});

test('a second payment’s refund that was refused after the dispute began is not owed once it is lost', async ({
  fixture,
  requests,
  says,
  payTwice,
  readRefunds,
}) => {
  const { id, second, refund } = await payTwice();
  await sendAttempt(fixture.database, refund, { reference: `ref_${id}` });
  await says(second, 'needs_response');
  await fixture.sql`update attempts set state = 'refused', ended_at = now() where disbursement_id = ${refund}`;
  await fixture.sql`update disbursements set state = 'owed', way = 'transfer', number = '09171234567' where id = ${refund}`;
  // Nor is it sent by hand meanwhile.
  const config = { ...fixture.context.config, payouts: 'manual' as const };
  const { items } = await openMoney({ ...fixture.context, config }, 'toPayOut', undefined);
  expect(items.map((item) => item.id)).not.toContain(refund);
  const before = await readBalance(fixture.database, losses);
  await says(second, 'lost');
  expect(await readRefunds(id)).toEqual([]);
  expect(await heldFor(fixture.database, id)).toBe(price);
  expect(await readBalance(fixture.database, losses)).toBe(before);
  expect(await requests.row(id)).toMatchObject({ stage: 'paid', chargedBackAt: null });
});

test('a second payment’s refund that is refused after its dispute was lost ends nothing but itself', async ({
  fixture,
  requests,
  says,
  payTwice,
  readRefunds,
}) => {
  const { id, second, refund } = await payTwice();
  const reference = `ref_${id}`;
  await sendAttempt(fixture.database, refund, { reference });
  const sending = await readDisbursement(fixture.database, refund);
  await says(second, 'lost');
  await fixture.database.transaction((transaction) =>
    storeEnding(transaction, sending, { number: 1 }, { problem: 'It was refused.', reference }),
  );
  expect(await readRefunds(id)).toEqual([]);
  expect(await requests.row(id)).toMatchObject({ stage: 'paid', chargedBackAt: null, cancelledAt: null });
  expect(await requests.notified(id)).toContain('refundCovered client');
});

test('what is left of a second payment that was lost in part goes back by a transfer', async ({
  fixture,
  requests,
  says,
  payTwice,
}) => {
  const { id, second } = await payTwice();
  await says(second, 'lost', 100_00);
  const { client } = fixture.provider;
  const attributes = {
    amount: price,
    currency: 'PHP',
    status: 'paid',
    source: { id: 'src_1', type: 'card' },
  };
  const paid_at = Math.floor(nowMs() / 1000);
  const payment = { id: second, type: 'payment', attributes: { ...attributes, paid_at } };
  const provider = {
    ...client,
    payments: { ...client.payments, get: async () => payment as unknown as Payment },
    refunds: {
      ...client.refunds,
      create: async () => {
        throw new PaymongoError(400, [{ code: 'resource_disputed_state', detail: 'It is disputed.' }], {});
      },
    },
  };
  // The refund's own job may try at the same moment: what is attempted here then is an earlier attempt, which changes nothing.
  const { id: refund = '' } = (await requests.outgoing(id, 'refund')) ?? {};
  const payBackAgain = async () => {
    await disburse({ ...fixture.context, provider }, refund);
    return readDisbursement(fixture.database, refund);
  };
  await expect.poll(payBackAgain).toMatchObject({ way: 'transfer', owedCentavos: 150_00 });
});
