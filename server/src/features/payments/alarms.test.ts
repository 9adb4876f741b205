import { adminWork, type MoneyAlarmKind } from '@tara/contract/admin';
import { nowDate } from '@tara/contract/clock';
import { today } from '@tara/contract/members/profiles';
import { requestCases } from '@tara/contract/money/disputes';
import { longDay } from '@tara/contract/philippine-time';
import { evidenceDueOn, type Paymongo, type Webhook } from '@tara/paymongo';
import { and, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { quietLog } from '../../platform/log.ts';
import { tasks } from '../../platform/tasks.ts';
import { insertMember } from '../../testing/features/members.ts';
import { type PaymentFixture, paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, type RequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { testServer } from '../../testing/server.ts';
import { adminRoutes } from '../admin/index.ts';
import { disputedPaymentText } from '../interactions/index.ts';
import { notifications } from '../notifications/index.ts';
import { updateAlarms } from './alarms.ts';
import { recordChargeback } from './chargebacks.ts';
import { confirmPlan } from './confirm.ts';
import { recordLedgerCheck } from './ledger-check.ts';
import type { PaymentContext } from './provider.ts';
import { registerWebhook } from './registration.ts';
import { chargebacks, ledgerChecks, moneyAlarms, unassignedDisputes } from './tables.ts';
import { watchMoney } from './watch.ts';

const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  .extend('work', { scope: 'file' }, async ({ fixture }, { onCleanup }) => {
    const server = await testServer(fixture.platform, (app) => adminRoutes(app, fixture.platform));
    onCleanup(() => server.close());
    return server;
  })
  /** A request whose payout is owed and does not leave while the provider does not show its wallets. */
  .extend('owe', { scope: 'file' }, ({ fixture, admin }) => async (requests: RequestFixture) => {
    await fixture.provider.fault({ kind: 'answer_403', path: '/v2/wallets' });
    const id = await requests.fulfilled();
    await confirmPlan(fixture.platform, admin, id);
    return id;
  })
  /** The line of the money page of a kind, if there is one. */
  .extend('line', { scope: 'file' }, ({ work, admin }) => async (kind: MoneyAlarmKind) => {
    const { reply } = await work.call(admin, adminWork.moneyOverview);
    return reply.alarms.find((alarm) => alarm.kind === kind) ?? null;
  })
  /** What the admin was notified of. */
  .extend('notices', { scope: 'file' }, ({ fixture, admin }) => async (event: MoneyAlarmKind) => {
    const rows = await fixture.database
      .select()
      .from(notifications)
      .where(and(eq(notifications.event, event), eq(notifications.profileId, admin.profileId)));
    return rows.map(({ details }) => details);
  })
  /** Looks, with some answers of the provider in place of its own; returns what is logged at `error`. */
  .extend('watch', { scope: 'file' }, ({ fixture }) => async (changes: Partial<Paymongo> = {}) => {
    const { log, lines } = errorLog();
    const provider = { ...fixture.provider.client, ...changes };
    await watchMoney({ ...fixture.context, log, provider });
    return lines;
  });

/** A log whose lines of errors are collected. */
function errorLog() {
  const lines: object[] = [];
  const log = quietLog();
  log.error = (line: object) => void lines.push(line);
  return { log, lines };
}

const wallets = (available: number, rest: { pending?: number } = { pending: 0 }): Paymongo['wallets'] => {
  const wallet = { id: 'wallet_1', is_default: true, balance: { available, ...rest } };
  return { list: async () => [wallet], get: async () => wallet };
};

/** What is held for members and owed to them, by the ledger. Centavos. */
const ledgerOwes = async ({ sql }: PaymentFixture): Promise<number> => {
  const [row] = await sql<{ owed: number }[]>`
    select -coalesce(sum(amount), 0)::float8 as owed from ledger_entries
    where account in ('escrow', 'payable')`;
  return row?.owed ?? 0;
};

test.beforeEach(async ({ fixture, admin }) => {
  await fixture.database.delete(moneyAlarms);
  await fixture.database.delete(notifications).where(eq(notifications.profileId, admin.profileId));
});
test.afterEach(({ fixture }) => fixture.provider.clearFaults());

describe('an alarm about money is told to all admins once, logged, and on the money page until it is over', () => {
  test('when the wallet holds less than members have to get', async ({
    fixture,
    requests,
    owe,
    watch,
    line,
    notices,
  }) => {
    await requests.paid();
    await owe(requests);
    const owed = await ledgerOwes(fixture);
    expect(owed).toBe(500_00);
    expect(await watch({ wallets: wallets(owed) })).toEqual([]);
    expect(await watch({ wallets: wallets(owed - 100_00, { pending: 100_00 }) })).toEqual([]);
    // What a card issuer disputes of an unknown payment left the wallet, unless it came back.
    const dispute = { id: 'dsp_unassigned', amountCentavos: 1_00, disputedAt: nowDate() };
    await fixture.database.insert(unassignedDisputes).values(dispute);
    expect(await watch({ wallets: wallets(owed - 1_00) })).toEqual([]);
    expect(await line('balanceShort')).toBeNull();
    await fixture.database.update(unassignedDisputes).set({ state: 'won' });
    const logged = await watch({ wallets: wallets(owed - 1) });
    expect(logged).toMatchObject([{ kind: 'balanceShort', count: 1, amount: 1 }]);
    expect(await watch({ wallets: wallets(owed - 1) })).toEqual([]);
    expect(await line('balanceShort')).toMatchObject({ count: 1, pesos: 0.01, dueOn: null });
    expect(await notices('balanceShort')).toEqual([{ count: '1', amount: '1' }]);
    // The page has what it lacks now.
    expect(await watch({ wallets: wallets(owed - 300) })).toEqual([]);
    expect(await line('balanceShort')).toMatchObject({ count: 1, pesos: 3 });
    expect(await notices('balanceShort')).toHaveLength(1);
    // A wallet that cannot be read, or does not say what is to come, says nothing.
    await watch();
    await watch({ wallets: wallets(owed, {}) });
    expect(await line('balanceShort')).not.toBeNull();
    await watch({ wallets: wallets(owed) });
    expect(await line('balanceShort')).toBeNull();
    await watch({ wallets: wallets(0) });
    expect(await notices('balanceShort')).toHaveLength(2);
    await fixture.database.delete(unassignedDisputes);
  });

  test('when a payout did not move for an hour, not while it waits for its creator or a card issuer', async ({
    fixture,
    requests,
    owe,
    watch,
    line,
    notices,
  }) => {
    const stuck = await owe(requests);
    const waiting = await owe(await openRequestFixture(fixture, { phoneNumber: '' }));
    const age = (id: string) =>
      fixture.sql`update disbursements set created_at = now() - interval '61 minutes' where interaction_id = ${id}`;
    await age(waiting);
    await watch();
    expect(await line('disbursementStuck')).toBeNull();
    await age(stuck);
    await fixture.sql`update disbursements set problem = ${disputedPaymentText} where interaction_id = ${stuck}`;
    const dispute = { id: 'dsp_unassigned', amountCentavos: 1_00, disputedAt: nowDate() };
    const { paymentId } = await requests.row(stuck);
    await fixture.database.insert(unassignedDisputes).values({ ...dispute, paymentIds: [String(paymentId)] });
    await watch();
    expect(await line('disbursementStuck')).toBeNull();
    // Nobody knows of a dispute that may be about it.
    await fixture.database.update(unassignedDisputes).set({ paymentIds: ['pay_another'] });
    await watch();
    expect(await line('disbursementStuck')).toMatchObject({ count: 1, pesos: 250 });
    await fixture.database.update(unassignedDisputes).set({ paymentIds: [String(paymentId)] });
    await watch();
    expect(await line('disbursementStuck')).toBeNull();
    await fixture.database.delete(notifications).where(eq(notifications.event, 'disbursementStuck'));
    await fixture.database.delete(unassignedDisputes);
    await fixture.sql`update disbursements set problem = null where interaction_id = ${stuck}`;
    // It was held up until the card issuer decided.
    await fixture.database.insert(chargebacks).values({
      ...{ id: 'dsp_decided', paymentId: paymentId ?? '', interactionId: stuck, amountCentavos: 1 },
      ...{ state: 'won', evidence: {} as never, dueOn: today(), decidedAt: nowDate() },
    });
    await watch();
    expect(await line('disbursementStuck')).toBeNull();
    await fixture.sql`delete from chargebacks where id = 'dsp_decided'`;
    const { id: disbursementId = '' } = (await requests.outgoing(stuck, 'payout')) ?? {};
    const records = [`payout:${disbursementId}`];
    expect(await watch()).toMatchObject([{ kind: 'disbursementStuck', amount: 250_00, records }]);
    expect(await watch()).toEqual([]);
    expect(await line('disbursementStuck')).toMatchObject({ count: 1, pesos: 250 });
    expect(await notices('disbursementStuck')).toEqual([{ count: '1', amount: '25000' }]);
    await fixture.provider.clearFaults();
    await tasks.disburse.enqueue(fixture.database, { disbursementId });
    await expect.poll(async () => (await requests.row(stuck)).paidOutAt, waitFor).not.toBeNull();
    await watch();
    expect(await line('disbursementStuck')).toBeNull();
  });

  test('when a refund did not move for an hour, and three days after the provider took it', async ({
    fixture,
    requests,
    watch,
    line,
  }) => {
    const id = await requests.paid();
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/refunds' });
    await requests.step(requests.client, 'cancelRequest', id);
    // Its own job has stored what it sends.
    const sent = async () => (await requests.outgoing(id, 'refund'))?.state;
    await expect.poll(sent, waitFor).toBe('sending');
    const { id: refund = '' } = (await requests.outgoing(id, 'refund')) ?? {};
    const change = async (reference: string | null, age: string, sentAge = age) => {
      await fixture.sql`update disbursements set created_at = now() - ${age}::interval where id = ${refund}`;
      await fixture.sql`update attempts set reference = ${reference}, sent_at = now() - ${sentAge}::interval
        where disbursement_id = ${refund}`;
      await watch();
      return (await line('disbursementStuck'))?.count ?? 0;
    };
    expect(await change(null, '59 minutes')).toBe(0);
    expect(await change(null, '61 minutes')).toBe(1);
    expect(await change('ref_pending', '2 days')).toBe(0);
    expect(await change('ref_pending', '4 days')).toBe(1);
    // It waited for something else before.
    expect(await change('ref_pending', '30 days', '1 minute')).toBe(0);
    await change(null, '1 minute');
    // One by a transfer waits for its client's number.
    const byTransfer = await requests.owed('refund');
    const name = async (number: string | null) => {
      await fixture.sql`update disbursements set way = 'transfer', number = ${number},
        created_at = now() - interval '61 minutes' where id = ${byTransfer.id}`;
      await watch();
      return (await line('disbursementStuck'))?.count ?? 0;
    };
    expect(await name(null)).toBe(0);
    expect(await name('09171234567')).toBe(1);
    await fixture.sql`update disbursements set created_at = now() where id = ${byTransfer.id}`;
  });

  test('when the provider disabled the webhook, which is enabled again', async ({
    fixture,
    line,
    notices,
  }) => {
    const { webhooks } = fixture.provider.client;
    const url = 'https://tara.test/alarms/webhook';
    const register = () => registerWebhook(fixture.context, url);
    await fixture.database.insert(moneyAlarms).values({ kind: 'balanceShort', recordId: '' });
    await register();
    expect(await line('webhookDisabled')).toBeNull();
    const [webhook] = await webhooks.list({ url });
    await webhooks.disable(webhook?.id ?? '');
    await register();
    await register();
    expect((await webhooks.list({ url }))[0]?.attributes.status).toBe('enabled');
    expect(await line('webhookDisabled')).toMatchObject({ count: 1, pesos: null });
    expect(await notices('webhookDisabled')).toHaveLength(1);
    // A day later it is no news.
    await fixture.sql`update money_alarms set since = now() - interval '25 hours'`;
    await register();
    expect(await line('webhookDisabled')).toBeNull();
  });

  test('when the provider disabled a webhook that was registered by hand', async ({ fixture, line }) => {
    const { webhooks } = fixture.provider.client;
    const url = 'https://tara.test/alarms/by-hand';
    const { id } = await webhooks.create({ url, events: ['payment.paid'] });
    await webhooks.disable(id);
    const payMongo = { secretKey: fixture.provider.secretKey, webhookSecret: 'whsk_by_hand' };
    const config = { ...fixture.context.config, payMongo } as PaymentContext['config'];
    await registerWebhook({ ...fixture.context, config }, url);
    expect((await webhooks.get(id)).attributes.status).toBe('disabled');
    expect(await line('webhookDisabled')).not.toBeNull();
  });

  test('when a webhook that was registered by hand is not at the provider', async ({
    fixture,
    line,
    notices,
  }) => {
    const payMongo = { secretKey: fixture.provider.secretKey, webhookSecret: 'whsk_by_hand' };
    const config = { ...fixture.context.config, payMongo } as PaymentContext['config'];
    const { client } = fixture.provider;
    const url = 'https://tara.test/alarms/there';
    const there = await client.webhooks.create({ url, events: ['payment.paid'] });
    const look = (listed: Webhook[]) => {
      const provider = { ...client, webhooks: { ...client.webhooks, list: async () => listed } };
      return registerWebhook({ ...fixture.context, config, provider }, 'https://tara.test/alarms/here');
    };
    // At the address of a proxy.
    await look([there]);
    expect(await line('webhookDisabled')).toBeNull();
    await look([]);
    await look([]);
    expect(await line('webhookDisabled')).toMatchObject({ count: 1 });
    expect(await notices('webhookDisabled')).toHaveLength(1);
  });

  test('when the nightly check did not end for 36 hours', async ({ fixture, watch, line, notices }) => {
    await fixture.database.delete(ledgerChecks);
    // Of a new server it is still to come.
    await watch();
    expect(await line('proofOverdue')).toBeNull();
    await recordLedgerCheck(fixture.context);
    await fixture.sql`update ledger_checks set checked_at = now() - interval '35 hours'`;
    await watch();
    expect(await line('proofOverdue')).toBeNull();
    await fixture.sql`update ledger_checks set checked_at = now() - interval '37 hours'`;
    expect(await watch()).toMatchObject([{ kind: 'proofOverdue', count: 1 }]);
    await watch();
    expect(await line('proofOverdue')).toMatchObject({ count: 1, pesos: null });
    expect(await notices('proofOverdue')).toHaveLength(1);
    await recordLedgerCheck(fixture.context);
    expect(await line('proofOverdue')).toBeNull();
  });

  test('also while something else cannot be looked for', async ({ fixture, line }) => {
    await recordLedgerCheck(fixture.context);
    await fixture.sql`update ledger_checks set checked_at = now() - interval '37 hours'`;
    const config = { ...fixture.context.config, payoutLimitCentavos: Number.NaN };
    await expect(watchMoney({ ...fixture.context, config })).rejects.toThrow();
    expect(await line('proofOverdue')).not.toBeNull();
    await recordLedgerCheck(fixture.context);
  });

  test('when the nightly check finds a difference that the one before did not find', async ({
    fixture,
    requests,
    line,
    notices,
  }) => {
    const { client } = fixture.provider;
    /** Checks with a provider whose payments have a centavo more. */
    const check = (extra: number) => {
      const list: Paymongo['payments']['list'] = async (query) => {
        const page = await client.payments.list(query);
        const items = page.items.map(({ attributes, ...payment }) => ({
          ...payment,
          attributes: {
            ...attributes,
            amount: attributes.amount + extra,
            // Its fee stays.
            net_amount: (attributes.net_amount ?? 0) + extra,
          },
        }));
        return { ...page, items };
      };
      const provider = { ...client, payments: { ...client.payments, list } };
      return recordLedgerCheck({ ...fixture.context, provider });
    };
    await requests.paid();
    const { differences } = await check(1);
    const count = differences.length;
    expect(count).toBeGreaterThan(0);
    expect(await notices('ledgerDiffers')).toEqual([{ count: String(count) }]);
    await check(1);
    expect(await notices('ledgerDiffers')).toHaveLength(1);
    await requests.paid();
    await check(1);
    expect((await notices('ledgerDiffers')).map(({ count }) => count).sort()).toEqual(
      ['1', String(count)].sort(),
    );
    expect(await line('ledgerDiffers')).toMatchObject({ count: count + 1, pesos: null });
    await check(0);
    expect(await line('ledgerDiffers')).toBeNull();
  });

  test('when a card issuer disputes a payment, with the last day for evidence', async ({
    fixture,
    admin,
    requests,
    line,
    notices,
  }) => {
    const { paymentId } = await requests.row(await requests.paid());
    const opened = await fixture.provider.control(`/payments/${paymentId}/dispute`, {});
    const { data } = (await opened.json()) as { data: { id: string } };
    await expect.poll(async () => (await line('chargebackOpened'))?.count, waitFor).toBe(1);
    const dueOn = evidenceDueOn(today());
    expect(await line('chargebackOpened')).toMatchObject({ pesos: 250, dueOn });
    expect(await notices('chargebackOpened')).toEqual([
      { count: '1', amount: '25000', dueOn: longDay(dueOn) },
    ]);
    const { reply } = await fixture.server.call(admin, requestCases.chargebacks);
    expect(reply.items).toMatchObject([{ id: data.id, dueOn, isUnderReview: false }]);
    await fixture.provider.control(`/disputes/${data.id}`, { status: 'won' });
    await expect.poll(() => line('chargebackOpened'), waitFor).toBeNull();
    expect(await notices('chargebackOpened')).toHaveLength(1);
  });

  test('without a last day once the evidence was sent, in whatever order that is said', async ({
    fixture,
    admin,
    requests,
    line,
    notices,
  }) => {
    const before = (await notices('chargebackOpened')).length;
    const { paymentId } = await requests.row(await requests.paid());
    const opened = await fixture.provider.control(`/payments/${paymentId}/dispute`, {});
    const { data } = (await opened.json()) as { data: { id: string } };
    await expect.poll(async () => (await line('chargebackOpened'))?.count, waitFor).toBe(1);
    const first = await fixture.provider.client.disputes.get(data.id);
    await fixture.provider.control(`/disputes/${data.id}`, { status: 'under_review' });
    // No event says it.
    await fixture.reconcile();
    expect(await line('chargebackOpened')).toMatchObject({ count: 1, pesos: 250, dueOn: null });
    await recordChargeback(fixture.context, first);
    expect(await line('chargebackOpened')).toMatchObject({ count: 1, dueOn: null });
    const { reply } = await fixture.server.call(admin, requestCases.chargebacks);
    expect(reply.items.find(({ id }) => id === data.id)).toMatchObject({ isUnderReview: true });
    const other = await requests.row(await requests.paid());
    await recordChargeback(fixture.context, {
      ...{ id: 'dsp_sent', type: 'dispute' },
      attributes: { amount: 250_00, status: 'under_review', payment_id: other.paymentId },
    });
    expect(await line('chargebackOpened')).toMatchObject({ count: 2, dueOn: null });
    expect((await notices('chargebackOpened')).slice(before)).toContainEqual({ count: '1', amount: '25000' });
    for (const dispute of [data.id, 'dsp_sent'])
      await recordChargeback(fixture.context, {
        ...{ id: dispute, type: 'dispute' },
        attributes: { amount: 250_00, status: 'won' },
      });
    expect(await line('chargebackOpened')).toBeNull();
  });

  test('when a dispute was decided before anybody knew of it, also to both sides', async ({
    fixture,
    admin,
    requests,
  }) => {
    const adminNotices = async (id: string) =>
      fixture.database
        .select({ details: notifications.details })
        .from(notifications)
        .where(
          and(
            ...[eq(notifications.event, 'chargebackDecided'), eq(notifications.profileId, admin.profileId)],
            eq(notifications.recordId, id),
          ),
        );
    for (const status of ['lost', 'won'] as const) {
      const interactionId = await requests.paid();
      const { paymentId } = await requests.row(interactionId);
      const dispute = (now: string) => ({
        ...{ id: `dsp_late_${status}`, type: 'dispute' },
        attributes: { amount: 250_00, status: now, payment_id: paymentId },
      });
      await recordChargeback(fixture.context, dispute(status));
      await recordChargeback(fixture.context, dispute(status));
      const details = { amount: '25000', outcome: status };
      expect(await adminNotices(`dsp_late_${status}`)).toEqual([{ details }]);
      const sides = (await requests.notified(interactionId)).filter((one) => one.startsWith('chargedBack'));
      expect(sides).toEqual(status === 'lost' ? ['chargedBack client', 'chargedBack creator'] : []);
    }
    const { paymentId } = await requests.row(await requests.paid());
    for (const status of ['needs_response', 'lost'])
      await recordChargeback(fixture.context, {
        ...{ id: 'dsp_known', type: 'dispute' },
        attributes: { amount: 250_00, status, payment_id: paymentId },
      });
    expect(await adminNotices('dsp_known')).toEqual([]);
  });
});

test('very many alarms of a kind are stored, and forgotten when they are over', async ({
  fixture,
  line,
  notices,
}) => {
  // More than a statement with the columns of each has parameters for.
  const alarms = Array.from({ length: 25_000 }, (_, index) => ({
    recordId: `payout${index}`,
    amountCentavos: 100,
  }));
  const update = (present: typeof alarms) =>
    fixture.database.transaction((transaction) =>
      updateAlarms(transaction, errorLog(), 'disbursementStuck', async () => present),
    );
  await update(alarms);
  expect(await line('disbursementStuck')).toMatchObject({ count: 25_000, pesos: 25_000 });
  expect(await notices('disbursementStuck')).toEqual([{ count: '25000', amount: '2500000' }]);
  await update(alarms.slice(0, 1));
  expect(await line('disbursementStuck')).toMatchObject({ count: 1, pesos: 1 });
  await update([]);
  expect(await line('disbursementStuck')).toBeNull();
});
