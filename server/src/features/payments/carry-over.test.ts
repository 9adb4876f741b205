import { nowDate, nowMs } from '@tara/contract/clock';
import { type Paymongo, PaymongoUnreachable } from '@tara/paymongo';
import type { Fragment } from 'postgres';
import { expect } from 'vitest';
import { oldDatabaseTest } from '../../testing/features/old-database.ts';
import { testPlatform } from '../../testing/platform.ts';
import { disburse } from './disburse.ts';
import { proveLedger } from './ledger-check.ts';

const price = 250_00;
/** What a creator earns of a request; ₱12.50 are the fee. */
const earned = 237_50;

/** A database as the code stored it before payouts and refunds became disbursements, with requests in every state. */
const test = oldDatabaseTest('0292').extend('world', async ({ old }) => {
  const { sql, creator } = old;
  const payable = `payable:${creator.profileId}`;
  const destination = { number: '09171234567', name: 'Ana', bic: 'GXCHPHM2XXX' };

  /** A request whose payment is captured. */
  const paid = async (id: string, paymentId: string | null = `pay_${id}`) => {
    await old.pay(id, { paymentId, booked: paymentId ?? `link-${id}`, feeBasisPoints: 500 });
  };
  const released = async (id: string, centavos = price) => {
    await paid(id);
    await sql`update interactions set accepted_at = now(), user_set_done_at = now(), completed_at = now(), admin_set_done_at = now(), released_centavos = ${centavos} where id = ${id}`;
    const share = Math.floor(centavos * 0.05);
    await old.transfer(`release:${id}`, id, {
      ...{ [`escrow:${id}`]: centavos, platform_fee: -share, [payable]: share - centavos },
    });
  };
  const cancelled = async (id: string, paymentId?: string | null) => {
    await paid(id, paymentId);
    await sql`update interactions set cancelled_at = now(), cancel_reason = 'declined', refund_centavos = ${price} where id = ${id}`;
  };
  const insert = (table: string, row: Record<string, unknown>) => {
    const stored = (value: unknown) =>
      value instanceof Date
        ? value.toISOString()
        : value && typeof value === 'object'
          ? JSON.stringify(value)
          : value;
    const values = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, stored(value)]));
    return sql`insert into ${sql(table)} ${sql(values as Record<string, string>)}`;
  };
  const payout = (id: string, row: Record<string, unknown> = {}) =>
    insert('payouts', {
      ...{ id, interaction_id: id, recipient_id: creator.profileId, amount_centavos: earned },
      ...row,
    });
  const attempt = (payoutId: string, number: number, row: Record<string, unknown> = {}) =>
    insert('payout_attempts', {
      ...{ payout_id: payoutId, attempt: number, destination, source: { ...destination, number: 'tara' } },
      ...{ idempotency_key: number === 1 ? payoutId : `${payoutId}:${number}`, ...row },
    });
  const refused = { refused_at: nowDate(), refusal: 'The account is closed.' };
  const refund = (id: string, row: Record<string, unknown> = {}) =>
    insert('refunds', {
      ...{ id, interaction_id: id, payment_id: `pay_${id}`, amount_centavos: price },
      ...row,
    });
  /** The payout that carries a refund by a transfer. */
  const carrier = async (id: string, row: Record<string, unknown> = {}) => {
    const [request] = await sql`select client_id from interactions where id = ${id}`;
    return payout(`${id}-refund`, {
      ...{ interaction_id: id, recipient_id: request?.client_id, purpose: 'refund', amount_centavos: price },
      ...{ number: '09181234567', ...row },
    });
  };
  const chargeBack = async (
    id: string,
    state: 'open' | 'won' | 'lost',
    { amount = price, escrow = 0, owed = 0, paymentId = `pay_${id}` },
  ) => {
    await insert('chargebacks', {
      ...{
        id: `dsp_${paymentId}`,
        payment_id: paymentId,
        interaction_id: id,
        amount_centavos: amount,
        state,
      },
      ...{ from_escrow_centavos: escrow, from_payable_centavos: owed, fee_centavos: 80000, evidence: {} },
      ...{ due_on: '2026-12-04', decided_at: state === 'open' ? null : nowDate() },
    });
    const held = {
      ...{ [`escrow:${id}`]: escrow, [payable]: owed, at_risk: amount - escrow - owed + 80000 },
      [`held_by_provider:${id}`]: -amount - 80000,
    };
    await old.transfer(`chargeback:dsp_${paymentId}`, id, held);
    if (state === 'open') return sql`update interactions set frozen_at = now() where id = ${id}`;
    const back = Object.fromEntries(Object.entries(held).map(([account, centavos]) => [account, -centavos]));
    if (state === 'won') return old.transfer(`chargeback_won:dsp_${paymentId}`, id, back);
    return old.transfer(`chargeback_lost:dsp_${paymentId}`, id, {
      ...{ [`held_by_provider:${id}`]: amount + 80000, at_risk: escrow + owed - amount - 80000 },
      ...{ losses: amount - escrow - owed, charged_back: -amount, fees: 80000, cash: -80000 },
    });
  };
  const paidOut = (id: string, more: Record<string, number>) =>
    old.transfer(`payout:${id}`, id, {
      ...{ [payable]: earned, [`paid_out:${creator.profileId}`]: -earned, ...more },
    });
  const wentBack = (id: string, more: Record<string, number> = {}) =>
    old.transfer(`refund:${id}`, id, { [`escrow:${id}`]: price, [`refunded:${id}`]: -price, ...more });
  const paidAt = { state: 'paid', paid_at: nowDate() };
  const refundedAt = { state: 'refunded', refunded_at: nowDate() };

  await paid('held');
  await released('owed');
  await payout('owed');
  await released('refused');
  await payout('refused', { state: 'sending', attempt: 2, last_error: 'The account is closed.' });
  await attempt('refused', 1, refused);
  // The first attempt of an early version is not stored.
  await released('unstored');
  await payout('unstored', { state: 'sending', attempt: 3, last_error: 'The account is closed.' });
  await attempt('unstored', 2, refused);
  await released('lost-answer');
  await payout('lost-answer', { state: 'sending' });
  await attempt('lost-answer', 1);
  await released('second-attempt');
  await payout('second-attempt', { state: 'sending', attempt: 2 });
  await attempt('second-attempt', 1, refused);
  await attempt('second-attempt', 2);
  await released('sent');
  await payout('sent', { state: 'sending', transfer_id: 'tr_sent' });
  await attempt('sent', 1);
  await released('paid-out');
  await payout('paid-out', { ...paidAt, transfer_id: 'tr_paid' });
  await attempt('paid-out', 1);
  await paidOut('paid-out', { fees: 1000, cash: -1000 });
  await released('by-hand');
  await payout('by-hand', { ...paidAt, manual_reference: 'BPI 1' });
  await insert('manual_transfers', {
    ...{ reference: 'BPI 1', payout_id: 'by-hand', interaction_id: 'by-hand', amount_centavos: earned },
    state: 'booked',
  });
  await paidOut('by-hand', { by_hand: -earned, cash: earned });
  await released('frozen');
  await payout('frozen');
  await chargeBack('frozen', 'open', { owed: earned });
  // A lost chargeback reduced what was owed, or deleted it.
  await released('reduced');
  await payout('reduced', { amount_centavos: earned - 100_00 });
  await chargeBack('reduced', 'lost', { amount: 100_00, owed: 100_00 });
  await released('taken');
  await chargeBack('taken', 'lost', { owed: earned });
  await insert('manual_transfers', {
    ...{ reference: 'BPI 2', payout_id: 'taken', interaction_id: 'taken', amount_centavos: earned },
    ...{ state: 'refused', problem: 'It was not recorded.' },
  });
  await sql`insert into audit_log (actor_account_id, action, subject, after)
    values ('admin', 'payout.refuse', 'payout:taken', jsonb_build_object('reference', 'BPI 2', 'amountCentavos', ${earned}::int))`;
  await sql`update interactions set charged_back_at = now() where id in ('reduced', 'taken')`;
  await released('paid-and-lost');
  await payout('paid-and-lost', { ...paidAt, transfer_id: 'tr_lost' });
  await attempt('paid-and-lost', 1);
  await paidOut('paid-and-lost', { fees: 1000, cash: -1000 });
  await chargeBack('paid-and-lost', 'lost', {});

  await cancelled('back');
  await refund('back');
  await cancelled('back-ordered');
  await refund('back-ordered', { state: 'sending', ordered_attempt: 1, ordered_at: nowDate() });
  await cancelled('back-refused');
  await refund('back-refused', { state: 'sending', attempt: 3, ordered_attempt: 2, last_error: 'Not now.' });
  await cancelled('back-sent');
  await refund('back-sent', { state: 'sending', ordered_attempt: 1, refund_id: 'ref_sent' });
  await cancelled('back-done');
  await refund('back-done', { ...refundedAt, attempt: 2, ordered_attempt: 2, refund_id: 'ref_done' });
  await wentBack('back-done');
  await cancelled('back-taken');
  await chargeBack('back-taken', 'lost', { escrow: price });
  await sql`update interactions set charged_back_at = now() where id = 'back-taken'`;
  const byTransfer = { way: 'transfer', attempt: 2, ordered_attempt: 1, state: 'sending' };
  await cancelled('transfer-number');
  await refund('transfer-number', byTransfer);
  await carrier('transfer-number', {
    number: null,
    attempt: 2,
    state: 'sending',
    last_error: 'It is closed.',
  });
  await attempt('transfer-number-refund', 1, refused);
  await cancelled('transfer-lost');
  await refund('transfer-lost', { ...byTransfer, attempt: 1, ordered_attempt: null });
  await carrier('transfer-lost', { state: 'sending' });
  await attempt('transfer-lost-refund', 1);
  await cancelled('transfer-done');
  await refund('transfer-done', { ...byTransfer, ...refundedAt });
  await carrier('transfer-done', { ...paidAt, transfer_id: 'tr_done' });
  await attempt('transfer-done-refund', 1);
  await wentBack('transfer-done', { fees: 1000, cash: -1000 });
  await cancelled('transfer-hand');
  await refund('transfer-hand', { ...byTransfer, ...refundedAt });
  await carrier('transfer-hand', { ...paidAt, manual_reference: 'BPI 3' });
  await wentBack('transfer-hand', { by_hand: -price, cash: price });
  await cancelled('unnamed', null);
  await refund('unnamed', { payment_id: 'link-unnamed' });

  await released('split', 100_00);
  await sql`update interactions set refund_centavos = 15000 where id = 'split'`;
  await payout('split', { amount_centavos: 95_00 });
  await refund('split', { amount_centavos: 150_00, state: 'sending', ordered_attempt: 1 });
  // Payments that came a second time.
  for (const id of ['twice', 'twice-taken', 'twice-frozen']) {
    const second = `pay_second_${id}`;
    await paid(id);
    await insert('captured_payments', { id: second, interaction_id: id, amount_centavos: price });
    await old.transfer(`capture:${second}`, id, { cash: price, [`escrow:${id}`]: -price });
  }
  const second = (id: string) => ({ id: `pay_second_${id}`, payment_id: `pay_second_${id}` });
  await refund('twice', {
    ...second('twice'),
    interaction_id: 'twice',
    state: 'sending',
    ordered_attempt: 1,
  });
  await chargeBack('twice-taken', 'lost', { escrow: price, paymentId: 'pay_second_twice-taken' });
  await refund('twice-frozen', { ...second('twice-frozen'), interaction_id: 'twice-frozen' });
  await chargeBack('twice-frozen', 'open', { escrow: price, paymentId: 'pay_second_twice-frozen' });
  await paid('frozen-part');
  await chargeBack('frozen-part', 'open', { amount: 100_00, escrow: 100_00 });
  await paid('won');
  await chargeBack('won', 'won', { escrow: price });
  return { ...old, destination };
});

test('requests in every state are carried over: what is owed, held and paid, and what was sent, stay what they are', async ({
  world: { sql, database, carryOver, creator },
}) => {
  const ledger = (name: Fragment) =>
    sql`select ${name} as account, sum(amount)::int as centavos from ledger_entries group by 1 order by 1`;
  const members = (name: Fragment) => sql`
    select interaction_id as id, -sum(amount) filter (where account like 'escrow:%')::int as held,
      -sum(amount) filter (where account like 'payable:%')::int as owed,
      -sum(amount) filter (where account like 'paid_out:%' or account like 'refunded:%')::int as paid
    from ledger_transfers join (select transfer_id, amount, ${name} as account from ledger_entries) as entries
      on transfer_id = ledger_transfers.id group by 1 order by 1`;
  const name = sql`account`;
  const before = { ledger: await ledger(name), members: await members(name) };
  // What is owed and was not sent, without what a card issuer disputes; and what may be at the provider.
  const owed = await sql`
    select id, amount_centavos::int as centavos from payouts where state <> 'paid' and not exists (
      select from payout_attempts where payout_id = payouts.id and payout_attempts.attempt = payouts.attempt)
    union all select id || '-refund', amount_centavos::int from refunds
      where way = 'provider' and state <> 'refunded' and refund_id is null and ordered_attempt is distinct from attempt
    order by 1`;
  const sent = await sql`
    select payouts.id, idempotency_key as key, amount_centavos::int as centavos, destination, transfer_id as reference
    from payouts join payout_attempts on payout_id = payouts.id and payout_attempts.attempt = payouts.attempt
    where state <> 'paid'
    union all select id || '-refund', 'refund-' || id || '-' || attempt, amount_centavos::int, null, refund_id from refunds
    where way = 'provider' and state <> 'refunded' and ordered_attempt = attempt
    order by 1`;
  await carryOver();
  const parts = sql`concat_ws(':', account, nullif(owner, ''))`;
  expect({ ledger: await ledger(parts), members: await members(parts) }).toEqual(before);
  const frozen = ['frozen', 'pay_second_twice-frozen-refund'];
  const amounts = await sql`
    select id, owed_centavos::int as centavos from disbursement_amounts join disbursements using (id)
    where state = 'owed' order by 1`;
  expect(amounts).toEqual(
    owed.map(({ id, centavos }) => ({ id, centavos: frozen.includes(id) ? 0 : centavos })),
  );
  const attempts = await sql`
    select disbursement_id as id, key, amount_centavos::int as centavos, destination, reference from attempts
    where state = 'sent' order by 1`;
  expect(attempts).toEqual(sent);
  // Every payment and every share that was decided has its disbursement; what a card issuer took is void.
  const taken = await sql`select id from disbursements where state = 'void' order by 1`;
  expect(taken.map(({ id }) => id)).toEqual(['back-taken-refund', 'pay_second_twice-taken-refund', 'taken']);
  expect((await proveLedger(database)).differences).toEqual([]);
  expect(creator.profileId).toBeDefined();
});

test('what was sent before is repeated unchanged and never sent anew; the rest gets keys of its own', async ({
  world: { sql, database, carryOver, destination },
}) => {
  await carryOver();
  const before =
    await sql`select disbursement_id as id, key, amount_centavos::int as centavos from attempts where state = 'sent'`;
  const keys = new Set((await sql`select key from attempts`).map(({ key }) => key));
  const orders: { id: string; key: string | undefined; centavos: number; number: string | null }[] = [];
  const requested: string[] = [];
  const lose = async (): Promise<never> => {
    throw new PaymongoUnreachable('timeout', 'POST');
  };
  const paidAt = Math.floor(nowMs() / 1000);
  const attributes = {
    amount: price,
    currency: 'PHP',
    status: 'paid',
    source: { type: 'card' },
    refunds: [],
  };
  const payment = (id: string) => ({ id, type: 'payment', attributes: { ...attributes, paid_at: paidAt } });
  const get = async (id: string) => {
    requested.push(id);
    return lose();
  };
  const account = { account_number: '1', account_name: 'Tara', bic: 'PAEYPHM2XXX' };
  const provider = {
    payments: { get: async (id: string) => payment(id) },
    links: { get: async () => ({ payments: [payment('pay_unnamed')] }) },
    wallets: { list: async () => [{ id: 'wallet_1', account }] },
    transfers: {
      get,
      create: async (
        order: { amount: number; reference_number: string; destination_account: { number: string } },
        key: string,
      ) => {
        const { amount: centavos, reference_number: id, destination_account: to } = order;
        orders.push({ id, key, centavos, number: to.number });
        return lose();
      },
    },
    refunds: {
      get,
      create: async (order: { amount: number; payment_id: string }, key: string) => {
        orders.push({ id: order.payment_id, key, centavos: order.amount, number: null });
        return lose();
      },
    },
  } as unknown as Paymongo;
  await sql`update profiles set phone_number = '0917 765 4321'`;
  await sql`update interactions set link_id = 'link_1' where id = 'unnamed'`;
  const open = await sql`select id from disbursements where state in ('owed', 'sending') order by id`;
  for (const { id } of open)
    await disburse({ ...testPlatform(database), provider }, id).catch((error: unknown) => {
      if (!(error instanceof PaymongoUnreachable)) throw error;
    });
  const repeated = orders.filter(({ key }) => keys.has(key));
  const known = before.filter(({ key }) => repeated.some((order) => order.key === key));
  expect(repeated.map(({ key, centavos }) => ({ key, centavos })).toSorted(byKey)).toEqual(
    known.map(({ key, centavos }) => ({ key, centavos })).toSorted(byKey),
  );
  for (const { number } of repeated) expect([null, destination.number]).toContain(number);
  // What the provider has a name for is requested for, and nothing of it is sent.
  expect(requested.toSorted()).toEqual(['ref_sent', 'tr_sent']);
  expect(repeated.map(({ key }) => key).toSorted()).toEqual(
    [
      'lost-answer',
      'refund-back-ordered-1',
      'refund-pay_second_twice-1',
      'refund-split-1',
      'second-attempt:2',
      'transfer-lost-refund',
    ].toSorted(),
  );
  const fresh = orders.filter(({ key }) => !keys.has(key)).map(({ key, centavos }) => `${key} ${centavos}`);
  expect(fresh.toSorted()).toEqual(
    [
      ...[`back-refund:1 ${price}`, `back-refused-refund:3 ${price}`, `owed:1 ${earned}`],
      ...[`reduced:1 ${earned - 100_00}`, `refused:2 ${earned}`, `split:1 9500`, `unnamed-refund:1 ${price}`],
      `unstored:3 ${earned}`,
    ].toSorted(),
  );
});

test('a node of the version before, which would find nothing held or owed, books nothing beside the new one', async ({
  old: { sql, pay, carryOver },
}) => {
  await carryOver();
  await expect(pay('late', { paymentId: 'pay_late', booked: 'pay_late' })).rejects.toThrow('"owner"');
  expect(await sql`select from ledger_transfers`).toHaveLength(0);
});

const byKey = (one: { key?: string | undefined }, other: { key?: string | undefined }) =>
  (one.key ?? '').localeCompare(other.key ?? '');
