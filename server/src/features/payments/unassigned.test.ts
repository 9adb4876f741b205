import { nowDate, nowMs } from '@tara/contract/clock';
import { today } from '@tara/contract/members/profiles';
import { adminMoney } from '@tara/contract/money/admin-money';
import { admin as confirming } from '@tara/contract/money/confirmations';
import { requestCases } from '@tara/contract/money/disputes';
import { longDay } from '@tara/contract/philippine-time';
import { type Dispute, evidenceDueOn, PaymongoError } from '@tara/paymongo';
import { and, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { price, chargebackTest as test, unnamed } from '../../testing/features/chargeback-fixture.ts';
import { sendAttempt } from '../../testing/features/disbursements.ts';
import type { Member } from '../../testing/features/members.ts';
import type { PaymentFixture } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, type RequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { accounts } from '../accounts/index.ts';
import { auditLog } from '../audit/index.ts';
import { notifications } from '../notifications/index.ts';
import { makeUpLoss } from './chargeback-booking.ts';
import { findChargeback, isNews, recordChargeback } from './chargebacks.ts';
import { chargedBack, readBalance } from './ledger.ts';
import { proveLedger } from './ledger-check.ts';
import { compareWallet } from './ledger-wallet.ts';
import { owedFromWallet } from './outgoing.ts';
import { chargebacks, ledgerChecks, unassignedDisputes } from './tables.ts';

/** As if the provider listed these payments, and showed a dispute so. */
function shows({ context }: PaymentFixture, items: unknown[], dispute: Dispute): PaymentFixture['context'] {
  const { provider } = context;
  const payments = { ...provider.payments, list: async () => ({ items }) };
  const disputes = { ...provider.disputes, get: async () => dispute };
  return { ...context, provider: { ...provider, payments, disputes } as unknown as typeof provider };
}

test.afterEach(async ({ fixture }) => {
  await fixture.provider.clearFaults();
  await fixture.database.delete(unassignedDisputes);
  expect((await proveLedger(fixture.database)).differences).toEqual([]);
});

describe('a dispute that does not name its payment', () => {
  const rival = { id: 'dp_rival', amountCentavos: price, disputedAt: nowDate() };

  test('waits for an admin when two payments fit, and neither is touched but for what the provider shows as disputed', async ({
    fixture,
    requests,
    admin,
    issuer,
    balances,
    unassigned,
    assign,
  }) => {
    const [one, other] = [await requests.paid(), await requests.paid()];
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const first = await issuer.opens(requests, one, unnamed);
    const second = await issuer.opens(requests, other, unnamed);
    await fixture.reconcile();
    expect(await unassigned()).toEqual(expect.arrayContaining([first, second]));
    for (const id of [one, other]) expect(await balances(id)).toEqual({ escrow: price, disputed: 0 });
    const alerts = await fixture.database
      .select()
      .from(notifications)
      .where(and(eq(notifications.event, 'disputeUnassigned'), eq(notifications.recordId, first)));
    expect(alerts).toMatchObject([{ profileId: admin.profileId }]);
    expect(alerts[0]?.details).toEqual({ amount: String(price), dueOn: longDay(evidenceDueOn(today())) });
    await requests.step(requests.client, 'cancelRequest', other);
    await expect
      .poll(async () => (await requests.outgoing(other, 'refund'))?.problem, waitFor)
      .toBe('The card issuer disputes the payment.');
    const { paymentId } = await requests.row(one);
    expect((await assign(first, paymentId)).status).toBe(200);
    expect(await balances(one)).toEqual({ escrow: 0, disputed: price });
    expect(await unassigned()).not.toContain(first);
    await fixture.provider.clearFaults();
    await issuer.decides(second, 'won');
    await expect.poll(unassigned, waitFor).not.toContain(second);
    await fixture.sql`update disbursements set updated_at = now() - interval '2 hours' where interaction_id = ${other}`;
    await fixture.reconcile();
    await expect.poll(async () => (await requests.row(other)).refundedAt, waitFor).not.toBeNull();
    await issuer.decides(first, 'won');
    await expect.poll(() => issuer.state(first), waitFor).toBe('won');
  });

  test('is told to admins with the last day for evidence, as long as that can be sent', async ({
    fixture,
    admin,
    says,
  }) => {
    // More than any payment.
    const amount = 1_000_00;
    const dueOn = longDay(evidenceDueOn(today()));
    for (const [status, details] of [
      ['needs_response', { amount: String(amount), dueOn }],
      ['under_review', { amount: String(amount) }],
      ['lost', { amount: String(amount) }],
    ] as const) {
      const id = `dp_told_${status}`;
      for (const _ of [1, 2]) await says(id, status, null, amount);
      const { reply } = await fixture.server.call(admin, adminMoney.unassignedDisputes);
      expect(reply.items.find((item) => item.id === id)).toMatchObject({
        ...{ isUnderReview: status === 'under_review', state: status === 'lost' ? 'lost' : 'open' },
      });
      const [alert] = await fixture.database
        .select({ details: notifications.details })
        .from(notifications)
        .where(and(eq(notifications.event, 'disputeUnassigned'), eq(notifications.recordId, id)));
      expect(alert?.details).toEqual(details);
    }
  });

  test('is listed whole on two pages', async ({ fixture, admin }) => {
    const ids = Array.from({ length: 21 }, (_, index) => `dp_page_${10 + index}`);
    await fixture.database
      .insert(unassignedDisputes)
      .values(ids.map((id) => ({ id, amountCentavos: price, disputedAt: nowDate() })));
    const read = async (query: { cursor?: string }) =>
      (await fixture.server.call(admin, adminMoney.unassignedDisputes, { query })).reply;
    const one = await read({});
    const two = await read({ cursor: one.next ?? '' });
    expect([...one.items, ...two.items].map(({ id }) => id)).toEqual(ids);
  });

  test('keeps, when it is assigned or corrected, whether its evidence was sent', async ({
    fixture,
    requests,
    admin,
    issuer,
    assign,
  }) => {
    const [one, other] = [await requests.paid(), await requests.paid()];
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const first = await issuer.opens(requests, one, unnamed);
    const second = await issuer.opens(requests, other, unnamed);
    await fixture.reconcile();
    await fixture.provider.control(`/disputes/${first}`, { status: 'under_review' });
    await fixture.reconcile();
    const { reply } = await fixture.server.call(admin, adminMoney.unassignedDisputes);
    const sent = new Map(reply.items.map(({ id, isUnderReview }) => [id, isUnderReview]));
    expect([sent.get(first), sent.get(second)]).toEqual([true, false]);
    const isSent = async (id: string) => {
      const { reply } = await fixture.server.call(admin, requestCases.chargebacks);
      return reply.items.find((item) => item.id === id)?.isUnderReview;
    };
    const { paymentId } = await requests.row(one);
    const { paymentId: otherPayment } = await requests.row(other);
    expect((await assign(first, otherPayment)).status).toBe(200);
    expect(await isSent(first)).toBe(true);
    expect((await assign(first, paymentId)).status).toBe(200);
    expect(await isSent(first)).toBe(true);
    expect((await assign(second, otherPayment)).status).toBe(200);
    expect(await isSent(second)).toBe(false);
    await fixture.provider.clearFaults();
    for (const id of [first, second]) {
      await issuer.decides(id, 'won');
      await expect.poll(() => issuer.state(id), waitFor).toBe('won');
    }
  });

  test('is corrected by an admin while it is open: each request has its own money again', async ({
    fixture,
    requests,
    issuer,
    misassigned,
    balances,
    assign,
  }) => {
    const { wrong, right, third, disputeId, paymentId, wrongPayment } = misassigned;
    expect((await requests.row(wrong)).frozenAt).not.toBeNull();
    expect((await assign(disputeId, 'pay_none')).problem.fields).toEqual({
      paymentId: 'No payment of Tara has this id.',
    });
    expect((await assign(disputeId, third)).problem.fields).toEqual({
      paymentId: 'The provider does not show this payment as disputed.',
    });
    expect((await assign(disputeId, wrongPayment)).problem.fields).toEqual({
      paymentId: 'The dispute is about this payment already.',
    });
    expect((await assign(disputeId, paymentId)).status).toBe(200);
    expect((await requests.row(wrong)).frozenAt).toBeNull();
    expect((await findChargeback(fixture.database, disputeId))?.assignment).toBe(2);
    expect(await balances(wrong)).toEqual({ escrow: price, disputed: 0 });
    expect(await balances(right)).toEqual({ escrow: 0, disputed: price });
    // Nothing is concluded from what an admin said.
    await fixture.provider.fault({ kind: 'answer_403', path: '/v1/disputes', times: 1 });
    await issuer.decides(disputeId, 'won');
    await fixture.reconcile();
    expect(await issuer.state(disputeId)).toBe('open');
    await fixture.reconcile();
    expect(await issuer.state(disputeId)).toBe('won');
    expect(await balances(right)).toEqual({ escrow: price, disputed: 0 });
    expect((await assign(disputeId, wrongPayment)).problem.type).toBe('dispute_assignment_not_possible');
    const [entry] = await fixture.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, `dispute:${disputeId}`));
    expect(entry).toMatchObject({
      action: 'dispute.assign',
      after: { paymentId, reason: 'The day agrees.' },
    });
  });

  test('is put right after each was assigned to the payment of the other', async ({
    fixture,
    requests,
    admin,
    issuer,
    balances,
    assign,
    unassigned,
  }) => {
    const ids = [await requests.paid(), await requests.paid()];
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const [first, second] = [
      await issuer.opens(requests, ids[0] ?? '', unnamed),
      await issuer.opens(requests, ids[1] ?? '', unnamed),
    ];
    await fixture.reconcile();
    const paymentOf = async (id = '') => String((await requests.row(id)).paymentId);
    const [payment, other] = [await paymentOf(ids[0]), await paymentOf(ids[1])];
    expect((await assign(first, other)).status).toBe(200);
    expect((await assign(second, payment)).status).toBe(200);
    expect(await unassigned()).not.toContain(second);
    expect((await assign(first, payment)).status).toBe(200);
    // It waits again, and may be about the payment that it is about.
    const { reply } = await fixture.server.call(admin, adminMoney.unassignedDisputes);
    const waiting = reply.items.find(({ id }) => id === second);
    expect(waiting).toMatchObject({ isForeign: false, payments: [{ id: other }] });
    expect(await findChargeback(fixture.database, first)).toMatchObject({ paymentId: payment });
    expect(await balances(ids[0] ?? '')).toEqual({ escrow: 0, disputed: price });
    expect(await balances(ids[1] ?? '')).toEqual({ escrow: price, disputed: 0 });
    const isTold = and(eq(notifications.event, 'disputeUnassigned'), eq(notifications.recordId, second));
    expect(await fixture.database.$count(notifications, isTold)).toBe(2);
    const entries = await fixture.database
      .select({ after: auditLog.after })
      .from(auditLog)
      .where(eq(auditLog.subject, `dispute:${first}`));
    expect(entries.at(-1)?.after).toMatchObject({ paymentId: payment, unassignedIds: [second] });
    expect((await assign(second, other)).status).toBe(200);
    expect(await balances(ids[1] ?? '')).toEqual({ escrow: 0, disputed: price });
    await fixture.provider.clearFaults();
    for (const [index, dispute] of [first, second].entries()) {
      await issuer.decides(dispute, 'won');
      await expect.poll(() => issuer.state(dispute), waitFor).toBe('won');
      expect(await balances(ids[index] ?? '')).toEqual({ escrow: price, disputed: 0 });
    }
  });

  test('takes the place of those that admins assigned to its payment, in their order, and nobody is told that it is free', async ({
    fixture,
    requests,
    balances,
    says,
    assign,
  }) => {
    const id = await requests.paid();
    const { paymentId } = await requests.row(id);
    // One is about money that the other holds already.
    for (const name of ['a', 'b']) await says(`${name}_${paymentId}`, 'needs_response', paymentId, 150_00);
    await fixture.sql`update chargebacks set is_assigned = true where payment_id = ${paymentId}`;
    const { frozenAt } = await requests.row(id);
    const whole = { ...rival, id: `dp_whole${paymentId}`, paymentIds: [String(paymentId)] };
    await fixture.database.insert(unassignedDisputes).values(whole);
    // Nothing says that the payment is not disputed.
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/payments/' });
    expect((await assign(whole.id, paymentId)).status).toBe(200);
    const rows = await fixture.database.select({ id: unassignedDisputes.id }).from(unassignedDisputes);
    expect(rows.map((row) => row.id).sort()).toEqual([`a_${paymentId}`, `b_${paymentId}`]);
    expect(await balances(id)).toEqual({ escrow: 0, disputed: price });
    expect((await requests.row(id)).frozenAt).toEqual(frozenAt);
    const isTold = and(eq(notifications.event, 'paymentUnfrozen'), eq(notifications.interactionId, id));
    expect(await fixture.database.$count(notifications, isTold)).toBe(0);
  });

  test('takes back what admins said of its payment alone, and only where too little of it is left', async ({
    fixture,
    requests,
    says,
    assign,
    unassigned,
  }) => {
    const paymentId = String((await requests.row(await requests.paid())).paymentId);
    const another = String((await requests.row(await requests.paid())).paymentId);
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/payments/' });
    const waiting = (name: string, amountCentavos: number, payment: string) => ({
      ...{ ...rival, id: `${name}_${paymentId}`, amountCentavos, paymentIds: [payment] },
    });
    await fixture.database
      .insert(unassignedDisputes)
      .values([
        waiting('full', price, another),
        waiting('one', 100_00, paymentId),
        waiting('two', 100_00, paymentId),
        waiting('last', 200_00, paymentId),
      ]);
    expect((await assign(`full_${paymentId}`, another)).status).toBe(200);
    // The provider says of this one what it is about.
    await says(`named_${paymentId}`, 'needs_response', paymentId, 50_00);
    for (const name of ['one', 'two'])
      expect((await assign(`${name}_${paymentId}`, paymentId)).status).toBe(200);
    expect(await unassigned()).toEqual([`last_${paymentId}`]);
    expect((await assign(`last_${paymentId}`, paymentId)).status).toBe(200);
    expect((await unassigned()).sort()).toEqual([`one_${paymentId}`, `two_${paymentId}`]);
    for (const name of ['full', 'named', 'last'])
      expect(await findChargeback(fixture.database, `${name}_${paymentId}`)).toMatchObject({ state: 'open' });
  });

  test('waits again for every payment that it waited for before it was assigned', async ({
    fixture,
    requests,
    assign,
  }) => {
    const { paymentId } = await requests.row(await requests.paid());
    const other = String((await requests.row(await requests.paid())).paymentId);
    const first = { ...rival, id: `dp_first${paymentId}`, paymentIds: [String(paymentId), other] };
    const second = { ...rival, id: `dp_second${paymentId}`, paymentIds: [String(paymentId)] };
    await fixture.database.insert(unassignedDisputes).values([first, second]);
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/payments/' });
    expect((await assign(first.id, paymentId)).status).toBe(200);
    expect((await assign(second.id, paymentId)).status).toBe(200);
    const waiting = () =>
      fixture.database
        .select({ paymentIds: unassignedDisputes.paymentIds })
        .from(unassignedDisputes)
        .where(eq(unassignedDisputes.id, first.id));
    expect(await waiting()).toEqual([{ paymentIds: [paymentId, other] }]);
    // Also when it is said to be about none, and when that is taken back.
    expect((await assign(first.id, other)).status).toBe(200);
    expect((await assign(first.id, null)).status).toBe(200);
    expect(await waiting()).toEqual([{ paymentIds: [other, paymentId] }]);
  });

  test('is not assigned to another payment when its own is disputed no more', async ({
    fixture,
    requests,
    issuer,
    unassigned,
  }) => {
    const [own, another] = [await requests.paid(), await requests.paid()];
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const disputeId = await issuer.opens(requests, own, unnamed);
    const asItWas = await fixture.provider.client.disputes.get(disputeId);
    await issuer.decides(disputeId, 'won');
    const other = await issuer.opens(requests, another, unnamed);
    await recordChargeback(fixture.context, asItWas);
    expect(await issuer.state(disputeId)).toBe('unknown');
    // It is won by now.
    expect(await unassigned()).not.toContain(disputeId);
    const isTold = and(eq(notifications.event, 'disputeUnassigned'), eq(notifications.recordId, disputeId));
    expect(await fixture.database.$count(notifications, isTold)).toBe(0);
    await issuer.decides(other, 'won');
    await fixture.reconcile();
  });

  const minutesAgo = (minutes: number) => Math.floor(nowMs() / 1000) - minutes * 60;
  /** Another dispute that waits. */
  test.for([
    ['the only payment that is shown as disputed', {}, {}, 'open'],
    ['none that is not shown so', { disputed: false }, {}, 'unknown'],
    ['none that is smaller', { amount: price - 1 }, {}, 'unknown'],
    ['none that was paid later', { paid_at: minutesAgo(1) }, {}, 'unknown'],
    ['none that another waiting dispute fits as well', {}, rival, 'unknown'],
    ['one that is too small for the waiting one', {}, { ...rival, amountCentavos: price + 1 }, 'open'],
    ['one that was paid after the waiting one began', {}, { ...rival, disputedAt: new Date(0) }, 'open'],
    ['one when the waiting one is won', {}, { ...rival, state: 'won' as const }, 'open'],
    ['one when the other is about no payment of Tara', {}, { ...rival, foreignAt: nowDate() }, 'open'],
  ] as const)(
    'is assigned to %s',
    async ([_case, shown, waiting, state], { fixture, requests, issuer, unassigned }) => {
      const { paymentId } = await requests.row(await requests.paid());
      const attributes = { amount: price, disputed: true, paid_at: minutesAgo(10), ...shown };
      const dispute = {
        ...{ id: `dp_${paymentId}`, type: 'dispute' },
        attributes: { amount: price, status: 'needs_response', created_at: minutesAgo(5) },
      };
      const context = shows(fixture, [{ id: paymentId, attributes }], dispute);
      if ('id' in waiting) await fixture.database.insert(unassignedDisputes).values(waiting);
      await recordChargeback(context, dispute);
      expect(await issuer.state(dispute.id)).toBe(state);
      expect((await unassigned()).includes(dispute.id)).toBe(state === 'unknown');
    },
  );

  test.for([
    ['while one is shown as disputed whose dispute was won', 'won', true],
    ['while one is shown as disputed whose dispute an admin named', 'assigned', true],
    ['whose dispute an admin named', 'assigned', false],
    ['whose dispute was won', 'won', false],
  ] as const)(
    'is not assigned to a payment %s',
    async ([_case, how, isOtherShown], { fixture, requests, issuer, says, unassigned }) => {
      const { paymentId: before } = await requests.row(await requests.paid());
      const { paymentId } = await requests.row(await requests.paid());
      await says(`before_${before}`, 'needs_response', before);
      if (how === 'won') await says(`before_${before}`, 'won', before);
      else await fixture.sql`update chargebacks set is_assigned = true where payment_id = ${before}`;
      const attributes = { amount: price, disputed: true, paid_at: minutesAgo(10) };
      const items = [before, ...(isOtherShown ? [paymentId] : [])].map((id) => ({ id, attributes }));
      const dispute = {
        ...{ id: `dp_${paymentId}`, type: 'dispute' },
        attributes: { amount: price, status: 'needs_response', created_at: minutesAgo(5) },
      };
      const context = shows(fixture, items, dispute);
      await recordChargeback(context, dispute);
      expect(await issuer.state(dispute.id)).toBe('unknown');
      expect(await unassigned()).toContain(dispute.id);
      await says(`before_${before}`, 'won', before);
    },
  );

  /** A payment as the provider shows it, and a dispute that was opened after it was paid. */
  const shownPayment = (id: unknown, more: object = {}) => ({
    id,
    attributes: { amount: price, disputed: true, paid_at: minutesAgo(10), ...more },
  });
  const openedDispute = (id: unknown): Dispute => ({
    ...{ id: `dp_${id}`, type: 'dispute' },
    attributes: { amount: price, status: 'needs_response', created_at: minutesAgo(5) },
  });

  test.for([
    ['waits while a payment for a request of ours, which is not captured yet, is shown as well', true, true],
    ['waits while a payment for a request of ours, which is not captured yet, is the only one', false, true],
    ['is assigned beside a payment that is for no request of ours', true, false],
  ] as const)('%s', async ([_case, isShown, isOurs], { fixture, requests, issuer, unassigned }) => {
    const { paymentId } = await requests.row(await requests.paid());
    const { referenceNumber } = await requests.row(await requests.requested());
    const external_reference_number = isOurs ? referenceNumber : 'nothing';
    const other = shownPayment('pay_other', { external_reference_number });
    const dispute = openedDispute(paymentId);
    const items = [...(isShown ? [shownPayment(paymentId)] : []), other];
    await recordChargeback(shows(fixture, items, dispute), dispute);
    expect(await issuer.state(dispute.id)).toBe(isOurs ? 'unknown' : 'open');
    expect(await unassigned()).toEqual(isOurs ? [dispute.id] : []);
  });

  test('is assigned to the only payment that no other dispute explains, also when it waited before', async ({
    fixture,
    requests,
    issuer,
    says,
    unassigned,
  }) => {
    const { paymentId: before } = await requests.row(await requests.paid());
    const { paymentId } = await requests.row(await requests.paid());
    const dispute = openedDispute(paymentId);
    const context = shows(fixture, [shownPayment(before), shownPayment(paymentId)], dispute);
    await recordChargeback(context, dispute);
    expect(await unassigned()).toEqual([dispute.id]);
    await says(`before_${before}`, 'needs_response', before);
    await recordChargeback(context, dispute);
    expect(await unassigned()).toEqual([]);
    expect(await findChargeback(fixture.database, dispute.id)).toMatchObject({ paymentId, state: 'open' });
    for (const [id, payment] of [
      [dispute.id, paymentId],
      [`before_${before}`, before],
    ] as const)
      await says(id, 'won', payment);
    expect(await issuer.state(dispute.id)).toBe('won');
  });

  test('is assigned to none when it is won while the payments are read', async ({
    fixture,
    requests,
    issuer,
    unassigned,
  }) => {
    const { paymentId } = await requests.row(await requests.paid());
    const dispute = openedDispute(paymentId);
    const answers = [dispute, { ...dispute, attributes: { ...dispute.attributes, status: 'won' } }];
    const context = shows(fixture, [shownPayment(paymentId)], dispute);
    const get = async () => answers.shift() ?? dispute;
    const provider = { ...context.provider, disputes: { ...context.provider.disputes, get } };
    await recordChargeback({ ...context, provider }, dispute);
    expect(await issuer.state(dispute.id)).toBe('unknown');
    expect(await unassigned()).toEqual([]);
  });

  test('waits where the account may not read it, and is recorded later while the provider is away', async ({
    fixture,
    requests,
    issuer,
    unassigned,
  }) => {
    const { paymentId } = await requests.row(await requests.paid());
    const dispute = openedDispute(paymentId);
    const record = (status: number) => {
      const context = shows(fixture, [shownPayment(paymentId)], dispute);
      const get = async (): Promise<never> => {
        throw new PaymongoError(status, [{ code: 'refused', detail: 'No.' }], {});
      };
      const provider = { ...context.provider, disputes: { ...context.provider.disputes, get } };
      return recordChargeback({ ...context, provider }, dispute);
    };
    await expect(record(500)).rejects.toMatchObject({ status: 500 });
    expect(await unassigned()).toEqual([]);
    await record(403);
    expect(await unassigned()).toEqual([dispute.id]);
    expect(await issuer.state(dispute.id)).toBe('unknown');
  });

  test('is assigned to no payment that is smaller, or whole in another dispute', async ({
    fixture,
    requests,
    admin,
    issuer,
    assign,
  }) => {
    const id = await requests.paid();
    const { paymentId } = await requests.row(id);
    const other = (await requests.row(await requests.paid())).paymentId;
    const own = await issuer.opens(requests, id);
    await expect.poll(() => issuer.state(own), waitFor).toBe('open');
    const larger = { ...rival, id: 'dp_larger', amountCentavos: price + 1 };
    const suggested = { ...rival, paymentIds: [paymentId, other].map(String) };
    await fixture.database.insert(unassignedDisputes).values([suggested, larger]);
    const { reply } = await fixture.server.call(admin, adminMoney.unassignedDisputes);
    expect(reply.items.find((item) => item.id === rival.id)?.payments).toMatchObject([{ id: other }]);
    expect((await assign(rival.id, paymentId)).problem.fields).toEqual({
      paymentId: 'Together with its other disputes this is more than the payment.',
    });
    await issuer.decides(own, 'won');
    await expect.poll(() => issuer.state(own), waitFor).toBe('won');
    expect((await assign(larger.id, paymentId)).problem.fields).toEqual({
      paymentId: 'This payment is smaller than the disputed amount.',
    });
  });

  test('holds back the rest of a payment that it may be about, and is assigned to that rest', async ({
    fixture,
    requests,
    admin,
    issuer,
    balances,
    assign,
  }) => {
    const id = await requests.paid();
    const { paymentId } = await requests.row(id);
    const taken = await readBalance(fixture.database, chargedBack);
    const rest = { ...rival, id: 'dp_rest', amountCentavos: 150_00, paymentIds: [String(paymentId)] };
    await fixture.database.insert(unassignedDisputes).values(rest);
    const own = await issuer.opens(requests, id, { amount: 100_00 });
    await issuer.decides(own, 'lost');
    await expect
      .poll(async () => (await requests.outgoing(id, 'refund'))?.problem, waitFor)
      .toBe('The card issuer disputes the payment.');
    const { reply } = await fixture.server.call(admin, adminMoney.unassignedDisputes);
    expect(reply.items.find((item) => item.id === rest.id)?.payments).toMatchObject([{ id: paymentId }]);
    expect((await assign(rest.id, paymentId)).status).toBe(200);
    expect(await balances(id)).toEqual({ escrow: 0, disputed: 150_00 });
    const { attributes } = await fixture.provider.client.disputes.get(own);
    await recordChargeback(fixture.context, {
      ...{ id: rest.id, type: 'dispute' },
      attributes: { ...attributes, amount: 150_00, status: 'lost' },
    });
    expect(await issuer.state(rest.id)).toBe('lost');
    expect(await balances(id)).toEqual({ escrow: 0, disputed: 0 });
    expect((await readBalance(fixture.database, chargedBack)) - taken).toBe(-price);
    expect((await requests.outgoing(id, 'refund'))?.state).toBe('void');
  });

  test('is about the payment that it names when it is read again', async ({ fixture, requests, issuer }) => {
    const { paymentId } = await requests.row(await requests.paid());
    const other = (await requests.row(await requests.paid())).paymentId;
    const shown = { amount: price, disputed: true, paid_at: minutesAgo(10) };
    const dispute = {
      ...{ id: `dp_named${paymentId}`, type: 'dispute' },
      attributes: { amount: price, status: 'needs_response', created_at: minutesAgo(5) },
    };
    const items = [paymentId, other].map((id) => ({ id, attributes: shown }));
    const named = { ...dispute, attributes: { ...dispute.attributes, payment_id: paymentId } };
    const context = shows(fixture, items, named);
    await recordChargeback(context, dispute);
    expect(await issuer.state(dispute.id)).toBe('open');
    const [row] = await fixture.database.select().from(chargebacks).where(eq(chargebacks.id, dispute.id));
    expect(row?.paymentId).toBe(paymentId);
  });

  test('goes to the payment that the provider names later, decided or not, and to none of an admin’s choice', async ({
    fixture,
    misassigned,
    issuer,
    balances,
    says,
    assign,
  }) => {
    const { wrong, right, disputeId, paymentId, wrongPayment } = misassigned;
    const dispute = await fixture.provider.client.disputes.get(disputeId);
    const named = (payment_id: string | null) => ({
      ...dispute,
      attributes: { ...dispute.attributes, payment_id },
    });
    expect(await isNews(fixture.database, named(wrongPayment))).toBe(false);
    // An empty name is none.
    for (const none of [null, '']) expect(await isNews(fixture.database, named(none))).toBe(false);
    expect(await isNews(fixture.database, named(paymentId))).toBe(true);
    await says(disputeId, 'needs_response', paymentId);
    expect(await balances(wrong)).toEqual({ escrow: price, disputed: 0 });
    expect(await balances(right)).toEqual({ escrow: 0, disputed: price });
    // What an admin said is what the provider says, as soon as it does.
    expect((await assign(disputeId, null)).status).toBe(200);
    expect((await assign(disputeId, paymentId)).status).toBe(200);
    expect(await findChargeback(fixture.database, disputeId)).toMatchObject({ isAssigned: true });
    expect(await isNews(fixture.database, named(paymentId))).toBe(true);
    await says(disputeId, 'needs_response', paymentId);
    expect(await isNews(fixture.database, named(paymentId))).toBe(false);
    expect(await findChargeback(fixture.database, disputeId)).toMatchObject({ isAssigned: false });
    await says(disputeId, 'lost', wrongPayment);
    expect(await issuer.state(disputeId)).toBe('lost');
    const isTold = and(eq(notifications.event, 'chargebackDecided'), eq(notifications.recordId, disputeId));
    expect(await fixture.database.$count(notifications, isTold)).toBe(0);
    expect(await balances(wrong)).toEqual({ escrow: 0, disputed: 0 });
    expect(await balances(right)).toEqual({ escrow: price, disputed: 0 });
    // What was decided stays.
    expect(await isNews(fixture.database, named(paymentId))).toBe(false);
    await says(disputeId, 'lost', paymentId);
    expect(await balances(right)).toEqual({ escrow: price, disputed: 0 });
    await issuer.decides(disputeId, 'lost');
  });

  test('frees a request when the provider names a payment that is none of Tara’s', async ({
    fixture,
    requests,
    issuer,
    balances,
    says,
    unassigned,
  }) => {
    const id = await requests.paid();
    const { paymentId } = await requests.row(id);
    const disputeId = `dp_${paymentId}`;
    await says(disputeId, 'needs_response', paymentId);
    await says(disputeId, 'needs_response', 'pay_of_a_shop');
    expect(await issuer.state(disputeId)).toBe('unknown');
    expect(await balances(id)).toEqual({ escrow: price, disputed: 0 });
    expect(await requests.row(id)).toMatchObject({ frozenAt: null, chargedBackAt: null });
    expect(await unassigned()).toEqual([disputeId]);
    expect(await requests.notified(id)).toContain('paymentUnfrozen client');
    const dispute = { id: disputeId, type: 'dispute', attributes: { amount: price, status: 'lost' } };
    const named = (payment_id: string) => ({ ...dispute, attributes: { ...dispute.attributes, payment_id } });
    await says(disputeId, 'lost', 'pay_of_a_shop');
    expect(await isNews(fixture.database, named('pay_of_a_shop'))).toBe(false);
    await says(disputeId, 'lost', paymentId);
    expect(await findChargeback(fixture.database, disputeId)).toMatchObject({ state: 'lost', assignment: 2 });
  });

  test('that is decided is read again for the payment that it may name by now', async ({
    fixture,
    misassigned,
    issuer,
    balances,
  }) => {
    const { wrong, right, disputeId, paymentId } = misassigned;
    const dispute = await fixture.provider.client.disputes.get(disputeId);
    const decided = (payment_id: string | null) => ({
      ...dispute,
      attributes: { ...dispute.attributes, status: 'lost', payment_id },
    });
    await recordChargeback(shows(fixture, [], decided(paymentId)), decided(null));
    expect(await issuer.state(disputeId)).toBe('lost');
    expect(await balances(wrong)).toEqual({ escrow: price, disputed: 0 });
    expect(await balances(right)).toEqual({ escrow: 0, disputed: 0 });
    await issuer.decides(disputeId, 'lost');
  });

  test('keeps what was known of it when an older and shorter text names its payment', async ({
    fixture,
    says,
    misassigned,
  }) => {
    const { disputeId, paymentId, third, wrongPayment } = misassigned;
    const id = `dp_short_${paymentId}`;
    const disputedOn = new Date('2026-01-02T03:04:05Z');
    await fixture.database.insert(unassignedDisputes).values({
      ...{ id, amountCentavos: price, reason: 'fraudulent', state: 'lost', disputedAt: disputedOn },
    });
    await says(disputeId, 'under_review', null);
    await fixture.sql`update chargebacks set disputed_at = ${disputedOn.toISOString()}, reason = 'fraudulent' where id = ${disputeId}`;
    for (const [short, payment] of [
      [disputeId, paymentId],
      [id, third],
    ] as const) {
      const attributes = { amount: price, status: 'needs_response', payment_id: payment };
      await recordChargeback(fixture.context, { id: short, type: 'dispute', attributes });
    }
    const known = { reason: 'fraudulent', disputedAt: disputedOn, dueOn: '2026-01-09' };
    const moved = await findChargeback(fixture.database, disputeId);
    expect(moved).toMatchObject({ ...known, paymentId, isUnderReview: true, state: 'open' });
    expect(await findChargeback(fixture.database, id)).toMatchObject({ ...known, state: 'lost' });
    // A decision is newer than the review.
    await says(disputeId, 'lost', wrongPayment);
    expect(await findChargeback(fixture.database, disputeId)).toMatchObject({
      ...{ paymentId: wrongPayment, state: 'lost' },
    });
  });

  test('is assigned by nobody who is a party of either request', async ({ fixture, requests, issuer }) => {
    const [wrong, right] = [await openRequestFixture(fixture), requests];
    const [wrongId, rightId] = [await wrong.paid(), await right.paid()];
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const disputeId = await issuer.opens(right, rightId, unnamed);
    const dispute = await fixture.provider.client.disputes.get(disputeId);
    const attributes = { ...dispute.attributes, payment_id: (await wrong.row(wrongId)).paymentId };
    await recordChargeback(fixture.context, { ...dispute, attributes });
    const { paymentId } = await right.row(rightId);
    const body = { disputeId, paymentId: paymentId ?? '', reason: 'Mine.' };
    const refusal = async (who: Member) =>
      (await fixture.server.call(who, adminMoney.assignDispute, { body })).problem.type;
    for (const party of [right.client, right.creator, wrong.client, wrong.creator]) {
      expect(await refusal(party)).toBe('admin_only');
      const isParty = eq(accounts.id, party.accountId);
      await fixture.database
        .update(accounts)
        .set({ labels: ['admin'] })
        .where(isParty);
      expect(await refusal(party)).toBe('admin_own_record');
      await fixture.database.update(accounts).set({ labels: [] }).where(isParty);
    }
    expect((await wrong.row(wrongId)).frozenAt).not.toBeNull();
    await issuer.decides(disputeId, 'won');
    await fixture.reconcile();
    expect(await issuer.state(disputeId)).toBe('won');
  });
});

/** A dispute that waits. */
const rest = { id: 'dp_foreign', amountCentavos: 150_00, disputedAt: nowDate() };

/** What one side was told of a correction that took money of theirs. */
async function corrections(
  { database }: PaymentFixture,
  requests: RequestFixture,
  id: string,
  who: 'client' | 'creator',
) {
  const rows = await database
    .select({ details: notifications.details })
    .from(notifications)
    .where(
      and(
        ...[eq(notifications.interactionId, id), eq(notifications.event, 'chargebackCorrected')],
        eq(notifications.profileId, requests[who].profileId),
      ),
    );
  return rows.map(({ details }) => details);
}

/** A request whose payout waits for its creator's number. */
async function openWaitingPayout(fixture: PaymentFixture, admin: Member) {
  const requests = await openRequestFixture(fixture, { phoneNumber: '' });
  const id = await requests.fulfilled();
  await fixture.server.call(admin, confirming.confirmPlans, { body: { interactionId: id } });
  return { requests, id, paymentId: (await requests.row(id)).paymentId };
}

describe('a correction', () => {
  test('sets nothing free that another dispute has taken', async ({
    fixture,
    requests,
    issuer,
    says,
    losses,
    misassigned,
    balances,
    assign,
  }) => {
    const { wrong, disputeId, paymentId, wrongPayment } = misassigned;
    const before = await losses();
    await says(`${disputeId}b`, 'lost', wrongPayment);
    expect((await losses()) - before).toBe(price);
    expect((await assign(disputeId, paymentId)).status).toBe(200);
    expect(await losses()).toBe(before);
    expect(await balances(wrong)).toEqual({ escrow: 0, disputed: 0 });
    expect(await requests.row(wrong)).toMatchObject({ cancelReason: 'charged_back', refundCentavos: 0 });
    expect(await requests.outgoing(wrong, 'refund')).toBeUndefined();
    // Nothing goes on, so nobody is told so.
    expect(await requests.notified(wrong)).not.toContain('paymentUnfrozen creator');
    await issuer.decides(disputeId, 'won');
    await fixture.reconcile();
  });

  test('takes of a payout what a dispute that was lost meanwhile would have taken, and its creator learns it', async ({
    fixture,
    admin,
    losses,
    says,
    assign,
  }) => {
    const { requests, id, paymentId } = await openWaitingPayout(fixture, admin);
    const before = await losses();
    await says(`wrong_${paymentId}`, 'needs_response', paymentId);
    await says(`lost_${paymentId}`, 'lost', paymentId, 100_00);
    expect((await losses()) - before).toBe(100_00);
    expect((await assign(`wrong_${paymentId}`, null)).status).toBe(200);
    expect(await losses()).toBe(before);
    expect(await requests.outgoing(id, 'payout')).toMatchObject({ state: 'owed', owedCentavos: 150_00 });
    const taken = { covered: '0', rest: '0', taken: '10000', earned: '15000' };
    expect(await corrections(fixture, requests, id, 'creator')).toEqual([taken]);
    // To its client nothing changes.
    expect(await corrections(fixture, requests, id, 'client')).toEqual([]);
    expect(await requests.notified(id)).not.toContain('paymentUnfrozen creator');
  });

  test('of an open request ends it when another dispute was lost meanwhile, and both learn it', async ({
    fixture,
    requests,
    says,
    assign,
  }) => {
    const id = await requests.fulfilled();
    const { paymentId } = await requests.row(id);
    await says(`wrong_${paymentId}`, 'needs_response', paymentId);
    await says(`lost_${paymentId}`, 'lost', paymentId, 100_00);
    expect((await assign(`wrong_${paymentId}`, null)).status).toBe(200);
    expect(await requests.row(id)).toMatchObject({
      ...{ stage: 'cancelled', cancelReason: 'charged_back', frozenAt: null, refundCentavos: 150_00 },
    });
    const taken = { covered: '10000', rest: '15000', taken: '0', earned: '0', hasEnded: 'yes' };
    for (const side of ['client', 'creator'] as const)
      expect(await corrections(fixture, requests, id, side)).toEqual([taken]);
    expect((await requests.notified(id)).filter((line) => line.startsWith('paymentUnfrozen'))).toEqual([]);
  });

  test('makes up for no dispute that was lost before the corrected one was opened', async ({
    requests,
    losses,
    says,
    assign,
  }) => {
    const id = await requests.fulfilled();
    const { paymentId } = await requests.row(id);
    await says(`first_${paymentId}`, 'needs_response', paymentId);
    await says(`lost_${paymentId}`, 'lost', paymentId, 100_00);
    await says(`first_${paymentId}`, 'won', paymentId);
    await says(`wrong_${paymentId}`, 'needs_response', paymentId, 50_00);
    const before = await losses();
    expect((await assign(`wrong_${paymentId}`, null)).status).toBe(200);
    expect(await losses()).toBe(before);
    expect(await requests.row(id)).toMatchObject({ stage: 'fulfilled', frozenAt: null });
  });

  test('takes of what is held what was lost meanwhile by a dispute that was opened before it', async ({
    fixture,
    requests,
    losses,
    says,
    assign,
  }) => {
    const { id, interactionId } = await requests.owed('refund');
    const { paymentId } = await requests.row(interactionId);
    await sendAttempt(fixture.database, id);
    await says(`real_${paymentId}`, 'needs_response', paymentId, 100_00);
    await fixture.sql`update attempts set state = 'refused', ended_at = now() where disbursement_id = ${id}`;
    await fixture.sql`update disbursements set state = 'owed' where id = ${id}`;
    await says(`wrong_${paymentId}`, 'needs_response', paymentId, 150_00);
    const before = await losses();
    await says(`real_${paymentId}`, 'lost', paymentId, 100_00);
    expect((await assign(`wrong_${paymentId}`, null)).status).toBe(200);
    expect(await losses()).toBe(before);
    expect((await requests.outgoing(interactionId, 'refund'))?.owedCentavos).toBe(150_00);
  });

  test('lets disputes that were opened meanwhile hold what the corrected one held', async ({
    fixture,
    requests,
    balances,
    losses,
    says,
    assign,
  }) => {
    const id = await requests.fulfilled();
    const { paymentId } = await requests.row(id);
    await says(`wrong_${paymentId}`, 'needs_response', paymentId, 200_00);
    await says(`real_${paymentId}`, 'needs_response', paymentId, 100_00);
    const before = await losses();
    const real = () => findChargeback(fixture.database, `real_${paymentId}`);
    expect(await real()).toMatchObject({ assignment: 1, fromEscrowCentavos: 50_00 });
    expect((await assign(`wrong_${paymentId}`, null)).status).toBe(200);
    expect(await real()).toMatchObject({ assignment: 2, fromEscrowCentavos: 100_00 });
    expect(await balances(id)).toEqual({ escrow: price - 100_00, disputed: 100_00 });
    expect((await requests.row(id)).frozenAt).not.toBeNull();
    await says(`real_${paymentId}`, 'lost', paymentId, 100_00);
    expect(await losses()).toBe(before);
    expect(await requests.row(id)).toMatchObject({ cancelReason: 'charged_back', refundCentavos: 150_00 });
  });

  test('lets disputes that were opened meanwhile hold what the corrected one held of a payout', async ({
    fixture,
    admin,
    losses,
    says,
    assign,
  }) => {
    const { requests, id, paymentId } = await openWaitingPayout(fixture, admin);
    await says(`wrong_${paymentId}`, 'needs_response', paymentId, 200_00);
    await says(`real_${paymentId}`, 'needs_response', paymentId, 100_00);
    const before = await losses();
    expect((await assign(`wrong_${paymentId}`, null)).status).toBe(200);
    expect((await requests.outgoing(id, 'payout'))?.owedCentavos).toBe(150_00);
    await says(`real_${paymentId}`, 'lost', paymentId, 100_00);
    expect(await losses()).toBe(before);
    expect(await requests.outgoing(id, 'payout')).toMatchObject({ state: 'owed', owedCentavos: 150_00 });
  });

  test('makes up for a loss also when something was made up for another one before', async ({
    fixture,
    requests,
    losses,
    says,
    assign,
  }) => {
    const { id, interactionId } = await requests.owed('refund');
    const { paymentId } = await requests.row(interactionId);
    // Nothing is sent whose payment cannot be read.
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/payments/' });
    await sendAttempt(fixture.database, id);
    await says(`first_${paymentId}`, 'lost', paymentId, 100_00);
    await fixture.sql`update attempts set state = 'refused', ended_at = now() where disbursement_id = ${id}`;
    await fixture.sql`update disbursements set state = 'owed' where id = ${id}`;
    await fixture.database.transaction((transaction) =>
      makeUpLoss(transaction, interactionId, String(paymentId)),
    );
    const before = await losses();
    await says(`wrong_${paymentId}`, 'needs_response', paymentId, 100_00);
    await says(`second_${paymentId}`, 'lost', paymentId, 100_00);
    expect((await losses()) - before).toBe(50_00);
    expect((await assign(`wrong_${paymentId}`, null)).status).toBe(200);
    expect(await losses()).toBe(before);
    expect((await requests.outgoing(interactionId, 'refund'))?.owedCentavos).toBe(50_00);
    expect(await corrections(fixture, requests, interactionId, 'client')).toHaveLength(1);
    // The money was the client’s.
    expect(await corrections(fixture, requests, interactionId, 'creator')).toEqual([]);
  });

  test('sends at once what the dispute held back', async ({ requests, issuer, says, assign }) => {
    const { interactionId } = await requests.owed('refund');
    const { paymentId } = await requests.row(interactionId);
    await says(`wrong_${paymentId}`, 'needs_response', paymentId);
    expect(await issuer.state(`wrong_${paymentId}`)).toBe('open');
    expect((await assign(`wrong_${paymentId}`, null)).status).toBe(200);
    await expect.poll(async () => (await requests.row(interactionId)).refundedAt, waitFor).not.toBeNull();
  });

  test('tells a creator what is left with what another open dispute holds of it', async ({
    fixture,
    admin,
    says,
    assign,
  }) => {
    const { requests, id, paymentId } = await openWaitingPayout(fixture, admin);
    await says(`wrong_${paymentId}`, 'needs_response', paymentId);
    await says(`lost_${paymentId}`, 'lost', paymentId, 100_00);
    await says(`open_${paymentId}`, 'needs_response', paymentId, 150_00);
    expect((await assign(`wrong_${paymentId}`, null)).status).toBe(200);
    const taken = { covered: '0', rest: '0', taken: '10000', earned: '15000' };
    expect(await corrections(fixture, requests, id, 'creator')).toEqual([taken]);
    await says(`open_${paymentId}`, 'won', paymentId, 150_00);
    expect((await requests.outgoing(id, 'payout'))?.owedCentavos).toBe(150_00);
  });

  test.for(['held', 'owed to the creator'])(
    'makes up for no more than one before it left, of several corrections of what is %s',
    async (what, { fixture, admin, requests, losses, says, assign }) => {
      const { paymentId } =
        what === 'held' ? await requests.row(await requests.paid()) : await openWaitingPayout(fixture, admin);
      await says(`first_${paymentId}`, 'needs_response', paymentId);
      await says(`early_${paymentId}`, 'lost', paymentId, 50_00);
      await says(`first_${paymentId}`, 'won', paymentId);
      const before = await losses();
      await says(`wrong1_${paymentId}`, 'needs_response', paymentId, 100_00);
      await says(`wrong2_${paymentId}`, 'needs_response', paymentId, 150_00);
      await says(`late_${paymentId}`, 'lost', paymentId, 100_00);
      for (const wrong of ['wrong1', 'wrong2']) {
        expect((await assign(`${wrong}_${paymentId}`, null)).status).toBe(200);
        expect(await losses()).toBe(before);
      }
    },
  );
});

test('what is concluded from a payment says nothing of a dispute that was corrected meanwhile', async ({
  fixture,
  issuer,
  misassigned,
  assign,
}) => {
  const { disputeId, paymentId, wrongPayment } = misassigned;
  const dispute = await fixture.provider.client.disputes.get(disputeId);
  const won = { ...dispute, attributes: { ...dispute.attributes, status: 'won' } };
  expect((await assign(disputeId, paymentId)).status).toBe(200);
  await recordChargeback(fixture.context, won, String(wrongPayment));
  expect(await issuer.state(disputeId)).toBe('open');
  await recordChargeback(fixture.context, won, String(paymentId));
  expect(await issuer.state(disputeId)).toBe('won');
});

describe('a dispute about no payment of Tara', () => {
  test('waits for nobody and holds nothing, whether it is lost or won, until an admin corrects it', async ({
    fixture,
    requests,
    admin,
    issuer,
    balances,
    assign,
    unassigned,
  }) => {
    const id = await requests.paid();
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const disputeId = await issuer.opens(requests, id, { amount: rest.amountCentavos });
    const { paymentId } = await requests.row(id);
    await fixture.database.insert(unassignedDisputes).values({ ...rest, id: disputeId });
    expect((await assign(disputeId, null)).status).toBe(200);
    const { reply } = await fixture.server.call(admin, adminMoney.unassignedDisputes);
    expect(reply.items).toMatchObject([{ id: disputeId, isForeign: true, state: 'open', payments: [] }]);
    expect((await assign(disputeId, null)).problem.type).toBe('dispute_assignment_not_possible');
    const [entry] = await fixture.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, `dispute:${disputeId}`));
    expect(entry).toMatchObject({ action: 'dispute.assign', before: { paymentId: null, isForeign: false } });
    expect(entry?.after).toEqual({ paymentId: null, reason: 'The day agrees.' });
    // It was wrong: once assigned and taken away again, each booking has its own name.
    const steps = [
      { payment: paymentId, assignment: 1 },
      { payment: null, assignment: undefined },
      { payment: paymentId, assignment: 2 },
      { payment: null, assignment: undefined },
      { payment: paymentId, assignment: 3 },
    ];
    for (const { payment, assignment } of steps) {
      expect((await assign(disputeId, payment)).status).toBe(200);
      expect(await balances(id)).toEqual(
        payment === null
          ? { escrow: price, disputed: 0 }
          : { escrow: price - rest.amountCentavos, disputed: rest.amountCentavos },
      );
      expect((await requests.row(id)).frozenAt === null).toBe(payment === null);
      expect(await unassigned()).toEqual(payment === null ? [disputeId] : []);
      expect((await findChargeback(fixture.database, disputeId))?.assignment).toBe(assignment);
    }
  });

  test('keeps when it was opened, until when evidence is taken, and that it was sent', async ({
    fixture,
    requests,
    admin,
    issuer,
    says,
    assign,
  }) => {
    const id = await requests.paid();
    const { paymentId } = await requests.row(id);
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const disputeId = await issuer.opens(requests, id);
    await says(disputeId, 'under_review', paymentId);
    await fixture.sql`update chargebacks set disputed_at = '2026-01-02T03:04:05Z' where id = ${disputeId}`;
    const before = await findChargeback(fixture.database, disputeId);
    expect((await assign(disputeId, null)).status).toBe(200);
    const { reply } = await fixture.server.call(admin, adminMoney.unassignedDisputes);
    const disputedAt = '2026-01-02T03:04:05.000Z';
    expect(reply.items).toMatchObject([
      { id: disputeId, dueOn: '2026-01-09', isUnderReview: true, disputedAt, payments: [{ id: paymentId }] },
    ]);
    expect((await assign(disputeId, paymentId)).status).toBe(200);
    expect(await findChargeback(fixture.database, disputeId)).toEqual({
      ...{
        ...before,
        dueOn: '2026-01-09',
        assignment: 2,
        possiblePaymentIds: [paymentId],
        isAssigned: true,
        createdAt: expect.anything(),
      },
    });
    await fixture.provider.clearFaults();
    await issuer.decides(disputeId, 'won');
    await fixture.reconcile();
  });

  test('is no case for an admin once it is decided, told once or twice', async ({
    fixture,
    says,
    assign,
  }) => {
    const alerts = () => fixture.database.$count(notifications, eq(notifications.event, 'disputeUnassigned'));
    for (const status of ['lost', 'won'] as const) {
      const id = `dp_foreign_${status}`;
      await fixture.database.insert(unassignedDisputes).values({ ...rest, id });
      expect((await assign(id, null)).status).toBe(200);
      const before = await alerts();
      for (const _ of [1, 2]) await says(id, status, null, rest.amountCentavos);
      expect(await alerts()).toBe(before);
      const [row] = await fixture.database
        .select()
        .from(unassignedDisputes)
        .where(eq(unassignedDisputes.id, id));
      expect(row).toMatchObject({ state: status, foreignAt: expect.any(Date) });
    }
  });

  test('is not assigned by itself when it is decided, though one payment fits, and is when it names one', async ({
    fixture,
    requests,
    issuer,
    assign,
    says,
  }) => {
    const { paymentId } = await requests.row(await requests.paid());
    const disputeId = `foreign_${paymentId}`;
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await says(disputeId, 'needs_response', paymentId);
    expect((await assign(disputeId, null)).status).toBe(200);
    const lost = {
      ...{ id: disputeId, type: 'dispute' },
      attributes: { amount: price, status: 'lost', created_at: Math.floor(nowMs() / 1000) },
    };
    const shown = { amount: price, disputed: true, paid_at: Math.floor(nowMs() / 1000) - 600 };
    const context = shows(fixture, [{ id: paymentId, attributes: shown }], lost);
    await recordChargeback(context, lost);
    expect(await issuer.state(disputeId)).toBe('unknown');
    await says(disputeId, 'lost', paymentId);
    expect(await findChargeback(fixture.database, disputeId)).toMatchObject({ state: 'lost', assignment: 2 });
  });

  test('that waits and is lost waits for nobody, and can be corrected for 90 days', async ({
    fixture,
    requests,
    issuer,
    assign,
    unassigned,
  }) => {
    const id = await requests.paid();
    const { paymentId } = await requests.row(id);
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await issuer.opens(requests, id);
    await fixture.database
      .insert(unassignedDisputes)
      .values({ ...rest, id: `dp_${paymentId}`, state: 'lost' });
    expect((await assign(`dp_${paymentId}`, null)).status).toBe(200);
    const age = (days: number) =>
      fixture.sql`update unassigned_disputes set foreign_at = now() - make_interval(days => ${days})`;
    // How long it waited before says nothing.
    await fixture.sql`update unassigned_disputes set created_at = now() - interval '91 days'`;
    expect(await unassigned()).toEqual([`dp_${paymentId}`]);
    await age(90);
    expect(await unassigned()).toEqual([]);
    expect((await assign(`dp_${paymentId}`, paymentId)).problem.type).toBe('dispute_assignment_not_possible');
    await age(89);
    expect(await unassigned()).toEqual([`dp_${paymentId}`]);
    expect((await assign(`dp_${paymentId}`, paymentId)).status).toBe(200);
    expect(await issuer.state(`dp_${paymentId}`)).toBe('lost');
    // Nobody waited for its decision.
    const isTold = and(
      eq(notifications.event, 'chargebackDecided'),
      eq(notifications.recordId, `dp_${paymentId}`),
    );
    expect(await fixture.database.$count(notifications, isTold)).toBe(1);
  });

  test('that is not decided can be corrected at any time', async ({
    fixture,
    requests,
    issuer,
    assign,
    unassigned,
  }) => {
    const { paymentId } = await requests.row(await requests.paid());
    await fixture.database.insert(unassignedDisputes).values({ ...rest, id: `dp_${paymentId}` });
    expect((await assign(`dp_${paymentId}`, null)).status).toBe(200);
    await fixture.sql`update unassigned_disputes set foreign_at = now() - interval '91 days'`;
    expect(await unassigned()).toEqual([`dp_${paymentId}`]);
    await fixture.sql`update unassigned_disputes set state = 'won'`;
    expect(await unassigned()).toEqual([]);
    await fixture.sql`update unassigned_disputes set state = 'open'`;
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await fixture.provider.control(`/payments/${paymentId}/dispute`, unnamed);
    expect((await assign(`dp_${paymentId}`, paymentId)).status).toBe(200);
    expect(await issuer.state(`dp_${paymentId}`)).toBe('open');
  });

  test('is said so, or assigned to another payment, by no admin who is a party of what it may be about', async ({
    fixture,
    requests,
    assign,
  }) => {
    const { paymentId } = await requests.row(await requests.paid());
    const others = await openRequestFixture(fixture);
    const { paymentId: another } = await others.row(await others.paid());
    await fixture.database
      .insert(unassignedDisputes)
      .values({ ...rest, state: 'lost', paymentIds: [String(paymentId)] });
    const isParty = eq(accounts.id, requests.creator.accountId);
    await fixture.database
      .update(accounts)
      .set({ labels: ['admin'] })
      .where(isParty);
    // The provider shows it so.
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await fixture.provider.control(`/payments/${another}/dispute`, unnamed);
    for (const chosen of [null, String(another)]) {
      const body = { disputeId: rest.id, paymentId: chosen, reason: 'Not mine.' };
      const { problem } = await fixture.server.call(requests.creator, adminMoney.assignDispute, { body });
      expect(problem.type).toBe('admin_own_record');
    }
    expect((await assign(rest.id, null)).status).toBe(200);
  });

  test('is one that names another payment, until that is captured', async ({
    fixture,
    requests,
    admin,
    issuer,
    says,
    unassigned,
  }) => {
    const { paymentId } = await requests.row(await requests.paid());
    const disputeId = `named_${paymentId}`;
    await fixture.database.insert(unassignedDisputes).values({ ...rest, id: disputeId });
    const { provider } = fixture.context;
    const named = (payment_id: string | null) => ({
      ...{ id: disputeId, type: 'dispute' },
      attributes: { amount: rest.amountCentavos, status: 'needs_response', payment_id },
    });
    expect(await isNews(fixture.database, named('pay_of_a_shop'))).toBe(true);
    const disputes = { ...provider.disputes, get: async () => named('pay_of_a_shop') };
    await recordChargeback({ ...fixture.context, provider: { ...provider, disputes } }, named(null));
    const { reply } = await fixture.server.call(admin, adminMoney.unassignedDisputes);
    expect(reply.items).toMatchObject([{ id: disputeId, isForeign: true }]);
    // It is not recorded anew in each round, and would be while it waited.
    expect(await isNews(fixture.database, named('pay_of_a_shop'))).toBe(false);
    expect(await isNews(fixture.database, named(paymentId))).toBe(true);
    await says(disputeId, 'needs_response', paymentId, rest.amountCentavos);
    expect(await issuer.state(disputeId)).toBe('open');
    expect(await unassigned()).toEqual([]);
    await says(disputeId, 'won', paymentId);
  });

  test('is missing in the wallet as long as the provider holds it, and nobody else’s', async ({
    fixture,
    assign,
  }) => {
    const read = async () => {
      const { provider, database, config } = fixture.context;
      await database.delete(ledgerChecks);
      const { walletLowCentavos } = await compareWallet({ database, provider, config });
      const [row] = await database.execute<{ owed: number }>(owedFromWallet);
      return [walletLowCentavos, row?.owed].map(Number);
    };
    const [without, owed] = await read();
    await fixture.database.insert(unassignedDisputes).values(rest);
    const [low = 0] = await read();
    expect(low - (without ?? 0)).toBe(rest.amountCentavos + fixture.context.config.chargebackFeeCentavos);
    expect((await assign(rest.id, null)).status).toBe(200);
    expect(await read()).toEqual([low, owed]);
  });
});

test('a dispute that is about more than is left of a payment holds nothing of it', async ({
  fixture,
  requests,
  admin,
  issuer,
}) => {
  const id = await requests.paid();
  const { paymentId } = await requests.row(id);
  const larger = { ...rest, amountCentavos: 200_00, paymentIds: [String(paymentId)] };
  await fixture.database.insert(unassignedDisputes).values({ ...larger, state: 'lost' });
  const own = await issuer.opens(requests, id, { amount: 100_00 });
  await issuer.decides(own, 'lost');
  await expect
    .poll(async () => (await requests.outgoing(id, 'refund'))?.amountCentavos, waitFor)
    .toBe(150_00);
  const { reply } = await fixture.server.call(admin, adminMoney.unassignedDisputes);
  expect(reply.items).toMatchObject([{ id: rest.id, payments: [] }]);
  // As far as the provider shows it as disputed it gives nothing back the way it came.
  await expect.poll(async () => (await requests.outgoing(id, 'refund'))?.way, waitFor).toBe('transfer');
});

test.for(['is won', 'is about another payment', 'is about no payment of Tara'])(
  'what a dispute held back goes on at once when it %s',
  async (what, { fixture, requests, issuer, says, assign }) => {
    const id = await requests.paid();
    const { paymentId } = await requests.row(id);
    const disputeId = `dp_${paymentId}`;
    const other = String((await requests.row(await requests.paid())).paymentId);
    await fixture.database
      .insert(unassignedDisputes)
      .values({ ...rest, id: disputeId, paymentIds: [String(paymentId)] });
    const own = await issuer.opens(requests, id, { amount: 100_00 });
    await issuer.decides(own, 'lost');
    const refund = () => requests.outgoing(id, 'refund');
    await expect
      .poll(async () => (await refund())?.problem, waitFor)
      .toBe('The card issuer disputes the payment.');
    if (what === 'is won') await says(disputeId, 'won', null, rest.amountCentavos);
    else if (what === 'is about another payment')
      await says(disputeId, 'needs_response', other, rest.amountCentavos);
    else await assign(disputeId, null);
    await expect.poll(async () => (await refund())?.way, waitFor).toBe('transfer');
  },
);

test('an event that is older than the decision of its dispute stops nothing', async ({
  fixture,
  requests,
  issuer,
  unassigned,
}) => {
  const id = await requests.fulfilled();
  await fixture.provider.fault({ kind: 'drop_deliveries' });
  const disputeId = await issuer.opens(requests, id, unnamed);
  const asItWas = await fixture.provider.client.disputes.get(disputeId);
  await issuer.decides(disputeId, 'won');
  const { paymentId } = await requests.row(id);
  const { client } = fixture.provider;
  const named = async () => {
    const { attributes, ...dispute } = await client.disputes.get(disputeId);
    return { ...dispute, attributes: { ...attributes, payment_id: paymentId } };
  };
  const provider = { ...client, disputes: { ...client.disputes, get: named } };
  await recordChargeback({ ...fixture.context, provider }, asItWas);
  expect(await issuer.state(disputeId)).toBe('won');
  expect((await requests.row(id)).frozenAt).toBeNull();
  expect(await requests.notified(id)).not.toContain('paymentFrozen client');
  expect(await unassigned()).toEqual([]);
});
