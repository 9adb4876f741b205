import { nowDate } from '@tara/contract/clock';
import { adminMoney } from '@tara/contract/money/admin-money';
import { disputes, requestCases } from '@tara/contract/money/disputes';
import { expect } from 'vitest';
import { recordPayout } from '../../features/payments/admin-money.ts';
import { assignDispute } from '../../features/payments/assign-dispute.ts';
import { captureLink } from '../../features/payments/capture.ts';
import { recordChargeback } from '../../features/payments/chargebacks.ts';
import { confirmPlan } from '../../features/payments/confirm.ts';
import { storeEnding } from '../../features/payments/disburse.ts';
import { settle } from '../../features/payments/settle.ts';
import { disbursements, ledgerChecks, unassignedDisputes } from '../../features/payments/tables.ts';
import { readDisbursement, refuseAttempt, sendAttempt } from './disbursements.ts';
import type { Member } from './members.ts';
import type { PaymentFixture } from './payment-fixture.ts';
import { openRequestFixture, type RequestFixture, waitFor } from './request-fixture.ts';

/** A request each that is held, paid out, and refunded, at rest. */
export async function makeLives(fixture: PaymentFixture, admin: Member, requests: RequestFixture) {
  const held = await requests.paid();
  const paidOut = await requests.fulfilled();
  await confirmPlan(fixture.platform, admin, paidOut);
  const refunded = await requests.paid();
  await requests.step(requests.creator, 'cancelRequest', refunded);
  await expect.poll(async () => (await requests.row(paidOut)).paidOutAt, waitFor).not.toBeNull();
  await expect.poll(async () => (await requests.row(refunded)).refundedAt, waitFor).not.toBeNull();
  return { held, paidOut, refunded };
}

/** A request that is split, of which the client's part goes by a transfer. */
export async function makeSplit(fixture: PaymentFixture, admin: Member, requests: RequestFixture) {
  const id = await requests.paid();
  await requests.step(requests.creator, 'acceptRequest', id);
  await fixture.sql`update interactions set refund_number = '09177654321' where id = ${id}`;
  const story = { reason: 'absent', story: 'Nobody came.', imageIds: [] } as const;
  await fixture.server.call(requests.client, disputes.open, { body: { interactionId: id, ...story } });
  const { paymentId } = await requests.row(id);
  await fixture.provider.control(`/payments/${paymentId}/age`, { days: 61 });
  const decision = { outcome: 'split', refundCentavos: 100_00, note: 'Both were there.' } as const;
  await fixture.server.call(admin, requestCases.decideRequest, { body: { interactionId: id, ...decision } });
  await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
  await expect.poll(async () => (await requests.row(id)).refundedAt, waitFor).not.toBeNull();
}

const price = 250_00;

/** A dispute of the provider that names no payment. */
export const unassignedDispute = {
  ...{ id: 'dsp_unassigned', type: 'dispute' },
  attributes: { amount: 100_00, status: 'needs_response' },
};

/** Requests in each state that money can be in, so that each column of an amount and each account of each movement has a row. */
export async function makeEveryAmount(fixture: PaymentFixture, admin: Member): Promise<void> {
  const requests = await openRequestFixture(fixture);
  const { context, database } = fixture;
  const { paidOut } = await makeLives(fixture, admin, requests);
  await makeSplit(fixture, admin, requests);
  await requests.requested();
  await requests.requested(0);
  await makeAttempts(fixture, requests);
  await makeTransfersByHand(fixture, admin, requests, paidOut);
  await makeChargebacks(fixture, requests);
  await makeCorrected(fixture, admin, requests);

  const { linkId } = await requests.row(await requests.paid());
  // The provider knows nothing of it, so that its refund waits.
  const attributes = {
    ...{ amount: price, currency: 'PHP', fee: 0, net_amount: price, status: 'paid' },
    source: { id: 'src_1', type: 'card' },
  };
  const second = { id: 'pay_second', type: 'payment', attributes };
  await captureLink(context, { id: linkId, status: 'paid', payments: [second] } as never);

  await database
    .insert(unassignedDisputes)
    .values({ id: unassignedDispute.id, amountCentavos: 100_00, disputedAt: nowDate() });
  await database
    .insert(ledgerChecks)
    .values({ counts: {}, differences: [], walletLowCentavos: 0, walletHighCentavos: 0 });
}

/** What was sent, refused and lost, of a payout and of a refund each. */
async function makeAttempts({ database, sql }: PaymentFixture, requests: RequestFixture): Promise<void> {
  for (const purpose of ['payout', 'refund'] as const) {
    await requests.owed(purpose);
    const { id } = await requests.owed(purpose);
    await refuseAttempt(database, id, 'It was refused.');
    await sendAttempt(database, id, { reference: `lost_${id}` });
    await sql`update attempts set state = 'lost', ended_at = now() where disbursement_id = ${id} and number = 2`;
    await sql`update disbursements set state = 'owed' where id = ${id}`;
    await sendAttempt(database, id, { reference: `sent_${id}` });
  }
}

/** Transfers by hand: one that was booked, one of too much, one that was lost, and one that was refused. */
async function makeTransfersByHand(
  fixture: PaymentFixture,
  admin: Member,
  requests: RequestFixture,
  paidOut: string,
): Promise<void> {
  const { config } = fixture.context;
  const context = { ...fixture.context, config: { ...config, payouts: 'manual' as const } };
  const record = (id: string, reference: string, amountCentavos: number) =>
    recordPayout(context, admin, { id, reference, amountCentavos });
  await record((await requests.owed('payout')).id, 'BPI booked', price);

  const part = await requests.owed('payout', 200_00);
  const { paymentId, clientId } = await requests.row(part.interactionId);
  await fixture.sql`update interactions set refund_centavos = 5000 where id = ${part.interactionId}`;
  await fixture.database.insert(disbursements).values({
    ...{ id: `${part.id}-refund`, interactionId: part.interactionId, paymentId: paymentId ?? '' },
    ...{ purpose: 'refund', way: 'provider', recipientId: clientId, amountCentavos: 50_00 },
  });
  await expect(record(part.id, 'BPI surplus', price)).rejects.toThrow();
  await record(part.id, 'BPI surplus', 200_00);

  const arrived = await requests.outgoing(paidOut, 'payout');
  for (const reference of ['BPI lost', 'BPI refused'])
    await expect(record(arrived?.id ?? '', reference, price)).rejects.toThrow();
  const body = { reference: 'BPI lost', hasLeft: true, reason: 'The bank says so.' };
  expect((await fixture.server.call(admin, adminMoney.settleManualTransfer, { body })).status).toBe(200);
}

type Status = 'needs_response' | 'won' | 'lost';

/** Disputes in each state, of what is held, of what is owed, and of what had left. */
async function makeChargebacks(fixture: PaymentFixture, requests: RequestFixture): Promise<void> {
  const { context, database } = fixture;
  const says = async (id: string, status: Status, amount = price) => {
    const { paymentId } = await requests.row(id);
    await recordChargeback(context, {
      ...{ id: `dsp_${id}`, type: 'dispute' },
      attributes: { amount, status, payment_id: paymentId },
    });
  };
  const arrives = async (id: string, column: 'paidOutAt' | 'refundedAt') =>
    expect.poll(async () => (await requests.row(id))[column], waitFor).not.toBeNull();
  for (const status of ['needs_response', 'won', 'lost'] as const) {
    await says(await requests.paid(), status);
    const part = await requests.paid();
    await says(part, status, 100_00);
    if (status === 'lost') await arrives(part, 'refundedAt');
    const owed = await requests.owed('payout');
    await says(owed.interactionId, status, 100_00);
    if (status !== 'needs_response') await arrives(owed.interactionId, 'paidOutAt');
    // A refund that arrives after its dispute was opened.
    const late = await requests.owed('refund');
    await sendAttempt(database, late.id, { reference: `ref_${late.id}` });
    await says(late.interactionId, 'needs_response');
    const disbursement = await readDisbursement(database, late.id);
    await database.transaction((transaction) =>
      settle(transaction, disbursement, { number: 1, reference: `ref_${late.id}`, feeCentavos: 0 }),
    );
    if (status !== 'needs_response') await says(late.interactionId, status);
  }
  // A refund that was on its way and is refused makes up for what was lost, or for a part of it.
  for (const amount of [price, 100_00]) {
    const { id, interactionId } = await requests.owed('refund');
    // The rest waits for another number.
    await fixture.sql`update disbursements set way = 'transfer' where id = ${id}`;
    await sendAttempt(database, id);
    await says(interactionId, 'lost', amount);
    const disbursement = await readDisbursement(database, id);
    await database.transaction((transaction) =>
      storeEnding(transaction, disbursement, { number: 1 }, { problem: 'It was refused.' }),
    );
  }
}

/** A dispute that was opened for a payment that it is not about. */
async function makeCorrected(
  { context }: PaymentFixture,
  admin: Member,
  requests: RequestFixture,
): Promise<void> {
  const { paymentId: wrong } = await requests.row(await requests.paid());
  const { interactionId } = await requests.owed('payout');
  const { paymentId: right } = await requests.row(interactionId);
  const attributes = { amount: 100_00, status: 'needs_response', payment_id: wrong };
  await recordChargeback(context, { id: 'dsp_corrected', type: 'dispute', attributes });
  const get = async () => {
    throw new Error('it cannot be read');
  };
  const provider = { ...context.provider, payments: { ...context.provider.payments, get } };
  await assignDispute({ ...context, provider }, admin, {
    ...{ disputeId: 'dsp_corrected', paymentId: right ?? '', reason: 'The day agrees.' },
  });
}
