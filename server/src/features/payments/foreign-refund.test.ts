import { interactions as calls } from '@tara/contract/interactions/interactions';
import { adminMoney } from '@tara/contract/money/admin-money';
import { admin as confirming } from '@tara/contract/money/confirmations';
import { PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { readDisbursement, refuseAttempt, sendAttempt } from '../../testing/features/disbursements.ts';
import { insertMember } from '../../testing/features/members.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { foreignRefundText } from '../interactions/index.ts';
import { disburse, takeTransfer } from './disburse.ts';
import { turnIntoGivenBack, turnIntoTransfer } from './disbursements.ts';
import { heldFor } from './ledger.ts';
import { orderTexts } from './sending.ts';
import { disbursements } from './tables.ts';

const price = 250_00;
const part = 100_00;

const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  /** Gives back of a request's payment at the provider's dashboard. */
  .extend('giveBack', ({ fixture, requests }) => async (interactionId: string, amount: number) => {
    const paymentId = (await requests.row(interactionId)).paymentId ?? '';
    const { refunds } = fixture.provider.client;
    return refunds.create({ amount, payment_id: paymentId, reason: 'others' });
  })
  .extend(
    'read',
    ({ fixture }) =>
      (id: string) =>
        readDisbursement(fixture.database, id),
  )
  .extend(
    'sent',
    ({ fixture }) =>
      (id: string) =>
        fixture.provider.client.transfers.findByReference(id),
  )
  .extend('listed', ({ fixture, admin }) => async (id: string) => {
    const { reply } = await fixture.server.call(admin, adminMoney.openMoney, { params: { list: 'failed' } });
    return reply.items.find((item) => item.id === id);
  })
  /** A refund that the provider did not give back, and that waits for its client's number. */
  .extend('unnamed', ({ fixture, requests }) => async () => {
    const refund = await requests.owed('refund');
    await fixture.sql`update disbursements set way = 'transfer' where id = ${refund.id}`;
    return refund;
  })
  .extend(
    'nameNumber',
    ({ fixture, requests }) =>
      (interactionId: string) =>
        fixture.server.call(requests.client, calls.setRefundNumber, {
          body: { interactionId, number: '0917 765 4321' },
        }),
  );

test.afterEach(({ fixture }) => fixture.provider.clearFaults());

describe('what was given back at the provider’s dashboard', () => {
  test('holds back the payout of its payment, which admins see at once', async ({
    fixture,
    admin,
    requests,
    giveBack,
    sent,
    listed,
  }) => {
    const id = await requests.fulfilled();
    await giveBack(id, price);
    await fixture.server.call(admin, confirming.confirmPlans, { body: { interactionId: id } });
    const payout = () => requests.outgoing(id, 'payout');
    await expect.poll(async () => (await payout())?.problem, waitFor).toBe(foreignRefundText);
    const known = await payout();
    expect(known).toMatchObject({ state: 'owed', attempts: 0 });
    expect(await listed(known?.id ?? '')).toMatchObject({ problem: foreignRefundText, atProvider: 'no' });
    expect(await sent(known?.id ?? '')).toEqual([]);
    // The creator can do nothing about it.
    const seen = await fixture.server.call(requests.creator, calls.interaction, { params: { id } });
    expect(seen.reply.money.payout).toMatchObject({ state: 'on_hold', problem: null });
  });

  test.for([
    ['payment.refunded', 'payment.refund.'],
    ['payment.refund.updated', 'payment.refunded'],
  ])('is noticed by its event %s', async ([_event, lost], { fixture, requests, giveBack, read, sent }) => {
    const { id, interactionId } = await requests.owed('payout');
    await fixture.provider.fault({ kind: 'drop_deliveries', event: lost });
    await giveBack(interactionId, part);
    await expect.poll(async () => (await read(id)).problem, waitFor).toBe(foreignRefundText);
    expect(await sent(id)).toEqual([]);
  });

  test('is why a payout waits whose order may be at the provider', async ({
    fixture,
    requests,
    giveBack,
    read,
  }) => {
    const { id, interactionId } = await requests.owed('payout');
    await sendAttempt(fixture.database, id);
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await giveBack(interactionId, part);
    await disburse(fixture.context, id);
    expect(await read(id)).toMatchObject({ state: 'sending', problem: foreignRefundText });
  });

  test('holds nothing back once it failed', async ({ fixture, requests, giveBack, read, sent }) => {
    const { id, interactionId } = await requests.owed('payout');
    await fixture.provider.fault({ kind: 'fail_refund', times: 1 });
    await giveBack(interactionId, part);
    await expect.poll(async () => (await read(id)).state, waitFor).toBe('arrived');
    expect(await sent(id)).toHaveLength(1);
  });

  test('leaves no trace once it failed where the payout waits for a person', async ({
    fixture,
    requests,
    giveBack,
    read,
  }) => {
    const { id, interactionId } = await requests.owed('payout');
    await fixture.sql`update profiles set phone_number = '' where id = ${requests.creator.profileId}`;
    await fixture.sql`update disbursements set problem = ${foreignRefundText} where id = ${id}`;
    await fixture.provider.fault({ kind: 'fail_refund', times: 1 });
    await giveBack(interactionId, part);
    await expect.poll(async () => (await read(id)).problem, waitFor).toBeNull();
    expect(await read(id)).toMatchObject({ state: 'owed', attempts: 0 });
  });

  test('is looked at again after an hour, also of a payout that waits for a number', async ({
    fixture,
    requests,
    read,
  }) => {
    const { id } = await requests.owed('payout');
    await fixture.sql`update profiles set phone_number = '' where id = ${requests.creator.profileId}`;
    const other = await requests.owed('payout');
    await fixture.sql`update disbursements set problem = ${foreignRefundText} where id = ${other.id}`;
    await fixture.sql`
      update disbursements set problem = ${foreignRefundText}, updated_at = now() - interval '2 hours' where id = ${id}`;
    await fixture.reconcile();
    await expect.poll(async () => (await read(id)).problem, waitFor).toBeNull();
    expect((await read(other.id)).problem).toBe(foreignRefundText);
  });

  test('keeps its reason while the provider is away', async ({ fixture, requests, read }) => {
    const { id } = await requests.owed('payout');
    await fixture.sql`update disbursements set problem = ${foreignRefundText}, created_at = now() - interval '2 hours' where id = ${id}`;
    const { client } = fixture.provider;
    const get = async () => {
      throw new PaymongoError(500, [{ code: 'internal_server_error', detail: 'It broke.' }], {});
    };
    const provider = { ...client, payments: { ...client.payments, get } };
    await expect(disburse({ ...fixture.context, provider }, id)).rejects.toMatchObject({ status: 500 });
    expect((await read(id)).problem).toBe(foreignRefundText);
  });

  test('does not hide a transfer that left before and comes to light', async ({ fixture, read, unnamed }) => {
    const { id } = await unnamed();
    await sendAttempt(fixture.database, id);
    await fixture.sql`update attempts set state = 'lost', ended_at = now() where disbursement_id = ${id}`;
    await fixture.sql`update disbursements set state = 'owed', way = 'provider' where id = ${id}`;
    const { client } = fixture.provider;
    const transfer = { id: `tr_${id}`, status: 'succeeded', amount: price, reference_number: id, fee: 0 };
    const arrival = { ...transfer, destination_account: { number: '09177654321' } };
    const transfers = { ...client.transfers, get: async () => arrival as never };
    const context = { ...fixture.context, provider: { ...client, transfers } };
    await takeTransfer(context, id, `tr_${id}`);
    expect(await read(id)).toMatchObject({ state: 'sending', way: 'transfer', problem: null });
    await disburse(context, id);
    expect(await read(id)).toMatchObject({ state: 'arrived', way: 'transfer' });
  });

  test.for([
    ['that failed', { status: 'failed' }, null],
    ['of another payout or refund', { reference_number: 'other' }, null],
    ['of another amount', { amount: part }, orderTexts.doubtful],
  ] as const)(
    'is no transfer that comes to light: one %s',
    async ([_case, change, problem], { fixture, read, unnamed }) => {
      const { id } = await unnamed();
      await sendAttempt(fixture.database, id);
      await fixture.sql`update attempts set state = 'lost', ended_at = now() where disbursement_id = ${id}`;
      await fixture.sql`update disbursements set state = 'owed' where id = ${id}`;
      const { client } = fixture.provider;
      const transfer = { id: `tr_${id}`, status: 'succeeded', amount: price, reference_number: id };
      const shown = { ...transfer, destination_account: { number: '09177654321' }, ...change };
      const transfers = { ...client.transfers, get: async () => shown as never };
      await takeTransfer({ ...fixture.context, provider: { ...client, transfers } }, id, `tr_${id}`);
      expect(await read(id)).toMatchObject({ state: 'owed', problem });
    },
  );

  test('is no transfer that the provider does not know, and is looked at again while that is away', async ({
    fixture,
    read,
    unnamed,
  }) => {
    const { id } = await unnamed();
    const { client } = fixture.provider;
    const take = (status: number) => {
      const get = async (): Promise<never> => {
        throw new PaymongoError(status, [{ code: 'refused', detail: 'No.' }], {});
      };
      const provider = { ...client, transfers: { ...client.transfers, get } };
      return takeTransfer({ ...fixture.context, provider }, id, 'tr_none');
    };
    await expect(take(500)).rejects.toMatchObject({ status: 500 });
    await take(404);
    expect(await read(id)).toMatchObject({ state: 'owed', problem: null });
  });

  test('that failed sends no transfer to a number that was refused before', async ({
    fixture,
    read,
    unnamed,
  }) => {
    const { id, interactionId } = await unnamed();
    await fixture.sql`update interactions set refund_number = '09177654321' where id = ${interactionId}`;
    await refuseAttempt(fixture.database, id, 'The account is closed.');
    await fixture.database.transaction(async (transaction) => {
      await turnIntoGivenBack(transaction, id);
      await turnIntoTransfer(transaction, id);
    });
    expect(await read(id)).toMatchObject({ way: 'transfer', number: null });
  });

  test('is the refund that waits for a number when it is all of it, so that no transfer follows', async ({
    fixture,
    requests,
    giveBack,
    read,
    sent,
    unnamed,
    nameNumber,
  }) => {
    const { id, interactionId } = await unnamed();
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const { id: reference } = await giveBack(interactionId, price);
    // The provider would not give it back any more.
    const { paymentId } = await requests.row(interactionId);
    await fixture.provider.control(`/payments/${paymentId}/age`, { days: 61 });
    expect((await nameNumber(interactionId)).status).toBe(200);
    await expect.poll(async () => (await read(id)).attempt?.reference, waitFor).toBe(reference);
    await expect
      .poll(async () => {
        await disburse(fixture.context, id);
        return (await read(id)).state;
      }, waitFor)
      .toBe('arrived');
    expect(await read(id)).toMatchObject({ way: 'provider', attempts: 1 });
    expect(await sent(id)).toEqual([]);
    expect(await heldFor(fixture.database, interactionId)).toBe(0);
    expect(await requests.transfers(interactionId)).toEqual(['capture', 'refund']);
  });

  test('holds back the transfer of a refund when it is a part of it', async ({
    fixture,
    giveBack,
    read,
    sent,
    listed,
    unnamed,
    nameNumber,
  }) => {
    const { id, interactionId } = await unnamed();
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await giveBack(interactionId, part);
    await nameNumber(interactionId);
    await expect.poll(async () => (await read(id)).problem, waitFor).toBe(foreignRefundText);
    expect(await read(id)).toMatchObject({ state: 'owed', attempts: 0, owedCentavos: price });
    expect(await listed(id)).toMatchObject({ problem: foreignRefundText });
    expect(await sent(id)).toEqual([]);
  });

  test('holds back a refund of another amount, also by transfer', async ({
    fixture,
    admin,
    requests,
    giveBack,
    read,
    sent,
  }) => {
    const { id, interactionId } = await requests.owed('refund');
    const other = await requests.owed('payout');
    await fixture.sql`update interactions set refund_number = '09177654321' where id = ${interactionId}`;
    await refuseAttempt(fixture.database, id, 'The amount is more than what is left.');
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await giveBack(interactionId, part);
    await disburse(fixture.context, id);
    expect(await read(id)).toMatchObject({ state: 'owed', attempts: 1, problem: foreignRefundText });
    expect((await read(other.id)).problem).toBeNull();
    const { status } = await fixture.server.call(admin, adminMoney.retryMoney, {
      body: { id, byTransfer: true, reason: 'The client asked for it' },
    });
    expect(status).toBe(200);
    await expect.poll(async () => (await read(id)).problem, waitFor).toBe(foreignRefundText);
    expect(await read(id)).toMatchObject({ way: 'transfer', state: 'owed', attempts: 1 });
    expect(await sent(id)).toEqual([]);
  });
});

describe('a payout beside a refund of the same payment', () => {
  const split = test.extend('both', async ({ fixture, requests }) => {
    const payout = await requests.owed('payout', price - part);
    const { interactionId } = payout;
    const paymentId = (await requests.row(interactionId)).paymentId ?? '';
    const refund = newId();
    await fixture.database.insert(disbursements).values({
      ...{ id: refund, interactionId, paymentId, purpose: 'refund', way: 'provider' },
      ...{ recipientId: requests.client.profileId, amountCentavos: part },
    });
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'payment.refund' });
    return { payout: payout.id, refund, interactionId };
  });

  split('leaves while the answer to the refund is lost', async ({ fixture, both, read }) => {
    const { client } = fixture.provider;
    const create: typeof client.refunds.create = async (...order) => {
      await client.refunds.create(...order);
      throw new PaymongoUnreachable('timeout', 'POST /v1/refunds');
    };
    const provider = { ...client, refunds: { ...client.refunds, create } };
    await disburse({ ...fixture.context, provider }, both.refund).catch(() => undefined);
    expect(await read(both.refund)).toMatchObject({ attempt: { state: 'sent', reference: null } });
    await disburse(fixture.context, both.payout);
    await expect.poll(async () => (await read(both.payout)).state, waitFor).toBe('arrived');
  });

  split('leaves while the refund is under way', async ({ fixture, both, read }) => {
    await disburse(fixture.context, both.refund);
    await disburse(fixture.context, both.payout);
    await expect.poll(async () => (await read(both.payout)).state, waitFor).toBe('arrived');
  });

  split(
    'leaves when somebody gave back what is owed to the client',
    async ({ fixture, both, read, giveBack }) => {
      await giveBack(both.interactionId, part);
      await disburse(fixture.context, both.payout);
      await expect.poll(async () => (await read(both.payout)).state, waitFor).toBe('arrived');
    },
  );

  split(
    'waits when more was given back than the refund that was sent',
    async ({ fixture, both, read, sent, giveBack }) => {
      await expect
        .poll(async () => {
          await disburse(fixture.context, both.refund);
          return (await read(both.refund)).state;
        }, waitFor)
        .toBe('arrived');
      await giveBack(both.interactionId, part);
      await disburse(fixture.context, both.payout);
      expect(await read(both.payout)).toMatchObject({ state: 'owed', problem: foreignRefundText });
      expect(await sent(both.payout)).toEqual([]);
    },
  );
});
