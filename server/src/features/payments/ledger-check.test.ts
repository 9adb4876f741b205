import { adminMoney } from '@tara/contract/money/admin-money';
import { payments } from '@tara/contract/money/payments';
import { sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { confirmPlan } from './confirm.ts';
import { checkLedger, lastLedgerCheck, proveLedger, recordLedgerCheck } from './ledger-check.ts';
import { exportStatement } from './statement.ts';

const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  .extend(
    'differences',
    { scope: 'file' },
    ({ fixture }) =>
      async () =>
        (await checkLedger(fixture.database, fixture.provider.client, { settleSeconds: 0 })).differences,
  )
  /** A request each that is held, paid out, and refunded, at rest. */
  .extend('lives', ({ fixture, admin, requests }) => async () => {
    const held = await requests.paid();
    const paidOut = await requests.fulfilled();
    await confirmPlan(fixture.platform, admin, paidOut);
    const refunded = await requests.paid();
    await requests.step(requests.creator, 'cancelRequest', refunded);
    await expect.poll(async () => (await requests.row(paidOut)).paidOutAt, waitFor).not.toBeNull();
    await expect.poll(async () => (await requests.row(refunded)).refundedAt, waitFor).not.toBeNull();
    return { held, paidOut, refunded };
  });

/** A chargeback that was not booked. */
const unbooked = (state: 'open' | 'lost') => sql`
  insert into chargebacks (id, payment_id, interaction_id, amount_centavos, state, evidence, due_on, decided_at)
  select 'dsp_unbooked', id, interaction_id, 100, ${state}::text, '{}', now()::date, case when ${state}::text = 'lost' then now() end
  from captured_payments limit 1`;

describe('the check of the ledger', () => {
  test('finds that it adds up, and agrees with the provider’s lists; the nightly one is stored', async ({
    fixture,
    admin,
    lives,
    differences,
  }) => {
    await lives();
    expect(await differences()).toEqual([]);
    await recordLedgerCheck(fixture.context, { settleSeconds: 0 });
    const { reply } = await fixture.server.call(admin, adminMoney.ledgerCheck);
    expect(reply.check).toMatchObject({ differences: [] });
    expect(await lastLedgerCheck(fixture.database)).toMatchObject({
      differences: [],
      counts: {
        payments: 3,
        refunds: 1,
        payouts: 1,
        providerPayments: 3,
        providerRefunds: 1,
        providerTransfers: 1,
      },
    });
  });

  test('a statement names every movement of a member with its balance, and nobody else’s', async ({
    fixture,
    requests,
    lives,
  }) => {
    const { paidOut, refunded, held } = await lives();
    const read = async (who: Member) =>
      (await fixture.server.call(who, payments.statement, { query: {} })).reply.items;
    const cursor = Buffer.from('1.none').toString('base64url');
    const { problem } = await fixture.server.call(requests.client, payments.statement, { query: { cursor } });
    expect(problem.type).toBe('general_cursor_not_found');
    const client = await read(requests.client);
    expect(client.map(({ amount }) => amount).sort()).toEqual([-250, -250, 250, 250, 250]);
    expect(client[0]?.balance).toBe(250);
    expect(client.filter(({ interactionId }) => interactionId === held)).toMatchObject([
      { kind: 'capture', amount: 250 },
    ]);
    expect(client.filter(({ interactionId }) => interactionId === refunded)).toMatchObject([
      { kind: 'refund', amount: -250, planTitle: 'Coffee in Makati' },
      { kind: 'capture', amount: 250 },
    ]);
    expect(await read(requests.creator)).toMatchObject([
      { kind: 'payout', interactionId: paidOut, amount: -250, balance: 0 },
      { kind: 'release', interactionId: paidOut, amount: 250, balance: 250 },
    ]);
    expect(await exportStatement(fixture.database, requests.creator.profileId)).toMatchObject([
      { kind: 'release', amount_centavos: 250_00, balance_centavos: 250_00 },
      { kind: 'payout', amount_centavos: -250_00, balance_centavos: 0 },
    ]);
    expect(await read(await insertMember(fixture.database))).toEqual([]);
  });

  test.for([
    [
      'a fee that is not the provider’s',
      sql`update captured_payments set fee_centavos = fee_centavos + 1`,
      'the fee of a payment is the provider’s',
    ],
    [
      'a payment that the provider does not know',
      sql`insert into captured_payments (id, interaction_id, amount_centavos)
      select 'pay_nobody', id, 100 from interactions limit 1`,
      'a captured payment is the provider’s',
    ],
    [
      'a refund that was not booked',
      sql`update refunds set state = 'owed', refunded_at = null, refund_id = null`,
      'a refund of the provider is booked',
    ],
    [
      'a payout that did not arrive',
      sql`update payouts set transfer_id = 'tr_none'`,
      'a payout that arrived is the provider’s',
    ],
    [
      'a payout of another amount',
      sql`update payouts set amount_centavos = amount_centavos - 1`,
      'a payout has one amount',
    ],
  ] as const)('names %s', async ([_name, damage, rule], { fixture, lives }) => {
    await lives();
    const undo = new Error('undo');
    const work = fixture.database.transaction(async (transaction) => {
      await transaction.execute(sql`set local session_replication_role = replica`);
      await transaction.execute(damage);
      // A transaction reads like the database.
      const report = await checkLedger(transaction as never, fixture.provider.client, { settleSeconds: 0 });
      expect(report.differences.map((difference) => difference.rule)).toContain(rule);
      throw undo;
    });
    await expect(work).rejects.toBe(undo);
  });

  test.for([
    ['a transfer sums to zero', sql`delete from ledger_entries where account = 'cash'`],
    ['what was captured is booked', sql`delete from captured_payments`],
    ['what was released is booked', sql`update interactions set released_centavos = 0`],
    ['what was refunded is booked', sql`update refunds set state = 'owed', refunded_at = null`],
    ['what was paid out is booked', sql`update payouts set state = 'owed', paid_at = null`],
    [
      'nothing is held for a request that is over',
      sql`update interactions set cancelled_at = now(), cancel_reason = 'declined' where completed_at is null and cancelled_at is null`,
    ],
    [
      'what is owed to a creator is what waits to be paid out, less what the card issuer disputes',
      sql`update ledger_entries set amount = amount + 1 where account like 'payable:%'`,
    ],
    [
      'refunded and released are at most what was captured',
      sql`update ledger_entries set amount = 2 * amount where account like 'escrow:%' and amount > 0`,
    ],
    [
      'paid out and the platform fee are at most what was released',
      sql`update ledger_entries set amount = 2 * amount where account like 'paid_out:%'`,
    ],
    [
      'the wallet is cash, less what was paid out, refunded, held for card issuers and charged back',
      sql`update ledger_entries set amount = amount + 1 where account = 'cash'`,
    ],
    ['what card issuers took back is booked', unbooked('lost')],
    ['what the provider holds for card issuers is what their open disputes are about', unbooked('open')],
  ] as const)('proves by itself that %s', async ([rule, damage], { fixture, lives }) => {
    await lives();
    const undo = new Error('undo');
    const work = fixture.database.transaction(async (transaction) => {
      await transaction.execute(sql`set local session_replication_role = replica`);
      await transaction.execute(damage);
      const report = await proveLedger(transaction as never);
      expect(report.differences.map((difference) => difference.rule)).toContain(rule);
      throw undo;
    });
    await expect(work).rejects.toBe(undo);
  });
});
