import { nowDate } from '@tara/contract/clock';
import { type ConfirmationKind, payments } from '@tara/contract/money/payments';
import { describe, expect } from 'vitest';
import { insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { createInteraction } from '../interactions/index.ts';
import { confirmPlan } from './confirm.ts';
import { book, cash, type Entry, escrow, refunded } from './ledger.ts';
import { attempts, capturedPayments, disbursements } from './tables.ts';

const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  .extend('read', ({ fixture }) => (who: Member | null, kind: ConfirmationKind, id: string) => {
    return fixture.server.call(who, payments.confirmation, { params: { kind, id } });
  });

describe('a confirmation', () => {
  test('of a payment has number, method, fee and terms, for its client alone', async ({
    fixture,
    admin,
    requests,
    read,
  }) => {
    const id = await requests.paid();
    const request = await requests.row(id);
    const { reply } = await read(requests.client, 'payment', id);
    expect(reply).toMatchObject({
      number: expect.stringMatching(/^TARA-\d{8}$/),
      ...{ kind: 'payment', interactionId: id, planTitle: request.planTitle, terms: request.terms },
      ...{ price: 250, amount: 250, released: 0, fee: 0, way: 'provider', method: 'card', receiver: null },
      ...{ reference: request.paymentId, referenceNumber: request.referenceNumber, meetsAt: null },
    });
    const names = [requests.client.profileId, requests.creator.profileId].map(async (profileId) => {
      const [row] = await fixture.sql`select name from profiles where id = ${profileId}`;
      return row?.name;
    });
    expect([reply.client, reply.creator]).toEqual(await Promise.all(names));
    expect((await read(requests.client, 'payment', request.paymentId ?? '')).reply).toEqual(reply);
    const other = await openRequestFixture(fixture);
    const refusals = [
      await read(requests.creator, 'payment', id),
      await read(other.client, 'payment', id),
      await read(admin, 'payment', id),
      await read(requests.client, 'refund', id),
      await read(requests.client, 'payout', id),
      await read(requests.client, 'payment', 'unknown'),
    ];
    expect(refusals.map(({ problem }) => problem.type)).toEqual(
      refusals.map(() => 'payment_confirmation_not_found'),
    );
    expect((await read(null, 'payment', id)).status).toBe(401);
  });

  test('of a payout has what the creator gets and the fee, for the creator alone', async ({
    fixture,
    admin,
    requests,
    read,
  }) => {
    const planId = await insertPlan(fixture.database, requests.creator, { priceCentavos: 250_00 });
    const config = { ...fixture.platform.config, platformFeeBasisPoints: 500 };
    const { id } = await createInteraction({ ...fixture.platform, config }, requests.client, { planId });
    await expect.poll(async () => (await requests.row(id)).checkoutUrl, waitFor).not.toBeNull();
    await requests.payFor(id);
    await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
    await requests.step(requests.creator, 'acceptRequest', id);
    await requests.step(requests.client, 'markDone', id);
    expect((await read(requests.creator, 'payout', id)).problem.type).toBe('payment_confirmation_not_found');
    await confirmPlan(fixture.platform, admin, id);
    await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
    expect((await read(requests.creator, 'payout', id)).reply).toMatchObject({
      ...{ kind: 'payout', price: 250, released: 250, fee: 12.5, amount: 237.5 },
      ...{ way: 'transfer', receiver: '4567', reference: expect.any(String) },
    });
    expect((await read(requests.client, 'payout', id)).problem.type).toBe('payment_confirmation_not_found');
  });

  test('of a refund has how it came back', async ({ requests, read }) => {
    const id = await requests.paid();
    await requests.step(requests.creator, 'cancelRequest', id);
    await expect.poll(async () => (await requests.row(id)).refundedAt, waitFor).not.toBeNull();
    const { reply } = await read(requests.client, 'refund', id);
    expect(reply).toMatchObject({
      ...{ kind: 'refund', amount: 250, way: 'provider', method: 'card' },
      reference: expect.stringMatching(/^(ref|rfn)_/),
    });
    expect(reply.number).not.toBe((await read(requests.client, 'payment', id)).reply.number);
    expect((await read(requests.creator, 'refund', id)).problem.type).toBe('payment_confirmation_not_found');
  });

  test('of a payment that came a second time is another one than that of the request', async ({
    fixture,
    requests,
    read,
  }) => {
    const id = await requests.paid();
    const second = `pay_second_${id}`;
    await fixture.database.transaction(async (transaction) => {
      await transaction
        .insert(capturedPayments)
        .values({ id: second, interactionId: id, amountCentavos: 250_00, method: 'gcash' });
      const entries: Entry[] = [
        [cash, 250_00],
        [escrow(id), -250_00],
      ];
      await book(transaction, { kind: 'capture', interactionId: id, paymentId: second, of: second, entries });
      await transaction.insert(disbursements).values({
        ...{ id: second, interactionId: id, paymentId: second, amountCentavos: 250_00 },
        ...{ purpose: 'refund', way: 'provider', recipientId: requests.client.profileId },
        ...{ state: 'arrived', arrivedAt: nowDate() },
      });
      await transaction.insert(attempts).values({
        ...{ disbursementId: second, number: 1, way: 'provider', key: second, amountCentavos: 250_00 },
        ...{ state: 'arrived', reference: 'ref_second', endedAt: nowDate() },
      });
      const back: Entry[] = [
        [escrow(id), 250_00],
        [refunded(id), -250_00],
      ];
      await book(transaction, {
        ...{ kind: 'refund', interactionId: id, paymentId: second, of: second, entries: back },
      });
    });
    await requests.step(requests.creator, 'cancelRequest', id);
    await expect.poll(async () => (await requests.row(id)).refundedAt, waitFor).not.toBeNull();
    const method = async (kind: ConfirmationKind, record: string) =>
      (await read(requests.client, kind, record)).reply.method;
    expect(await method('payment', id)).toBe('card');
    expect(await method('payment', second)).toBe('GCash');
    expect(await method('refund', id)).toBe('card');
    expect((await read(requests.client, 'refund', second)).reply).toMatchObject({
      ...{ method: 'GCash', reference: 'ref_second' },
    });
    const { items } = (await fixture.server.call(requests.client, payments.statement, { query: {} })).reply;
    expect(items.map(({ kind, confirmation }) => [kind, confirmation?.kind, confirmation?.id])).toEqual([
      ['refund', 'refund', id],
      ['refund', 'refund', second],
      ['capture', 'payment', second],
      ['capture', 'payment', id],
    ]);
  });
});

test('a confirmation has the amount of a payment that an earlier version booked before it had a name', async ({
  fixture,
  requests,
  read,
}) => {
  const id = await requests.requested();
  const paymentId = `pay_${id}`;
  await fixture.sql`insert into captured_payments (id, interaction_id, amount_centavos, method)
    values (${paymentId}, ${id}, 25000, 'gcash')`;
  await fixture.sql`update interactions set payment_id = ${paymentId}, paid_at = now() where id = ${id}`;
  const entries: Entry[] = [
    [cash, 250_00],
    [escrow(id), -250_00],
  ];
  await fixture.database.transaction((transaction) =>
    book(transaction, { kind: 'capture', interactionId: id, paymentId, of: `link-${id}`, entries }),
  );
  expect((await read(requests.client, 'payment', id)).reply).toMatchObject({
    ...{ amount: 250, method: 'GCash', reference: paymentId },
  });
  // One that Tara has no name for has the provider's.
  await fixture.sql`update captured_payments set method = 'new_wallet' where id = ${paymentId}`;
  expect((await read(requests.client, 'payment', id)).reply.method).toBe('new_wallet');
});

test('a statement of some days has their movements alone, and the balances before and after them', async ({
  fixture,
  requests,
}) => {
  const id = await requests.paid();
  await requests.step(requests.creator, 'cancelRequest', id);
  await expect.poll(async () => (await requests.row(id)).refundedAt, waitFor).not.toBeNull();
  // The ledger only grows: payments of another request are made on earlier days.
  const earlier = await requests.requested();
  for (const [pesos, at] of [
    [1, '2025-12-31T23:59:59.999+08:00'],
    [10, '2026-01-01T00:00:00+08:00'],
    [100, '2026-01-01T23:59:59.999+08:00'],
    [1000, '2026-01-02T00:00:00+08:00'],
  ] as const)
    await fixture.sql`with booked as (
        insert into ledger_transfers (key, kind, interaction_id, created_at)
        values (${`capture:pay_${pesos}_${earlier}`}, 'capture', ${earlier}, ${at}) returning id)
      insert into ledger_entries (transfer_id, account, owner, amount)
      select id, account, owner, amount from booked cross join (
        values ('cash', '', ${pesos * 100}::bigint), ('escrow', ${earlier}, ${-pesos * 100}::bigint)) as entry (account, owner, amount)`;
  const read = async (query: { from?: string; to?: string }) => {
    const { reply } = await fixture.server.call(requests.client, payments.statement, { query });
    const balances = await fixture.server.call(requests.client, payments.statementBalances, { query });
    return { amounts: reply.items.map(({ amount }) => amount), ...balances.reply };
  };
  expect(await read({ from: '2026-01-01', to: '2026-01-01' })).toEqual({
    ...{ amounts: [100, 10], opening: 1, closing: 111 },
  });
  expect(await read({ to: '2026-01-01' })).toEqual({ amounts: [100, 10, 1], opening: 0, closing: 111 });
  expect(await read({ from: '2026-01-02' })).toEqual({
    ...{ amounts: [1000, -250, 250], opening: 111, closing: 1111 },
  });
  expect(await read({ from: '2026-01-03', to: '2026-01-03' })).toEqual({
    ...{ amounts: [], opening: 1111, closing: 1111 },
  });
  expect(await read({})).toMatchObject({ opening: 0, closing: 1111 });
  for (const from of ['May', '0000-01-01']) {
    const wrong = await fixture.server.call(requests.client, payments.statement, { query: { from } });
    expect(wrong.problem).toMatchObject({
      type: 'general_argument_invalid',
      fields: { from: 'Must be a date' },
    });
  }
});
