import { nowDate } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { adminMoney } from '@tara/contract/money/admin-money';
import { admin as confirming } from '@tara/contract/money/confirmations';
import { requestCases } from '@tara/contract/money/disputes';
import { PaymongoUnreachable } from '@tara/paymongo';
import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { postponedItems } from '../../platform/jobs/tables.ts';
import { price, chargebackTest as test, unnamed } from '../../testing/features/chargeback-fixture.ts';
import { insertOwed } from '../../testing/features/disbursements.ts';
import type { PaymentFixture } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { interactions } from '../interactions/index.ts';
import { notifications } from '../notifications/index.ts';
import { recordChargeback } from './chargebacks.ts';
import { disburse } from './disburse.ts';
import { findDisbursement } from './disbursements.ts';
import { chargedBack, escrow, owedTo, readBalance } from './ledger.ts';
import { proveLedger } from './ledger-check.ts';
import { reconcile } from './reconcile.ts';
import { settle } from './settle.ts';
import { attempts, disbursements, unassignedDisputes } from './tables.ts';

type Disputes = PaymentFixture['context']['provider']['disputes'];

/** A round of the reconciler with a provider whose disputes answer otherwise. */
function reconcileWith({ context }: PaymentFixture, changed: Partial<Disputes>): Promise<void> {
  const disputes = { ...context.provider.disputes, ...changed };
  return reconcile({ ...context, provider: { ...context.provider, disputes } }, { settleSeconds: 0 });
}

test.afterEach(async ({ fixture }) => {
  await fixture.provider.clearFaults();
  expect((await proveLedger(fixture.database)).differences).toEqual([]);
});

describe('a chargeback', () => {
  test('freezes what is held: nothing is confirmed or refunded until it is won', async ({
    fixture,
    requests,
    admin,
    issuer,
    balances,
  }) => {
    const id = await requests.fulfilled();
    const disputeId = await issuer.opens(requests, id);
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('open');
    expect(await balances(id)).toEqual({ escrow: 0, disputed: price });
    expect((await proveLedger(fixture.database)).differences).toEqual([]);
    const { reply } = await fixture.server.call(requests.client, calls.interaction, { params: { id } });
    expect(reply.can.dispute).toMatch(/^The card issuer disputes this payment/);
    const confirm = () =>
      fixture.server.call(admin, confirming.confirmPlans, { body: { interactionId: id } });
    expect((await confirm()).problem.text).toMatch(/card issuer/);
    await issuer.decides(disputeId, 'won');
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('won');
    expect(await balances(id)).toEqual({ escrow: price, disputed: 0 });
    expect((await requests.row(id)).frozenAt).toBeNull();
    expect((await confirm()).status).toBe(200);
  });

  test('that is lost ends the request, and the money is the issuer’s', async ({
    fixture,
    requests,
    issuer,
    balances,
  }) => {
    const before = await readBalance(fixture.database, chargedBack);
    const id = await requests.paid();
    const disputeId = await issuer.opens(requests, id);
    await issuer.decides(disputeId, 'lost');
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('lost');
    expect(await requests.row(id)).toMatchObject({
      stage: 'cancelled',
      cancelReason: 'charged_back',
      frozenAt: null,
    });
    expect(await balances(id)).toEqual({ escrow: 0, disputed: 0 });
    expect(await readBalance(fixture.database, chargedBack)).toBe(before - price);
    expect(await requests.transfers(id)).toEqual(['capture', 'chargeback', 'chargeback_lost']);
    const { reply } = await fixture.server.call(requests.client, calls.interaction, { params: { id } });
    // Told by what was taken.
    expect(await requests.notified(id)).not.toContain('paymentUnfrozen client');
    expect(reply.money).toMatchObject({ state: 'charged_back', refund: null, payout: null, takenBack: 250 });
  });

  test('that is lost while a refund is under way is a loss for Tara, and the ledger adds up', async ({
    fixture,
    requests,
    issuer,
    losses: lost,
  }) => {
    const id = await requests.paid();
    const disputeId = await issuer.opens(requests, id);
    await issuer.decides(disputeId, 'lost');
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('lost');
    const { paymentId } = await requests.row(id);
    const before = await lost();
    await fixture.database.transaction(async (transaction) => {
      const late = { id: `late-${id}`, interactionId: id, paymentId: paymentId ?? '', amountCentavos: price };
      const { clientId: recipientId } = await requests.row(id);
      await transaction.update(interactions).set({ refundCentavos: price }).where(eq(interactions.id, id));
      await transaction
        .insert(disbursements)
        .values({ ...late, recipientId, purpose: 'refund', way: 'provider', state: 'sending' });
      await transaction
        .insert(attempts)
        .values({ disbursementId: late.id, number: 1, way: 'provider', key: late.id, amountCentavos: price });
      const refund = await findDisbursement(transaction, late.id);
      if (refund) await settle(transaction, refund, { number: 1, reference: 'ref_1', feeCentavos: 0 });
    });
    expect(await lost()).toBe(before + price);
    expect((await proveLedger(fixture.database)).differences).toEqual([]);
  });

  test('stops nothing of a refund that is under way, and nobody is told that it waits', async ({
    fixture,
    requests,
    issuer,
  }) => {
    const id = await requests.paid();
    const { paymentId, clientId: recipientId } = await requests.row(id);
    const back = { id: `back-${id}`, interactionId: id, paymentId: paymentId ?? '', amountCentavos: price };
    await fixture.database
      .update(interactions)
      .set({ refundCentavos: price, cancelledAt: nowDate(), cancelReason: 'declined' })
      .where(eq(interactions.id, id));
    await fixture.database
      .insert(disbursements)
      .values({ ...back, recipientId, purpose: 'refund', way: 'provider', state: 'sending' });
    await fixture.database
      .insert(attempts)
      .values({ disbursementId: back.id, number: 1, way: 'provider', key: back.id, amountCentavos: price });
    const disputeId = await issuer.opens(requests, id);
    await expect.poll(async () => (await requests.row(id)).frozenAt, waitFor).not.toBeNull();
    await issuer.decides(disputeId, 'won');
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('won');
    expect((await requests.notified(id)).filter((one) => /frozen/i.test(one))).toEqual([]);
    const refund = await findDisbursement(fixture.database, back.id);
    if (!refund) throw new Error('the refund is not there');
    await fixture.database.transaction((transaction) =>
      settle(transaction, refund, { number: 1, reference: 'ref_2', feeCentavos: 0 }),
    );
    expect((await proveLedger(fixture.database)).differences).toEqual([]);
  });

  test('stops a payout that was not sent, which is sent once it is won', async ({
    fixture,
    issuer,
    admin,
  }) => {
    const requests = await openRequestFixture(fixture, { phoneNumber: 'none' });
    const id = await requests.fulfilled();
    await fixture.server.call(admin, confirming.confirmPlans, { body: { interactionId: id } });
    const owed = () => owedTo(fixture.database, requests.creator.profileId);
    expect(await owed()).toBe(price);
    const disputeId = await issuer.opens(requests, id);
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('open');
    expect(await owed()).toBe(0);
    const frozenCentavos = async () => {
      const { items } = (await fixture.server.call(admin, requestCases.chargebacks)).reply;
      return items.find((item) => item.id === disputeId)?.frozen;
    };
    expect(await frozenCentavos()).toBe(250);
    const waitNotices = async () => (await requests.notified(id)).filter((one) => /frozen/i.test(one)).sort();
    expect(await waitNotices()).toEqual(['paymentFrozen client', 'paymentFrozen creator']);
    const freezes = await fixture.database
      .select({ details: notifications.details })
      .from(notifications)
      .where(and(eq(notifications.interactionId, id), eq(notifications.event, 'paymentFrozen')));
    const details = { amount: String(price), isOver: 'yes' };
    expect(freezes).toEqual([{ details }, { details }]);
    expect((await proveLedger(fixture.database)).differences).toEqual([]);
    await issuer.decides(disputeId, 'won');
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('won');
    expect(await owed()).toBe(price);
    expect(await frozenCentavos()).toBe(0);
    expect(await waitNotices()).toEqual([
      ...['paymentFrozen client', 'paymentFrozen creator'],
      ...['paymentUnfrozen client', 'paymentUnfrozen creator'],
    ]);
  });

  test('stops a refund that was not sent, which is sent once it is won', async ({
    fixture,
    requests,
    issuer,
  }) => {
    const id = await requests.paid();
    const disputeId = await issuer.opens(requests, id);
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('open');
    // Owed already, and without a job that would send it.
    const refund = await insertOwed(fixture.database, id, 'refund');
    await disburse(fixture.context, refund);
    // The card issuer decides it, no admin.
    expect(await findDisbursement(fixture.database, refund)).toMatchObject({ problem: null, attempts: 0 });
    await issuer.decides(disputeId, 'won');
    await expect.poll(async () => (await requests.row(id)).refundedAt, waitFor).not.toBeNull();
  });

  test('cancels an unsent payout when it is lost', async ({ fixture, issuer, admin }) => {
    const requests = await openRequestFixture(fixture, { phoneNumber: 'none' });
    const id = await requests.fulfilled();
    await fixture.server.call(admin, confirming.confirmPlans, { body: { interactionId: id } });
    const disputeId = await issuer.opens(requests, id);
    await issuer.decides(disputeId, 'lost');
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('lost');
    expect(await owedTo(fixture.database, requests.creator.profileId)).toBe(0);
    expect(await requests.outgoing(id, 'payout')).toMatchObject({ state: 'void' });
    expect(await requests.row(id)).toMatchObject({ stage: 'completed', chargedBackAt: expect.any(Date) });
  });

  test('a chargeback after the payout freezes nothing, and is a loss for Tara', async ({
    fixture,
    requests,
    admin,
    issuer,
    losses,
  }) => {
    const id = await requests.fulfilled();
    await fixture.server.call(admin, confirming.confirmPlans, { body: { interactionId: id } });
    await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
    const before = await losses();
    const disputeId = await issuer.opens(requests, id);
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('open');
    expect((await requests.row(id)).frozenAt).toBeNull();
    await issuer.decides(disputeId, 'lost');
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('lost');
    expect(await losses()).toBe(before + price);
    expect(await requests.row(id)).toMatchObject({ stage: 'completed', chargedBackAt: null });
    // Both see what moved: the payout stays the creator's, and the client has the money back.
    for (const who of [requests.client, requests.creator]) {
      const { reply } = await fixture.server.call(who, calls.interaction, { params: { id } });
      expect(reply.money).toMatchObject({ payout: { state: 'arrived', amount: 250 }, takenBack: 250 });
    }
    expect(await requests.notified(id)).toEqual(
      expect.arrayContaining(['chargedBack client', 'chargedBack creator']),
    );
  });

  test('of a part ends the request, and the rest goes back to the client', async ({
    requests,
    issuer,
    balances,
  }) => {
    const id = await requests.paid();
    const disputeId = await issuer.opens(requests, id, { amount: 100_00 });
    await issuer.decides(disputeId, 'lost');
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('lost');
    expect((await requests.row(id)).refundCentavos).toBe(price - 100_00);
    expect(await requests.outgoing(id, 'refund')).toMatchObject({ amountCentavos: price - 100_00 });
    expect(await balances(id)).toEqual({ escrow: price - 100_00, disputed: 0 });
  });

  test('is found when every event is lost, and when it does not name its payment', async ({
    fixture,
    requests,
    issuer,
  }) => {
    const id = await requests.paid();
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const disputeId = await issuer.opens(requests, id, unnamed);
    await fixture.reconcile();
    expect(await issuer.state(disputeId)).toBe('open');
    // An account that may not read the list asks for the payments.
    const reconcileUnlisted = async () => {
      await fixture.provider.fault({ kind: 'answer_403', path: '/v1/disputes', times: 1 });
      await fixture.reconcile();
    };
    await reconcileUnlisted();
    expect(await issuer.state(disputeId)).toBe('open');
    await issuer.decides(disputeId, 'won');
    await reconcileUnlisted();
    expect(await issuer.state(disputeId)).toBe('won');
    expect((await requests.row(id)).frozenAt).toBeNull();
  });

  test('is asked for by its id while it is open here, assigned or not, and not on the newest page', async ({
    fixture,
    requests,
    issuer,
  }) => {
    const id = await requests.paid();
    const disputeId = await issuer.opens(requests, id);
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('open');
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    await issuer.decides(disputeId, 'won');
    await fixture.database
      .insert(unassignedDisputes)
      .values({ id: 'dsp_old', amountCentavos: price, disputedAt: nowDate() });
    const { disputes } = fixture.provider.client;
    const won = { type: 'dispute', attributes: { amount: price, status: 'won' } };
    await reconcileWith(fixture, {
      list: async () => ({ items: [], hasMore: false }),
      get: async (name) => (name === 'dsp_old' ? { id: name, ...won } : disputes.get(name)),
    });
    expect(await issuer.state(disputeId)).toBe('won');
    expect((await requests.row(id)).frozenAt).toBeNull();
    const [waiting] = await fixture.database
      .select({ state: unassignedDisputes.state })
      .from(unassignedDisputes)
      .where(eq(unassignedDisputes.id, 'dsp_old'));
    expect(waiting).toEqual({ state: 'won' });
  });

  test('is found on an older page, as long as the newer ones have something unknown', async ({
    fixture,
    requests,
    issuer,
  }) => {
    const id = await requests.paid();
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const disputeId = await issuer.opens(requests, id);
    const dispute = await fixture.provider.client.disputes.get(disputeId);
    const foreign = {
      ...dispute,
      id: 'dsp_foreign',
      attributes: { ...dispute.attributes, payment_id: 'pay_x' },
    };
    const cursors: (string | undefined)[] = [];
    const list: Disputes['list'] = async ({ after } = {}) => {
      cursors.push(after);
      if (after === undefined) return { items: [foreign], hasMore: true };
      return after === foreign.id ? { items: [dispute], hasMore: true } : { items: [], hasMore: false };
    };
    await reconcileWith(fixture, { list });
    expect(cursors).toEqual([undefined, foreign.id, disputeId]);
    expect(await issuer.state(disputeId)).toBe('open');
    // Also one about no payment of Tara is known by then.
    cursors.length = 0;
    await reconcileWith(fixture, { list });
    expect(cursors).toEqual([undefined]);
  });

  test('is recorded although an older page cannot be read', async ({ fixture, requests, issuer }) => {
    const id = await requests.paid();
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const disputeId = await issuer.opens(requests, id);
    const dispute = await fixture.provider.client.disputes.get(disputeId);
    const list: Disputes['list'] = async ({ after } = {}) => {
      if (after !== undefined) throw new PaymongoUnreachable('unreadable', 'GET /v1/disputes');
      return { items: [dispute], hasMore: true };
    };
    await reconcileWith(fixture, { list });
    expect(await issuer.state(disputeId)).toBe('open');
  });

  test('that could not be recorded is asked for by its id once no page that is read has it', async ({
    fixture,
    requests,
    issuer,
  }) => {
    const id = await requests.paid();
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const disputeId = await issuer.opens(requests, id);
    await fixture.database.insert(postponedItems).values({
      ...{ work: 'payments.reconcile/disputes', itemId: disputeId, attempts: 1 },
      ...{ retryAt: nowDate(), lastError: 'The lock was not free.' },
    });
    await reconcileWith(fixture, { list: async () => ({ items: [], hasMore: false }) });
    expect(await issuer.state(disputeId)).toBe('open');
  });

  test('is in the list of admins with the evidence for Tara', async ({
    fixture,
    requests,
    admin,
    issuer,
  }) => {
    const id = await requests.fulfilled();
    const disputeId = await issuer.opens(requests, id, { reason: 'not received' });
    await expect.poll(() => issuer.state(disputeId), waitFor).toBe('open');
    const { reply } = await fixture.server.call(admin, requestCases.chargebacks);
    expect(reply.items.find((item) => item.id === disputeId)).toMatchObject({
      ...{ amount: 250, frozen: 250, state: 'open', reason: 'not received' },
      ...{ request: { id }, terms: 'We meet in a public place.' },
      steps: expect.arrayContaining([expect.objectContaining({ step: 'fulfilled' })]),
    });
    expect((await fixture.server.call(requests.client, requestCases.chargebacks)).problem.type).toBe(
      'admin_only',
    );
  });
});

test('a payout whose payment the provider shows as disputed is not sent', async ({
  fixture,
  requests,
  issuer,
  admin,
  says,
}) => {
  const id = await requests.fulfilled();
  const { paymentId } = await requests.row(id);
  // Another one was won, which explains nothing.
  for (const status of ['needs_response', 'won']) await says(`won_${paymentId}`, status, paymentId);
  await fixture.provider.fault({ kind: 'drop_deliveries' });
  const disputeId = await issuer.opens(requests, id);
  await fixture.server.call(admin, confirming.confirmPlans, { body: { interactionId: id } });
  const payout = () => requests.outgoing(id, 'payout');
  await expect
    .poll(async () => (await payout())?.problem, waitFor)
    .toBe('The card issuer disputes the payment.');
  expect(await payout()).toMatchObject({ state: 'owed', attempts: 0 });
  const failed = await fixture.server.call(admin, adminMoney.openMoney, { params: { list: 'failed' } });
  expect(failed.reply.items).toContainEqual(
    expect.objectContaining({ id: (await payout())?.id, way: 'transfer' }),
  );
  await fixture.provider.clearFaults();
  await issuer.decides(disputeId, 'won');
  await expect.poll(async () => (await payout())?.state, waitFor).toBe('arrived');
});

test('keeps the ledger whole in every order of events', async ({ fixture, admin, issuer, balances }) => {
  const happening = fc.constantFrom('accept', 'fulfil', 'confirm', 'withdraw', 'open', 'again');
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 2, maxLength: 7 }),
      fc.constantFrom('won', 'lost'),
      async (happenings, end) => {
        const requests = await openRequestFixture(fixture, { phoneNumber: 'none' });
        const id = await requests.paid();
        const { paymentId } = await requests.row(id);
        await fixture.provider.fault({ kind: 'drop_deliveries' });
        let disputeId: string | null = null;
        const known = async () => {
          const dispute = disputeId && (await fixture.provider.client.disputes.get(disputeId));
          if (dispute)
            await Promise.all([1, 2].map(() => recordChargeback(fixture.context, dispute).catch(() => {})));
          if (dispute) await recordChargeback(fixture.context, dispute);
        };
        for (const event of happenings) {
          if (event === 'accept') await requests.step(requests.creator, 'acceptRequest', id);
          if (event === 'fulfil') await requests.step(requests.client, 'markDone', id);
          if (event === 'withdraw') await requests.step(requests.client, 'cancelRequest', id);
          if (event === 'confirm')
            await fixture.server.call(admin, confirming.confirmPlans, { body: { interactionId: id } });
          if (event === 'open' && disputeId === null) {
            const opened = await fixture.provider.control(`/payments/${paymentId}/dispute`, {});
            if (opened.status === 201)
              disputeId = ((await opened.json()) as { data: { id: string } }).data.id;
            await known();
          }
          if (event === 'again') await known();
        }
        if (disputeId !== null) await issuer.decides(disputeId, end);
        await known();
        await fixture.provider.clearFaults();
        await fixture.reconcile();
        await expect
          .poll(async () => {
            const row = await requests.row(id);
            return row.cancelledAt === null || row.refundedAt !== null || row.chargedBackAt !== null;
          }, waitFor)
          .toBe(true);
        const [row] = await fixture.database.select().from(interactions).where(eq(interactions.id, id));
        const { escrow: held, disputed: frozen } = await balances(id);
        const owed = await owedTo(fixture.database, requests.creator.profileId);
        const isLost = row?.chargedBackAt != null;
        expect(frozen).toBe(0);
        expect(row?.frozenAt).toBeNull();
        const isOver = row?.completedAt != null || row?.cancelledAt != null;
        expect(held).toBe(isOver ? 0 : price);
        expect(owed).toBe(row?.completedAt != null && !isLost ? price : 0);
        expect(await readBalance(fixture.database, escrow(id))).toBe(0 - held);
      },
    ),
    {
      numRuns: 15,
      endOnFailure: true,
      examples: [[['withdraw', 'again', 'open', 'withdraw', 'fulfil'], 'lost']],
    },
  );
});
