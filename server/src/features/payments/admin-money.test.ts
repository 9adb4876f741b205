import { nowMs } from '@tara/contract/clock';
import { adminMoney, type MoneyCase } from '@tara/contract/money/admin-money';
import { defaultAccount, PaymongoError } from '@tara/paymongo';
import { desc, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import {
  freeze,
  readDisbursement,
  refuseAttempt,
  sendAttempt,
  unfreeze,
} from '../../testing/features/disbursements.ts';
import { insertMember, type Member, withOldPassword } from '../../testing/features/members.ts';
import { type PaymentFixture, paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, type RequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { accounts } from '../accounts/tables.ts';
import { auditLog } from '../audit/tables.ts';
import { readInteraction } from '../interactions/index.ts';
import { openMoney, recordPayout } from './admin-money.ts';
import { confirmPlan } from './confirm.ts';
import { decideSending } from './decide-sending.ts';
import { disburse } from './disburse.ts';
import { atRisk, book, byHand, cash, heldFor, losses, owedTo, payable, readBalance } from './ledger.ts';
import { capturedPayments, disbursements, manualTransfers } from './tables.ts';

const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  .extend(
    'refund',
    ({ fixture, admin }) =>
      (interactionId: string, who = admin) =>
        fixture.server.call(who, adminMoney.refundRequest, {
          body: { interactionId, reason: 'Both asked for it' },
        }),
  )
  .extend('lastAudit', ({ fixture, admin }) => async () => {
    const [line] = await fixture.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.actorAccountId, admin.accountId))
      .orderBy(desc(auditLog.id))
      .limit(1);
    return line;
  })
  /** A payout that is owed and has no job. */
  .extend(
    'owe',
    ({ requests }) =>
      () =>
        requests.owed('payout'),
  )
  /** The same, where admins send payouts by hand. */
  .extend('manual', { scope: 'file' }, ({ fixture }) => ({
    ...fixture.context,
    config: { ...fixture.context.config, payouts: 'manual' as const },
  }));

describe('an admin', () => {
  test('refunds a paid request that is not over, in full and once', async ({
    fixture,
    requests,
    refund,
    lastAudit,
  }) => {
    const id = await requests.fulfilled();
    const statuses = (await Promise.all([refund(id), refund(id)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    await expect.poll(async () => (await requests.row(id)).refundedAt, waitFor).not.toBeNull();
    expect(await requests.row(id)).toMatchObject({
      cancelReason: 'refunded',
      cancelNote: 'Both asked for it',
    });
    expect(await requests.notified(id)).toEqual([
      ...['accepted client', 'cancelled client', 'cancelled creator', 'fulfilled creator'],
      ...['paid client', 'paid creator', 'refunded client', 'requested creator'],
    ]);
    expect(await heldFor(fixture.database, id)).toBe(0);
    expect(await lastAudit()).toMatchObject({ action: 'request.refund', subject: `interaction:${id}` });
  });

  test.for([
    ['unpaid', 'The request is not paid yet.'],
    ['free', 'This plan is free: nothing was paid.'],
    ['disputed', 'There is an open dispute. An admin decides it.'],
    ['frozen', 'The card issuer disputes this payment. Nothing can be decided until it answers.'],
  ] as const)(
    'does not refund a request that is %s',
    async ([state, text], { fixture, requests, refund }) => {
      const id =
        state === 'unpaid'
          ? await requests.requested()
          : state === 'free'
            ? await requests.requested(0)
            : await requests.paid();
      if (state === 'disputed')
        await fixture.sql`update interactions set disputed_at = now() where id = ${id}`;
      if (state === 'frozen') await freeze(fixture.database, id);
      expect((await refund(id)).problem).toMatchObject({ type: 'request_decision_not_possible', text });
      const read = await readInteraction(fixture.database, requests.client, id);
      expect(read.frozen).toBe(state === 'frozen');
    },
  );

  test('does neither refund a request of their own, nor with an old password, nor an unknown one', async ({
    fixture,
    requests,
    admin,
    refund,
  }) => {
    const id = await requests.paid();
    expect((await refund('nothing')).problem.type).toBe('interaction_not_found');
    expect((await refund(id, withOldPassword(admin))).problem.type).toBe('user_recent_password_required');
    expect((await refund(id, requests.client)).problem.type).toBe('admin_only');
    await fixture.database
      .update(accounts)
      .set({ labels: ['admin'] })
      .where(eq(accounts.id, requests.client.accountId));
    expect((await refund(id, requests.client)).problem.type).toBe('admin_own_record');
    expect(await requests.row(id)).toMatchObject({ cancelledAt: null });
  });
});

describe('a payout', () => {
  /** Confirms a request; its payout's own job, whose limit is the usual one, has asked for a number and sent nothing. */
  const confirmUnsent = async (fixture: PaymentFixture, requests: RequestFixture, admin: Member) => {
    const id = await requests.fulfilled();
    const setNumber = (number: string) =>
      fixture.sql`update profiles set phone_number = ${number} where id = ${requests.creator.profileId}`;
    await setNumber('');
    await confirmPlan(fixture.platform, admin, id);
    await expect.poll(() => requests.notified(id), waitFor).toContain('payoutNumber creator');
    await setNumber('0917 765 4321');
    return { interactionId: id, id: (await requests.outgoing(id, 'payout'))?.id ?? '' };
  };
  const withLimit = ({ context }: PaymentFixture, payoutLimitCentavos: number) => ({
    ...context,
    config: { ...context.config, payoutLimitCentavos },
  });

  test('above what one transfer carries is not sent, and an admin records it from the list to pay out by hand', async ({
    fixture,
    admin,
    requests,
  }) => {
    const { id, interactionId } = await confirmUnsent(fixture, requests, admin);
    const limited = withLimit(fixture, 249_99);
    await disburse(limited, id);
    expect(await readDisbursement(fixture.database, id)).toMatchObject({ state: 'owed', attempts: 0 });
    const listed = async (context = limited) =>
      (await openMoney(context, 'toPayOut', undefined)).items.some((item) => item.id === id);
    expect([await listed(), await listed(fixture.context)]).toEqual([true, false]);
    const sent = { id, reference: 'BANK-1', amountCentavos: 250_00 };
    await expect(recordPayout(fixture.context, admin, sent)).rejects.toMatchObject({
      type: 'money_case_not_possible',
    });
    await recordPayout(limited, admin, sent);
    expect(await listed()).toBe(false);
    expect((await requests.row(interactionId)).paidOutAt).not.toBeNull();
  });

  test('of which a card issuer left no more than one transfer carries is sent', async ({
    fixture,
    requests,
    owe,
  }) => {
    const { id, interactionId } = await owe();
    const { paymentId, creatorId } = await requests.row(interactionId);
    const limited = withLimit(fixture, 150_00);
    const listed = async () =>
      (await openMoney(limited, 'toPayOut', undefined)).items.some((item) => item.id === id);
    expect(await listed()).toBe(true);
    await fixture.database.transaction((transaction) =>
      book(transaction, {
        ...{ kind: 'chargeback', interactionId, paymentId, of: `dsp_${id}` },
        entries: [
          [payable(creatorId), 100_00],
          [atRisk, -100_00],
        ],
      }),
    );
    expect(await listed()).toBe(false);
    await disburse(limited, id);
    expect((await readDisbursement(fixture.database, id)).attempt).toMatchObject({ amountCentavos: 150_00 });
  });

  test('of just what one transfer carries is sent', async ({ fixture, admin, requests }) => {
    const { id } = await confirmUnsent(fixture, requests, admin);
    const limited = withLimit(fixture, 250_00);
    expect((await openMoney(limited, 'toPayOut', undefined)).items.map((item) => item.id)).not.toContain(id);
    await disburse(limited, id);
    expect((await readDisbursement(fixture.database, id)).attempt?.reference).not.toBeNull();
  });
});

describe('what was refused', () => {
  test('is listed, and a payout is tried again with a reason', async ({
    fixture,
    admin,
    requests,
    lastAudit,
  }) => {
    requests = await openRequestFixture(fixture, { phoneNumber: '999999990004' });
    const id = await requests.fulfilled();
    await confirmPlan(fixture.platform, admin, id);
    const listed = async () =>
      (
        await fixture.server.call(admin, adminMoney.openMoney, { params: { list: 'failed' }, query: {} })
      ).reply.items.find((item) => item.interactionId === id);
    await expect.poll(listed, waitFor).toMatchObject({
      ...{ way: 'transfer', purpose: 'payout', number: '999999990004', amount: 250, attempts: 1 },
      problem: expect.stringContaining('inactive'),
    });
    await fixture.sql`update profiles set phone_number = '0917 765 4321' where id = ${requests.creator.profileId}`;
    const { id: payout = '' } = (await requests.outgoing(id, 'payout')) ?? {};
    const body = { id: payout, reason: 'The number is right now' };
    expect((await fixture.server.call(requests.client, adminMoney.retryMoney, { body })).problem.type).toBe(
      'admin_only',
    );
    expect((await fixture.server.call(admin, adminMoney.retryMoney, { body })).status).toBe(200);
    await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
    expect(await listed()).toBeUndefined();
    expect(await lastAudit()).toMatchObject({ action: 'payout.retry', subject: `payout:${payout}` });
    expect((await fixture.server.call(admin, adminMoney.retryMoney, { body })).problem.type).toBe(
      'money_case_not_possible',
    );
  });

  /** A refund that is owed and has no job, with a number where it goes by a transfer. */
  const oweRefund = async ({ sql }: PaymentFixture, requests: RequestFixture) => {
    const refund = await requests.owed('refund');
    await sql`update interactions set refund_number = '09171234567' where id = ${refund.interactionId}`;
    return refund;
  };

  test('of a refund becomes a transfer when an admin says so, once', async ({ fixture, admin, requests }) => {
    const { id, interactionId } = await oweRefund(fixture, requests);
    const { client } = fixture.provider;
    const create = async () => {
      throw new PaymongoError(400, [{ code: 'resource_failed_state', detail: 'It cannot be refunded.' }], {});
    };
    const provider = { ...client, refunds: { ...client.refunds, create } };
    await disburse({ ...fixture.context, provider }, id);
    const page = await openMoney(fixture.context, 'failed', undefined);
    expect(page.items.find((item) => item.id === id)).toMatchObject({
      way: 'provider',
      problem: 'It cannot be refunded.',
      number: null,
    });
    const body = { id, byTransfer: true, reason: 'Support said so' };
    const statuses = await Promise.all(
      [1, 2].map(() => fixture.server.call(admin, adminMoney.retryMoney, { body })),
    );
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409]);
    await expect.poll(async () => (await requests.row(interactionId)).refundedAt, waitFor).not.toBeNull();
    expect(await heldFor(fixture.database, interactionId)).toBe(0);
  });

  test('of a refund is sent again when an admin says so', async ({ fixture, admin, requests }) => {
    const { id, interactionId } = await oweRefund(fixture, requests);
    const other = await requests.owed('refund');
    for (const refund of [id, other.id])
      await refuseAttempt(fixture.database, refund, 'The balance is short.');
    const body = { id, reason: 'The balance is there now' };
    expect((await fixture.server.call(admin, adminMoney.retryMoney, { body })).status).toBe(200);
    expect((await readDisbursement(fixture.database, other.id)).problem).toBe('The balance is short.');
    await expect.poll(async () => (await requests.row(interactionId)).refundedAt, waitFor).not.toBeNull();
    expect(await heldFor(fixture.database, interactionId)).toBe(0);
  });

  test('of a refund becomes no transfer before it was ordered, nor a second time', async ({
    fixture,
    admin,
    requests,
  }) => {
    const { id } = await oweRefund(fixture, requests);
    const retry = () =>
      fixture.server.call(admin, adminMoney.retryMoney, {
        body: { id, byTransfer: true, reason: 'It takes long' },
      });
    await fixture.sql`update disbursements set created_at = now() - interval '61 minutes' where id = ${id}`;
    expect((await retry()).problem.type).toBe('money_case_not_possible');
    expect(await readDisbursement(fixture.database, id)).toMatchObject({ way: 'provider', attempts: 0 });
    await fixture.sql`update disbursements set way = 'transfer' where id = ${id}`;
    await refuseAttempt(fixture.database, id, 'The account is closed.');
    expect((await retry()).problem.type).toBe('money_case_not_possible');
  });

  test('of a refund does not become a transfer while nobody knows whether its last order was taken', async ({
    fixture,
    admin,
    requests,
  }) => {
    const { id } = await oweRefund(fixture, requests);
    await refuseAttempt(fixture.database, id, 'Not now.');
    await sendAttempt(fixture.database, id);
    await fixture.sql`update disbursements set created_at = now() - interval '61 minutes' where id = ${id}`;
    expect(await listFailed(fixture.context)).toContainEqual(
      expect.objectContaining({ id, way: 'provider', atProvider: 'maybe' }),
    );
    const body = { id, byTransfer: true, reason: 'It takes long' };
    const { problem } = await fixture.server.call(admin, adminMoney.retryMoney, { body });
    expect(problem.type).toBe('money_case_not_possible');
    expect(await readDisbursement(fixture.database, id)).toMatchObject({ way: 'provider', state: 'sending' });
  });

  /** A payout that was sent 25 hours ago, of which nobody knows what became. */
  const sendUnanswered = async (fixture: PaymentFixture, requests: RequestFixture) => {
    const payout = await requests.owed('payout');
    const sentAt = new Date(nowMs() - 25 * 3_600_000);
    await sendAttempt(fixture.database, payout.id, { sentAt });
    await fixture.sql`update disbursements set created_at = now() - interval '25 hours' where id = ${payout.id}`;
    return payout;
  };

  test('and may be at the provider is decided after 24 hours: it never left, and is sent again', async ({
    fixture,
    admin,
    requests,
    lastAudit,
  }) => {
    const { id, interactionId } = await sendUnanswered(fixture, requests);
    expect(await listFailed(fixture.context)).toContainEqual(
      expect.objectContaining({ id, atProvider: 'doubtful' }),
    );
    const decide = (who = admin) =>
      fixture.server.call(who, adminMoney.decideSending, { body: { id, reason: 'It is not there' } });
    // Before it is forgotten something of it may be on its way.
    const setAge = (hours: number) =>
      fixture.sql`update attempts set sent_at = now() - make_interval(hours => ${hours}) where disbursement_id = ${id}`;
    await setAge(23);
    expect((await decide()).problem.type).toBe('money_case_not_possible');
    await setAge(25);
    expect((await decide(requests.client)).problem.type).toBe('admin_only');
    expect((await decide(withOldPassword(admin))).problem.type).toBe('user_recent_password_required');
    const statuses = (await Promise.all([decide(), decide()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect(await lastAudit()).toMatchObject({ action: 'payout.decideSending', subject: `payout:${id}` });
    await expect.poll(async () => (await requests.row(interactionId)).paidOutAt, waitFor).not.toBeNull();
    expect(await readDisbursement(fixture.database, id)).toMatchObject({ attempts: 2 });
    expect((await decide()).problem.type).toBe('money_case_not_possible');
  });

  test('and may be at the provider is decided after 24 hours: it is what the provider calls so', async ({
    fixture,
    admin,
    requests,
    onTestFinished,
  }) => {
    // Nothing but the decision begins the job.
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'transfer.' });
    onTestFinished(() => fixture.provider.clearFaults());
    const { id, interactionId } = await sendUnanswered(fixture, requests);
    const { transfers, wallets } = fixture.provider.client;
    const source = defaultAccount(await wallets.list());
    if (source === null) throw new Error('the provider has no wallet');
    const make = (amount: number, whose = id, number = '999999990001') =>
      transfers.create(
        {
          ...{
            amount,
            currency: 'PHP',
            provider: 'instapay',
            reference_number: whose,
            description: 'By hand',
          },
          source_account: source,
          destination_account: { number, name: 'Ana', bic: 'GXCHPHM2XXX' },
        },
        `${whose} ${amount} ${number}`,
      );
    const decide = (reference: string) =>
      fixture.server.call(admin, adminMoney.decideSending, {
        body: { id, reference, reason: 'It is there' },
      });
    const refusal = async (reference: string) => (await decide(reference)).problem.fields?.reference;
    expect(await refusal('tr_unknown')).toBe('The provider does not show it.');
    expect(await refusal((await make(100_00)).id)).toBe('The provider has another amount under it.');
    const other = await sendUnanswered(fixture, requests);
    expect(await refusal((await make(250_00, other.id)).id)).toBe(
      'The provider has it for another payout or refund.',
    );
    const { id: failed } = await make(250_00, id, '999999990004');
    await expect.poll(async () => (await transfers.get(failed)).status, waitFor).toBe('failed');
    expect(await refusal(failed)).toBe('The provider says that it failed.');
    const { id: reference } = await make(250_00);
    await expect.poll(async () => (await transfers.get(reference)).status, waitFor).toBe('succeeded');
    const unsent = { body: { id, reason: 'It is not there' } };
    expect((await fixture.server.call(admin, adminMoney.decideSending, unsent)).problem.type).toBe(
      'money_case_not_possible',
    );
    expect((await decide(reference)).status).toBe(200);
    await expect.poll(async () => (await requests.row(interactionId)).paidOutAt, waitFor).not.toBeNull();
    expect(await readDisbursement(fixture.database, id)).toMatchObject({
      attempts: 1,
      attempt: { state: 'arrived', reference },
    });
  });

  test('of a refund and may be at the provider is what the provider calls so', async ({
    fixture,
    admin,
    requests,
    onTestFinished,
  }) => {
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'payment.refund' });
    onTestFinished(() => fixture.provider.clearFaults());
    const { id, interactionId } = await requests.owed('refund');
    await sendAttempt(fixture.database, id, { sentAt: new Date(nowMs() - 25 * 3_600_000) });
    const { paymentId } = await requests.row(interactionId);
    const { refunds } = fixture.provider.client;
    const order = { amount: 250_00, reason: 'others' } as const;
    const { id: reference } = await refunds.create({ ...order, payment_id: paymentId ?? '' });
    const other = await requests.row(await requests.paid());
    const { id: otherReference } = await refunds.create({ ...order, payment_id: other.paymentId ?? '' });
    const decide = (name: string) =>
      fixture.server.call(admin, adminMoney.decideSending, {
        body: { id, reference: name, reason: 'It is there' },
      });
    expect((await decide(otherReference)).problem.fields).toEqual({
      reference: 'The provider has it for another payout or refund.',
    });
    expect((await decide(reference)).status).toBe(200);
    expect((await readDisbursement(fixture.database, id)).attempt).toMatchObject({ reference });
  });

  test('and may be at the provider is not decided while that does not answer, and is where that lists nothing to the account', async ({
    fixture,
    admin,
    requests,
  }) => {
    const { id } = await sendUnanswered(fixture, requests);
    const { client } = fixture.provider;
    const decideAt = (status: number, named: { reference?: string }) => {
      const refuse = async (): Promise<never> => {
        throw new PaymongoError(status, [{ code: 'refused', detail: 'No.' }], {});
      };
      const transfers = { ...client.transfers, get: refuse, findByReference: refuse };
      const context = { ...fixture.context, provider: { ...client, transfers } };
      return decideSending(context, admin, { id, ...named, reason: 'The dashboard says so' });
    };
    const away = { type: 'general_unavailable' };
    await expect(decideAt(500, {})).rejects.toMatchObject(away);
    await expect(decideAt(500, { reference: 'tr_1' })).rejects.toMatchObject(away);
    const unread = { ...away, text: 'the provider does not let us read it' };
    await expect(decideAt(401, {})).rejects.toMatchObject(unread);
    for (const status of [401, 403])
      await expect(decideAt(status, { reference: 'tr_1' })).rejects.toMatchObject(unread);
    expect((await readDisbursement(fixture.database, id)).attempt).toMatchObject({ state: 'sent' });
    await decideAt(403, {});
    const [first] = await fixture.sql`
      select state from attempts where disbursement_id = ${id} and number = 1`;
    expect(first).toEqual({ state: 'lost' });
  });

  test('and may be at the provider is repeated for 20 hours, whatever an admin says', async ({
    fixture,
    admin,
    requests,
  }) => {
    const { id } = await requests.owed('payout');
    await sendAttempt(fixture.database, id);
    const body = { id, reason: 'It is not there' };
    const { problem } = await fixture.server.call(admin, adminMoney.decideSending, { body });
    expect(problem.type).toBe('money_case_not_possible');
  });

  test('of a refund does not become a transfer while it is being sent again', async ({
    fixture,
    admin,
    requests,
  }) => {
    const { id, interactionId } = await oweRefund(fixture, requests);
    await refuseAttempt(fixture.database, id, 'The balance is short.');
    const { client } = fixture.provider;
    const sending = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const create: typeof client.refunds.create = async (...order) => {
      sending.resolve();
      await answer.promise;
      return client.refunds.create(...order);
    };
    const provider = { ...client, refunds: { ...client.refunds, create } };
    const sent = disburse({ ...fixture.context, provider }, id);
    await sending.promise;
    const body = { id, byTransfer: true, reason: 'It takes long' };
    const { problem } = await fixture.server.call(admin, adminMoney.retryMoney, { body });
    expect(problem.type).toBe('money_case_not_possible');
    answer.resolve();
    await sent;
    await expect.poll(async () => (await requests.row(interactionId)).refundedAt, waitFor).not.toBeNull();
    expect(await readDisbursement(fixture.database, id)).toMatchObject({ way: 'provider' });
  });

  test('is listed whole, also where a split owes both sides on two pages', async ({ fixture, requests }) => {
    const { id, interactionId } = await requests.owed('refund', 100_00);
    const { paymentId, creatorId, clientId } = await requests.row(interactionId);
    const old = { interactionId, amountCentavos: 1_00, problem: 'Not now.' };
    const ids = Array.from({ length: 19 }, (_, index) => `${id}-${index}`);
    await fixture.database
      .insert(capturedPayments)
      .values(ids.map((id) => ({ id: `pay_${id}`, interactionId, amountCentavos: 1_00 })));
    const refund = { purpose: 'refund', way: 'provider', recipientId: clientId } as const;
    await fixture.database
      .insert(disbursements)
      .values(ids.map((id) => ({ ...old, ...refund, id, paymentId: `pay_${id}` })));
    const split = { purpose: 'payout', way: 'transfer', recipientId: creatorId } as const;
    const payout = { ...old, ...split, id: `${id}-split`, paymentId: paymentId ?? '' };
    await fixture.database.insert(disbursements).values(payout);
    await fixture.sql`update disbursements set created_at = '2020-01-01' where interaction_id = ${interactionId}`;
    await fixture.sql`update disbursements set created_at = '2020-01-02', problem = 'Not now.'
      where id in (${id}, ${payout.id})`;
    const one = await openMoney(fixture.context, 'failed', undefined);
    const two = await openMoney(fixture.context, 'failed', one.next ?? '');
    const listed = [...one.items, ...two.items].filter((item) => [id, payout.id].includes(item.id));
    expect(listed.map(({ purpose }) => purpose).sort()).toEqual(['payout', 'refund']);
  });
});

/** The whole list of what was refused or is late. */
async function listFailed(context: Parameters<typeof openMoney>[0]): Promise<MoneyCase[]> {
  const items: MoneyCase[] = [];
  for (let next: string | null | undefined; next !== null; ) {
    const page = await openMoney(context, 'failed', next);
    items.push(...page.items);
    next = page.next;
  }
  return items;
}

describe('what has not moved for an hour', () => {
  test('is listed whatever its state, with the provider’s last words, and tried again', async ({
    fixture,
    admin,
    requests,
    owe,
  }) => {
    const { id, interactionId } = await owe();
    const listed = async () => (await listFailed(fixture.context)).find((item) => item.id === id);
    const { client } = fixture.provider;
    const refuse = async () => {
      throw new PaymongoError(403, [{ code: 'access_denied', detail: 'Money may not be sent.' }], {});
    };
    const refusing = (part: 'wallets' | 'transfers') => ({
      ...fixture.context,
      provider: { ...client, [part]: { ...client[part], list: refuse, create: refuse } },
    });
    await fixture.sql`update disbursements set created_at = now() - interval '61 minutes' where id = ${id}`;
    expect(await listed()).toMatchObject({ way: 'transfer', problem: null });
    // It waits for the card issuer.
    await freeze(fixture.database, interactionId);
    expect(await listed()).toBeUndefined();
    await unfreeze(fixture.database, interactionId);
    // Before there is an attempt, and with one that may be under way.
    for (const part of ['wallets', 'transfers'] as const) {
      await fixture.sql`update disbursements set created_at = now(), problem = null where id = ${id}`;
      await expect(disburse(refusing(part), id)).rejects.toMatchObject({ status: 403 });
      expect(await listed()).toEqual(
        part === 'wallets' ? expect.objectContaining({ problem: 'Money may not be sent.' }) : undefined,
      );
      await fixture.sql`update disbursements set created_at = now() - interval '61 minutes' where id = ${id}`;
      const atProvider = part === 'wallets' ? 'no' : 'maybe';
      expect(await listed()).toMatchObject({
        way: 'transfer',
        problem: 'Money may not be sent.',
        atProvider,
      });
    }
    await fixture.sql`update attempts set reference = 'tr_1' where disbursement_id = ${id}`;
    expect(await listed()).toMatchObject({ atProvider: 'yes' });
    await fixture.sql`update attempts set reference = null where disbursement_id = ${id}`;
    const body = { id, reason: 'The account may send now' };
    expect((await fixture.server.call(admin, adminMoney.retryMoney, { body })).status).toBe(200);
    await expect.poll(async () => (await requests.row(interactionId)).paidOutAt, waitFor).not.toBeNull();
    expect(await listed()).toBeUndefined();
  });
});

describe('payouts by hand (PAYOUTS=manual)', () => {
  /** Those that could not be recorded, with why. */
  const listRefused = async (context: Parameters<typeof openMoney>[0]) =>
    (await listFailed(context)).filter(({ way }) => way === 'hand').map(({ id, problem }) => [id, problem]);

  test('have one reference each, and what left and could not be recorded is booked as a loss', async ({
    fixture,
    admin,
    requests,
    owe,
    manual,
    lastAudit,
  }) => {
    const amountCentavos = 250_00;
    const owed = [await owe(), await owe(), await owe()].map(({ id }) => ({ id, amountCentavos }));
    const [one, other, third] = owed as [(typeof owed)[0], (typeof owed)[0], (typeof owed)[0]];
    await recordPayout(manual, admin, { ...one, reference: 'BPI one' });
    await expect(recordPayout(manual, admin, { ...other, reference: 'BPI one' })).rejects.toMatchObject({
      type: 'general_argument_invalid',
      fields: { reference: 'This reference belongs to another payout or refund.' },
    });
    const state = async ({ id }: { id: string }) => (await readDisbursement(fixture.database, id)).state;
    expect(await state(other)).toBe('owed');
    // It was sent a second time, and once with another amount than was owed.
    const late = { ...one, reference: 'BPI two' };
    await expect(recordPayout(manual, admin, late)).rejects.toMatchObject({
      type: 'money_case_not_possible',
    });
    const changed = { ...other, amountCentavos: 1, reference: 'BPI three' };
    await expect(recordPayout(manual, admin, changed)).rejects.toMatchObject({ type: 'money_case_changed' });
    expect(await listRefused(manual)).toEqual([
      ['BPI two', 'It was not recorded: it was not to be sent by hand any more.'],
      ['BPI three', 'It was not recorded: another amount was owed.'],
    ]);
    const settle = (hasLeft: boolean, who = admin, reference = 'BPI two') =>
      fixture.server.call(who, adminMoney.settleManualTransfer, {
        body: { reference, hasLeft, reason: 'The bank says so' },
      });
    await expect(recordPayout(manual, admin, { ...other, reference: 'BPI three' })).rejects.toMatchObject({
      fields: { reference: 'Less than this was sent by this reference.' },
    });
    expect((await settle(false, admin, 'BPI three')).status).toBe(200);
    await recordPayout(manual, admin, { ...other, reference: 'BPI three' });
    expect((await settle(true, withOldPassword(admin))).problem.type).toBe('user_recent_password_required');
    expect((await settle(true, requests.client)).problem.type).toBe('admin_only');
    const before = [await readBalance(fixture.database, byHand), await readBalance(fixture.database, losses)];
    const statuses = (await Promise.all([settle(true), settle(true)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 404]);
    expect(await lastAudit()).toMatchObject({ action: 'payout.settleRefused', subject: `payout:${one.id}` });
    expect([
      (await readBalance(fixture.database, byHand)) - (before[0] ?? 0),
      (await readBalance(fixture.database, losses)) - (before[1] ?? 0),
    ]).toEqual([-250_00, 250_00]);
    expect(await listRefused(manual)).toEqual([]);
    // A reference by which nothing left is free again.
    await expect(recordPayout(manual, admin, { ...one, reference: 'BPI four' })).rejects.toThrow();
    await fixture.server.call(admin, adminMoney.settleManualTransfer, {
      body: { reference: 'BPI four', hasLeft: false, reason: 'It was a slip' },
    });
    expect(await listRefused(manual)).toEqual([]);
    await recordPayout(manual, admin, { ...third, reference: 'BPI four' });
    expect(await state(third)).toBe('arrived');
  });

  test('are no case for an admin when they were refused above the price or to a party', async ({
    fixture,
    admin,
    requests,
    owe,
    manual,
  }) => {
    const { id } = await owe();
    const sent = { id, reference: 'BPI 4713', amountCentavos: 250_00 };
    await expect(recordPayout(manual, admin, { ...sent, amountCentavos: 250_01 })).rejects.toMatchObject({
      type: 'money_case_changed',
    });
    // A lost chargeback took all of it.
    await fixture.sql`update disbursements set state = 'void' where id = ${id}`;
    for (const { profileId } of [requests.client, requests.creator])
      await expect(recordPayout(manual, { ...admin, profileId }, sent)).rejects.toMatchObject({
        type: 'admin_own_record',
      });
    expect(await listRefused(manual)).toEqual([]);
    await expect(recordPayout(manual, admin, sent)).rejects.toMatchObject({
      type: 'money_case_not_possible',
    });
    expect(await listRefused(manual)).toMatchObject([[sent.reference, expect.any(String)]]);
    await fixture.database.delete(manualTransfers);
  });

  test('are recorded also when the receiver took the number back meanwhile', async ({
    fixture,
    admin,
    requests,
    owe,
    manual,
  }) => {
    const { id } = await owe();
    const { creator } = requests;
    await fixture.sql`update profiles set phone_number = '' where id = ${creator.profileId}`;
    await recordPayout(manual, admin, { id, reference: 'BPI 4714', amountCentavos: 250_00 });
    expect((await readDisbursement(fixture.database, id)).state).toBe('arrived');
    expect(await listRefused(manual)).toEqual([]);
    await fixture.sql`update profiles set phone_number = '+63 917 123 4567' where id = ${creator.profileId}`;
  });

  test('of a refund have a number first', async ({ fixture, admin, requests, manual }) => {
    const { id } = await requests.owed('refund');
    await fixture.database
      .update(disbursements)
      .set({ way: 'transfer', number: null })
      .where(eq(disbursements.id, id));
    const sent = { id, reference: 'BPI 4715', amountCentavos: 250_00 };
    await expect(recordPayout(manual, admin, sent)).rejects.toMatchObject({
      type: 'money_case_not_possible',
    });
    expect((await readDisbursement(fixture.database, id)).state).toBe('owed');
    await fixture.database.delete(manualTransfers);
    await fixture.database
      .update(disbursements)
      .set({ number: '+639171234567' })
      .where(eq(disbursements.id, id));
    await recordPayout(manual, admin, sent);
    expect((await readDisbursement(fixture.database, id)).state).toBe('arrived');
  });

  test('are listed with their number and booked once with a reference', async ({
    fixture,
    admin,
    requests,
    owe,
    manual,
    lastAudit,
  }) => {
    const { id, interactionId } = await owe();
    const { creatorId: recipientId } = await requests.row(interactionId);
    const { client } = fixture.provider;
    // The account may have no Money Movement.
    const list = async () => {
      throw new PaymongoError(403, [{ code: 'access_denied', detail: 'No access.' }], {});
    };
    await disburse({ ...manual, provider: { ...client, wallets: { ...client.wallets, list } } }, id);
    expect(await client.transfers.findByReference(id)).toEqual([]);
    await fixture.sql`update disbursements set created_at = now() - interval '61 minutes' where id = ${id}`;
    expect((await listFailed(manual)).map((item) => item.id)).not.toContain(id);
    const page = await openMoney(manual, 'toPayOut', undefined);
    expect(page.items.find((item) => item.id === id)).toMatchObject({
      number: '09171234567',
      amount: 250,
      problem: null,
    });
    expect((await openMoney(fixture.context, 'toPayOut', undefined)).items).toEqual([]);
    const before = await readBalance(fixture.database, byHand);
    const wallet = await readBalance(fixture.database, cash);
    const record = { id, reference: 'BPI 4711', amountCentavos: 250_00 };
    // What the admin saw and sent is not what is owed any more.
    await expect(recordPayout(manual, admin, { ...record, amountCentavos: 250_01 })).rejects.toMatchObject({
      type: 'money_case_changed',
    });
    expect(await lastAudit()).toMatchObject({
      ...{ action: 'payout.refuse', subject: `payout:${id}` },
      after: { reference: 'BPI 4711', amountCentavos: 250_01, reason: 'money_case_changed' },
    });
    const both = await Promise.allSettled([
      recordPayout(manual, admin, record),
      recordPayout(manual, admin, record),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await readDisbursement(fixture.database, id)).toMatchObject({
      ...{ state: 'arrived', way: 'hand', attempts: 1 },
      attempt: { way: 'hand', reference: 'BPI 4711', sentBy: admin.accountId, key: null },
    });
    expect((await requests.row(interactionId)).paidOutAt).not.toBeNull();
    expect(await owedTo(fixture.database, recipientId)).toBe(0);
    // It left another account of Tara: the wallet, which is cash minus what was paid out, is unchanged.
    expect(await readBalance(fixture.database, byHand)).toBe(before - 250_00);
    expect(await readBalance(fixture.database, cash)).toBe(wallet + 250_00);
    const lines = await fixture.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, `payout:${id}`));
    expect(lines.filter(({ action }) => action === 'payout.record')).toMatchObject([
      { after: { reference: 'BPI 4711' } },
    ]);
    expect(lines.at(-1)).toMatchObject({
      action: 'payout.refuse',
      after: { reason: 'money_case_not_possible' },
    });
  });

  test('are none of a disputed payment, of an admin about their own request, nor where the provider sends them', async ({
    fixture,
    requests,
    manual,
    admin,
    owe,
    lastAudit,
  }) => {
    const { id, interactionId } = await owe();
    const record = { id, reference: 'BPI 4712', amountCentavos: 250_00 };
    await expect(recordPayout(fixture.context, admin, record)).rejects.toMatchObject({
      type: 'money_case_not_possible',
    });
    await freeze(fixture.database, interactionId);
    await expect(recordPayout(manual, admin, record)).rejects.toMatchObject({
      type: 'money_case_not_possible',
    });
    await unfreeze(fixture.database, interactionId);
    const own = { ...admin, profileId: requests.client.profileId };
    await expect(recordPayout(manual, own, record)).rejects.toMatchObject({ type: 'admin_own_record' });
    await expect(recordPayout(manual, admin, { ...record, id: 'none' })).rejects.toMatchObject({
      type: 'money_case_not_found',
    });
    // Whatever was sent by it, the reference is not lost.
    expect(await lastAudit()).toMatchObject({
      subject: 'payout:none',
      after: { reference: record.reference },
    });
  });
});
