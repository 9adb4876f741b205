import { nowDate, nowMs } from '@tara/contract/clock';
import { cancelReasons } from '@tara/contract/interactions/interactions';
import { stages } from '@tara/contract/interactions/stages';
import { type Paymongo, PaymongoUnreachable } from '@tara/paymongo';
import type { Fragment } from 'postgres';
import { expect } from 'vitest';
import { type OldDatabase, oldDatabaseTest } from '../../testing/features/old-database.ts';
import { testPlatform } from '../../testing/platform.ts';
import { disburse } from './disburse.ts';
import { proveLedger } from './ledger-check.ts';

const price = 250_00;
/** What a creator earns of a request; ₱12.50 are the fee. */
const earned = 237_50;
/** What the provider keeps of a payment, and of a lost dispute. */
const feeCentavos = 8_75;
const disputeFee = 800_00;
const destination = { number: '09171234567', name: 'Ana', bic: 'GXCHPHM2XXX' };
/** Longer ago than an order is repeated. */
const yesterday = () => new Date(nowMs() - 30 * 3_600_000);

type Row = Record<string, unknown>;

/** What the code before disbursements wrote for the money of a request. Centavos. */
const writers = ({ sql, creator, insert, pay, transfer }: OldDatabase) => {
  const payable = `payable:${creator.profileId}`;
  const update = (id: string, columns: Row) =>
    sql`update interactions set ${sql(columns as Record<string, string>)} where id = ${id}`;
  const paid = (id: string, columns: Row & { price_centavos?: number } = {}, booked = `pay_${id}`) => {
    const paymentId = columns.payment_id === undefined ? booked : (columns.payment_id as string | null);
    return pay(id, { paymentId, booked, feeCentavos }, { platform_fee_basis_points: 500, ...columns });
  };
  const payout = (id: string, row: Row = {}) =>
    insert('payouts', {
      ...{ id, interaction_id: id, recipient_id: creator.profileId, amount_centavos: earned },
      ...row,
    });
  const attempt = (payoutId: string, attempt: number, row: Row = {}) =>
    insert('payout_attempts', {
      ...{ payout_id: payoutId, attempt, destination, source: { ...destination, number: 'tara' } },
      ...{ idempotency_key: attempt === 1 ? payoutId : `${payoutId}:${attempt}`, ...row },
    });
  const refund = (id: string, row: Row = {}) =>
    insert('refunds', {
      ...{ id, interaction_id: id, payment_id: `pay_${id}`, amount_centavos: price, ...row },
    });
  return {
    paid,
    payout,
    attempt,
    refund,
    /** A request that took place, of which a part is its creator's. */
    released: async (
      id: string,
      { centavos = price, booked = `pay_${id}`, ...columns }: Row & ReleaseOptions = {},
    ) => {
      const over = { user_set_done_at: nowDate(), admin_set_done_at: nowDate(), completed_at: nowDate() };
      await paid(id, { accepted_at: nowDate(), ...over, released_centavos: centavos, ...columns }, booked);
      const fee = Math.floor((centavos * Number(columns.platform_fee_basis_points ?? 500)) / 10_000);
      await transfer(`release:${id}`, id, {
        ...{ [`escrow:${id}`]: centavos, platform_fee: -fee, [payable]: fee - centavos },
      });
    },
    /** A paid request that ended, and goes back. */
    cancelled: (id: string, reason: string, columns: Row = {}, booked = `pay_${id}`) =>
      paid(
        id,
        { cancelled_at: nowDate(), cancel_reason: reason, refund_centavos: price, ...columns },
        booked,
      ),
    /** The payout that carries a refund by a transfer. */
    carrier: async (refundId: string, row: Row = {}) => {
      const [of] = await sql`select interaction_id, client_id, amount_centavos::int from refunds
        join interactions on interactions.id = interaction_id where refunds.id = ${refundId}`;
      await payout(`${refundId}-refund`, {
        ...{ interaction_id: of?.interaction_id, recipient_id: of?.client_id, purpose: 'refund' },
        ...{ amount_centavos: of?.amount_centavos, number: '09181234567', ...row },
      });
    },
    paidOut: async (id: string, more: Record<string, number> = { fees: 1000, cash: -1000 }) => {
      const account = `paid_out:${creator.profileId}`;
      await transfer(`payout:${id}`, id, { [payable]: earned, [account]: -earned, ...more });
      await update(id, { paid_out_at: nowDate().toISOString() });
    },
    wentBack: async (refundId: string, id = refundId, more: Record<string, number> = {}) => {
      await transfer(`refund:${refundId}`, id, {
        [`escrow:${id}`]: price,
        [`refunded:${id}`]: -price,
        ...more,
      });
      if (refundId === id) await update(id, { refunded_at: nowDate().toISOString() });
    },
    /** A dispute of a card issuer as far as it got; of its amount `escrow` and `owed` were frozen. */
    chargeBack: async (
      id: string,
      state: 'open' | 'won' | 'lost',
      { amount = price, escrow = 0, owed = 0, returned = 0, overdrawn = 0, ...names }: ChargebackOptions = {},
    ) => {
      const { paymentId = `pay_${id}`, disputeId = `dsp_${paymentId}` } = names;
      await insert('chargebacks', {
        ...{ id: disputeId, payment_id: paymentId, interaction_id: id, amount_centavos: amount, state },
        ...{ from_escrow_centavos: escrow, from_payable_centavos: owed, evidence: {} },
        decided_at: state === 'open' ? null : nowDate(),
      });
      const frozen = escrow + owed;
      const [held, disputed] = [`escrow:${id}`, `disputed:${id}`];
      if (frozen > 0)
        await transfer(`chargeback:${disputeId}`, id, {
          [held]: escrow,
          [payable]: owed,
          [disputed]: -frozen,
        });
      if (frozen > 0 && state === 'open') await update(id, { frozen_at: nowDate().toISOString() });
      if (frozen > 0 && state === 'won')
        await transfer(`chargeback_won:${disputeId}`, id, {
          ...{ [disputed]: frozen, [held]: -escrow, [payable]: -owed },
        });
      if (state !== 'lost') return;
      await transfer(`chargeback_lost:${disputeId}`, id, {
        ...{
          [disputed]: frozen,
          losses: amount - frozen - returned + overdrawn,
          [held]: returned - overdrawn,
        },
        ...{ charged_back: -amount, fees: disputeFee, cash: -disputeFee },
      });
      if (frozen > 0 && paymentId !== `pay_second_${id}`)
        await update(id, { charged_back_at: nowDate().toISOString() });
    },
  };
};

interface ReleaseOptions {
  centavos?: number;
  booked?: string;
}

interface ChargebackOptions {
  amount?: number;
  escrow?: number;
  owed?: number;
  /** Of a second payment's refund that was refused before the dispute was lost. */
  returned?: number;
  /** Of a refund that arrived while the dispute was open. */
  overdrawn?: number;
  paymentId?: string;
  disputeId?: string;
}

const refused = () => ({ refused_at: nowDate(), refusal: 'The account is closed.' });
const paidAt = () => ({ state: 'paid', paid_at: nowDate() });
const refundedAt = () => ({ state: 'refunded', refunded_at: nowDate() });
const sending = { state: 'sending' };
const ordered = { state: 'sending', ordered_attempt: 1 };
const byTransfer = { way: 'transfer', attempt: 2, ordered_attempt: 1, state: 'sending' };

/** A database as the code stored it before chargebacks, payments and payouts changed, with requests in every state. */
const test = oldDatabaseTest('0271').extend('world', async ({ old }) => {
  const { sql, insert, request, capture } = old;
  const { paid, payout, attempt, refund, ...write } = writers(old);
  const { released, cancelled, carrier, paidOut, wentBack, chargeBack } = write;
  const accepted = { accepted_at: nowDate() };
  const met = { ...accepted, user_set_done_at: nowDate() };
  const done = { ...met, admin_set_done_at: nowDate(), completed_at: nowDate() };
  const ended = (reason: string) => ({ cancelled_at: nowDate(), cancel_reason: reason });

  // Requests of every stage, free and unpaid.
  const free = (id: string) => ({ price_centavos: 0, paid_at: nowDate(), reference_number: id });
  await request('free', free('free'));
  await request('free-accepted', { ...free('free-accepted'), ...accepted });
  await request('free-met', { ...free('free-met'), ...met });
  await request('free-done', { ...free('free-done'), ...done });
  await request('free-expired', { ...free('free-expired'), ...ended('unanswered') });
  const linked = (id: string) => ({
    ...{ link_id: `link_${id}`, reference_number: id, checkout_url: `https://pm.link/${id}` },
    ...{ link_checked_at: nowDate(), pay_until: nowDate() },
  });
  await request('requested');
  await request('requested-link', linked('requested-link'));
  await request('accepted', { ...linked('accepted'), ...accepted });
  for (const reason of ['withdrawn', 'declined', 'cancelled', 'unpaid', 'removed'])
    await request(`${reason}-unpaid`, { ...linked(`${reason}-unpaid`), ...ended(reason) });
  // Paid ones that are under way.
  await paid('held', linked('held'));
  await paid('ready', accepted);
  await paid('fulfilled', met);
  await paid('disputed', { ...met, disputed_at: nowDate() });
  await insert('disputes', { interaction_id: 'disputed', reason: 'absent', story: 'Nobody came.' });

  // What creators earned.
  await released('owed');
  await payout('owed');
  await released('odd', { price_centavos: 333_33, centavos: 333_33 });
  await payout('odd', { amount_centavos: 316_67 });
  await released('all-fee', { platform_fee_basis_points: 10_000 });
  await released('refused');
  await payout('refused', { ...sending, attempt: 2, last_error: 'The account is closed.' });
  await attempt('refused', 1, refused());
  // The first attempt of an early version is not stored.
  await released('unstored');
  await payout('unstored', { ...sending, attempt: 3, last_error: 'The account is closed.' });
  await attempt('unstored', 2, refused());
  await released('lost-answer');
  await payout('lost-answer', sending);
  await attempt('lost-answer', 1);
  await released('old-lost-answer');
  await payout('old-lost-answer', { ...sending, created_at: yesterday() });
  await attempt('old-lost-answer', 1, { created_at: yesterday() });
  await released('second-attempt');
  await payout('second-attempt', { ...sending, attempt: 2 });
  await attempt('second-attempt', 1, refused());
  await attempt('second-attempt', 2, { destination: { ...destination, number: '09179999999' } });
  await released('sent');
  await payout('sent', { ...sending, transfer_id: 'tr_sent' });
  await attempt('sent', 1);
  await released('paid-out');
  await payout('paid-out', { ...paidAt(), transfer_id: 'tr_paid' });
  await attempt('paid-out', 1);
  await paidOut('paid-out');
  await released('by-hand');
  await payout('by-hand', { ...paidAt(), attempt: 2, manual_reference: 'BPI 1' });
  await attempt('by-hand', 1, refused());
  await paidOut('by-hand', { by_hand: -earned, cash: earned });

  // What goes back, of each kind of ending.
  await cancelled('back', 'declined');
  await refund('back');
  await cancelled('back-ordered', 'withdrawn');
  await refund('back-ordered', ordered);
  await cancelled('back-old', 'cancelled');
  await refund('back-old', { ...ordered, created_at: yesterday() });
  await cancelled('back-refused', 'unanswered');
  await refund('back-refused', { ...sending, attempt: 3, ordered_attempt: 2, last_error: 'Not now.' });
  await cancelled('back-third', 'time_taken');
  await refund('back-third', { ...sending, attempt: 3, ordered_attempt: 3 });
  await cancelled('back-sent', 'removed');
  await refund('back-sent', { ...ordered, refund_id: 'ref_sent' });
  await cancelled('back-done', 'refunded', { ...met, disputed_at: nowDate() });
  await refund('back-done', { ...refundedAt(), attempt: 2, ordered_attempt: 2, refund_id: 'ref_done' });
  await wentBack('back-done');
  // By a transfer, because the method gives nothing back.
  await cancelled('transfer-number', 'declined');
  await refund('transfer-number', byTransfer);
  await carrier('transfer-number', { ...sending, number: null, attempt: 2, last_error: 'It is closed.' });
  await attempt('transfer-number-refund', 1, refused());
  await cancelled('transfer-owed', 'declined');
  await refund('transfer-owed', { ...ordered, way: 'transfer' });
  await carrier('transfer-owed');
  await cancelled('transfer-lost', 'declined');
  await refund('transfer-lost', { ...byTransfer, attempt: 1, ordered_attempt: null });
  await carrier('transfer-lost', sending);
  await attempt('transfer-lost-refund', 1);
  await cancelled('transfer-again', 'declined');
  await refund('transfer-again', byTransfer);
  await carrier('transfer-again', { ...sending, attempt: 2 });
  await attempt('transfer-again-refund', 1, refused());
  await attempt('transfer-again-refund', 2);
  await cancelled('transfer-sent', 'declined');
  await refund('transfer-sent', byTransfer);
  await carrier('transfer-sent', { ...sending, transfer_id: 'tr_back' });
  await attempt('transfer-sent-refund', 1);
  await cancelled('transfer-done', 'declined');
  await refund('transfer-done', { ...byTransfer, ...refundedAt() });
  await carrier('transfer-done', { ...paidAt(), transfer_id: 'tr_done' });
  await attempt('transfer-done-refund', 1);
  await wentBack('transfer-done', 'transfer-done', { fees: 1000, cash: -1000 });
  await cancelled('transfer-hand', 'declined');
  await refund('transfer-hand', { ...byTransfer, ...refundedAt() });
  await carrier('transfer-hand', { ...paidAt(), manual_reference: 'BPI 3' });
  await wentBack('transfer-hand', 'transfer-hand', { by_hand: -price, cash: price });
  // A part each.
  await released('split', { centavos: 100_00, refund_centavos: 150_00, disputed_at: nowDate() });
  await payout('split', { amount_centavos: 95_00 });
  await refund('split', { ...ordered, amount_centavos: 150_00 });

  // Payments without an id, of which the link of the second had named one since.
  const unnamed = (id: string) => ({ payment_id: null, ...linked(id) });
  await paid('unnamed-held', unnamed('unnamed-held'), 'link-unnamed-held');
  await cancelled('unnamed', 'declined', unnamed('unnamed'), 'link-unnamed');
  await refund('unnamed', { payment_id: 'link-unnamed' });
  await cancelled('named', 'declined', { payment_id: 'pay_named' }, 'link-named');
  await refund('named', { ...ordered, payment_id: 'link-named' });
  await released('unnamed-out', { ...unnamed('unnamed-out'), booked: 'link-unnamed-out' });
  await payout('unnamed-out', sending);
  await attempt('unnamed-out', 1);
  await paid('unnamed-frozen', unnamed('unnamed-frozen'), 'link-unnamed-frozen');
  await chargeBack('unnamed-frozen', 'open', { escrow: price, paymentId: 'link-unnamed-frozen' });
  await paid('named-frozen', { payment_id: 'pay_named-frozen' }, 'link-named-frozen');
  await chargeBack('named-frozen', 'open', { escrow: price, paymentId: 'link-named-frozen' });

  // Disputes of card issuers that are open: of what is held, owed, under way, and had left.
  await paid('frozen-part', accepted);
  await chargeBack('frozen-part', 'open', { amount: 100_00, escrow: 100_00 });
  await released('frozen');
  await payout('frozen');
  await chargeBack('frozen', 'open', { owed: earned });
  await released('sent-frozen');
  await payout('sent-frozen', sending);
  await attempt('sent-frozen', 1);
  await chargeBack('sent-frozen', 'open');
  await released('paid-frozen');
  await payout('paid-frozen', { ...paidAt(), transfer_id: 'tr_frozen' });
  await attempt('paid-frozen', 1);
  await paidOut('paid-frozen');
  await chargeBack('paid-frozen', 'open', { amount: 100_00 });
  await cancelled('back-frozen', 'declined');
  await refund('back-frozen');
  await chargeBack('back-frozen', 'open', { escrow: price });
  await cancelled('back-ordered-frozen', 'declined');
  await refund('back-ordered-frozen', ordered);
  await chargeBack('back-ordered-frozen', 'open', { escrow: price });
  await cancelled('back-done-frozen', 'declined');
  await refund('back-done-frozen', { ...refundedAt(), ordered_attempt: 1, refund_id: 'ref_frozen' });
  await chargeBack('back-done-frozen', 'open', { escrow: price });
  await wentBack('back-done-frozen');
  // Won ones.
  await paid('won');
  await chargeBack('won', 'won', { escrow: price });
  await released('owed-won');
  await payout('owed-won');
  await chargeBack('owed-won', 'won', { owed: earned });
  // Lost ones: what was owed was reduced, or deleted; the rest is Tara's loss.
  await paid('ended', { ...ended('charged_back'), accepted_at: nowDate() });
  await chargeBack('ended', 'lost', { escrow: price });
  await paid('ended-part', { ...ended('charged_back'), refund_centavos: 150_00 });
  await refund('ended-part', { amount_centavos: 150_00 });
  await chargeBack('ended-part', 'lost', { amount: 100_00, escrow: 100_00 });
  await released('reduced');
  await payout('reduced', { amount_centavos: earned - 100_00 });
  await chargeBack('reduced', 'lost', { amount: 100_00, owed: 100_00 });
  await released('reduced-frozen');
  await payout('reduced-frozen', { amount_centavos: earned - 100_00 });
  await chargeBack('reduced-frozen', 'lost', { amount: 100_00, owed: 100_00 });
  await chargeBack('reduced-frozen', 'open', { amount: 100_00, owed: 100_00, disputeId: 'dsp_2' });
  await released('taken');
  await chargeBack('taken', 'lost', { owed: earned });
  await released('paid-and-lost');
  await payout('paid-and-lost', { ...paidAt(), transfer_id: 'tr_lost' });
  await attempt('paid-and-lost', 1);
  await paidOut('paid-and-lost');
  await chargeBack('paid-and-lost', 'lost');
  await cancelled('back-taken', 'declined');
  await chargeBack('back-taken', 'lost', { escrow: price });
  await cancelled('transfer-reduced', 'declined');
  await refund('transfer-reduced', { ...byTransfer, amount_centavos: 150_00 });
  await carrier('transfer-reduced');
  await chargeBack('transfer-reduced', 'lost', { amount: 100_00, escrow: 100_00 });
  await cancelled('back-ordered-lost', 'declined');
  await refund('back-ordered-lost', ordered);
  await chargeBack('back-ordered-lost', 'lost', { escrow: price });
  await cancelled('back-done-lost', 'declined');
  await refund('back-done-lost', { ...refundedAt(), ordered_attempt: 1, refund_id: 'ref_lost' });
  await wentBack('back-done-lost');
  await chargeBack('back-done-lost', 'lost', { escrow: price, overdrawn: price });

  // Payments that came a second time, and go back.
  const secondOf = (id: string) => ({
    id: `pay_second_${id}`,
    payment_id: `pay_second_${id}`,
    interaction_id: id,
  });
  const twice = async (id: string, row: Row | null = {}) => {
    await paid(id);
    await capture(`pay_second_${id}`, id, { feeCentavos });
    if (row) await refund(id, { ...secondOf(id), ...row });
  };
  const secondName = (id: string) => ({ paymentId: `pay_second_${id}` });
  await twice('twice-owed');
  await twice('twice', ordered);
  await twice('twice-done', { ...refundedAt(), ordered_attempt: 1, refund_id: 'ref_twice' });
  await wentBack('pay_second_twice-done', 'twice-done');
  await twice('twice-transfer', byTransfer);
  await carrier('pay_second_twice-transfer', sending);
  await attempt('pay_second_twice-transfer-refund', 1);
  await twice('twice-frozen');
  await chargeBack('twice-frozen', 'open', { ...secondName('twice-frozen'), escrow: price });
  await twice('own-frozen');
  await chargeBack('own-frozen', 'open', { escrow: price });
  await twice('twice-taken', null);
  await chargeBack('twice-taken', 'lost', { ...secondName('twice-taken'), escrow: price });
  await twice('twice-returned', null);
  await chargeBack('twice-returned', 'lost', { ...secondName('twice-returned'), returned: price });

  await sql`select graphile_worker.add_job(task, '{}') from unnest(array['payments.payout', 'payments.refund']) as task`;
  return old;
});

/** What the old tables have, by the names that the new ones have for it. */
const readBefore = async (sql: Sql) => ({
  // What is owed and was not sent.
  owed: await sql`
    select id, amount_centavos::int as centavos from payouts where state <> 'paid' and not exists (
      select from payout_attempts where payout_id = payouts.id and payout_attempts.attempt = payouts.attempt)
    union all select id || '-refund', amount_centavos::int from refunds
      where way = 'provider' and state <> 'refunded' and refund_id is null and ordered_attempt is distinct from attempt
    order by 1`,
  // What may be under way.
  sent: await sql`
    select payouts.id, idempotency_key as key, amount_centavos::int as centavos, destination, source, transfer_id as reference
    from payouts join payout_attempts on payout_id = payouts.id and payout_attempts.attempt = payouts.attempt
    where state <> 'paid'
    union all select id || '-refund', 'refund-' || id || '-' || attempt, amount_centavos::int, null, null, refund_id
      from refunds where way = 'provider' and state <> 'refunded' and ordered_attempt = attempt
    order by 1`,
  arrived: await sql`
    select id, amount_centavos::int as centavos, coalesce(manual_reference, transfer_id) as reference
      from payouts where state = 'paid'
    union all select id || '-refund', amount_centavos::int, refund_id
      from refunds where way = 'provider' and state = 'refunded'
    order by 1`,
  refused: await sql`
    select idempotency_key as key, destination, source from payout_attempts where refused_at is not null
    union all select 'refund-' || id || '-' || number, null, null from refunds cross join generate_series(1, attempt - 1) as number
    order by 1`,
  // What is held for payments that came a second time; the rest is held for the requests' own.
  second: await sql`
    select id, (coalesce((select amount_centavos from refunds where payment_id = paid.id and state <> 'refunded'), 0)
      - (select coalesce(sum(from_escrow_centavos), 0) from chargebacks where payment_id = paid.id and state = 'open'))::int as centavos
    from captured_payments paid where id like 'pay_second%' order by 1`,
  shown: await sql`
    select interaction_id as id, payout_centavos::int as payout, own_refund_centavos::int as refund, awaits_number,
      earned_centavos::int as earned
    from interaction_money join plan_requests on plan_requests.id = interaction_id order by 1`,
  requests: await requests(sql),
  entries: await entries(sql, sql`account`),
  balances: await balances(sql, sql`account`),
});

type Sql = OldDatabase['sql'];

/** Without how far links were checked one by one, which is not stored any more. */
const requests = (sql: Sql) =>
  sql`select to_jsonb(interactions) - 'link_due_at' - 'link_checked_at' as request from interactions order by id`;

/** An account by its name of before. */
const newName = (sql: Sql) => sql`concat_ws(':', account, nullif(owner, ''))`;

/** What was booked, without what was carried over of open disputes. */
const entries = (sql: Sql, account: Fragment) => sql`
  select key, interaction_id, ${account} as account, amount::int from ledger_entries
    join ledger_transfers on ledger_transfers.id = transfer_id
  where kind <> 'chargeback_held' order by 1, 3`;

/** Each account of each request: what is held, owed, paid out, given back, disputed, lost and spent for it. */
const balances = async (sql: Sql, account: Fragment): Promise<Record<string, number>> => {
  const rows = await sql`
    select interaction_id || ' ' || ${account} as name, sum(amount)::int as centavos from ledger_entries
      join ledger_transfers on ledger_transfers.id = transfer_id
    group by 1 having sum(amount) <> 0 order by 1`;
  return Object.fromEntries(rows.map(({ name, centavos }) => [name, centavos]));
};

test('requests in every state are carried over: what is owed, held and paid, and what was sent, stay what they are', async ({
  world: { sql, database, carryOver },
}) => {
  const before = await readBefore(sql);
  const open = await sql`select interaction_id as id, sum(amount_centavos)::int as centavos from chargebacks
    where state = 'open' group by 1`;
  await carryOver();
  const name = newName(sql);
  expect(await requests(sql)).toEqual(before.requests);
  const values = (column: string) =>
    [...new Set(before.requests.map(({ request }) => request[column]))].toSorted();
  expect(values('stage')).toEqual([...stages].toSorted());
  expect(values('cancel_reason')).toEqual([...cancelReasons, null].toSorted());
  expect(await entries(sql, name)).toEqual(before.entries);
  // By design what was frozen for an open dispute is held by the provider with the rest of the dispute's amount, which is Tara's own and at
  // risk: their sum for each request is what it was, and every other account is untouched.
  const expected = { ...before.balances };
  for (const { id, centavos } of open) {
    const frozen = -(expected[`${id} disputed:${id}`] ?? 0);
    delete expected[`${id} disputed:${id}`];
    expected[`${id} held_by_provider:${id}`] = -centavos;
    if (frozen < centavos) expected[`${id} at_risk`] = centavos - frozen;
  }
  expect(await balances(sql, name)).toEqual(expected);
  const second = await sql`
    select payment_id as id, -sum(amount) filter (where account = 'escrow')::int as centavos from ledger_transfers
      join ledger_entries on transfer_id = ledger_transfers.id
    where payment_id like 'pay_second%' group by 1 order by 1`;
  expect(second).toEqual(before.second);

  // What is owed is the same with what a card issuer disputes of it, which is not sent.
  const owed = await sql`
    select id, disbursement_amounts.amount_centavos::int as centavos from disbursement_amounts join disbursements using (id)
    where state = 'owed' order by 1`;
  expect(owed).toEqual(before.owed);
  const attempts = (state: string) => sql`
    select disbursement_id as id, key, amount_centavos::int as centavos, destination, source, reference from attempts
    where state = ${state} order by 1, 2`;
  expect(await attempts('sent')).toEqual(before.sent);
  const arrived = await sql`
    select id, attempts.amount_centavos::int as centavos, reference from attempts
      join disbursements on id = disbursement_id and disbursements.state = attempts.state
    where attempts.state = 'arrived' order by 1`;
  expect(arrived).toEqual(before.arrived);
  expect(await sql`select key, destination, source from attempts where state = 'refused' order by 1`).toEqual(
    before.refused,
  );
  const shown = await sql`
    select interaction_id as id, payout_centavos::int as payout, refund_centavos::int as refund, awaits_number,
      earned_centavos::int as earned
    from interaction_money join plan_requests on plan_requests.id = interaction_id order by 1`;
  expect(shown).toEqual(before.shown);
  // Every payment and every share that was decided has its disbursement; what a card issuer took is void.
  const taken = await sql`select id from disbursements where state = 'void' order by 1`;
  expect(taken.map(({ id }) => id)).toEqual([
    ...['back-taken-refund', 'pay_second_twice-returned-refund', 'pay_second_twice-taken-refund', 'taken'],
  ]);
  expect((await proveLedger(database)).differences).toEqual([]);
  expect(await sql`select from graphile_worker.jobs where task_identifier like 'payments.%'`).toEqual([]);
});

test('what was sent before is repeated unchanged and never sent anew; what was not is sent once', async ({
  world: { sql, database, carryOver },
}) => {
  const before = await readBefore(sql);
  await carryOver();
  const oldKeys = new Set([...before.sent, ...before.refused].map(({ key }) => key));
  const refundIds = new Map(
    (await sql`select payment_id, id from disbursements where purpose = 'refund'`).map((row) => [
      row.payment_id,
      row.id,
    ]),
  );
  const orders: { id: string; key: string; centavos: number; number: string | null }[] = [];
  const requested = new Set<string>();
  const lose = async (): Promise<never> => {
    throw new PaymongoUnreachable('timeout', 'POST');
  };
  const now = Math.floor(nowMs() / 1000);
  const attributes = {
    amount: price,
    currency: 'PHP',
    status: 'paid',
    source: { type: 'card' },
    refunds: [],
  };
  const payment = (id: string) => ({ id, type: 'payment', attributes: { ...attributes, paid_at: now } });
  const get = async (id: string) => {
    requested.add(id);
    return lose();
  };
  const account = { account_number: '1', account_name: 'Tara', bic: 'PAEYPHM2XXX' };
  const provider = {
    payments: { get: async (id: string) => payment(id) },
    links: { get: async (id: string) => ({ payments: [payment(id.replace('link_', 'pay_'))] }) },
    wallets: { list: async () => [{ id: 'wallet_1', account }] },
    transfers: {
      get,
      findByReference: async () => [],
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
        const of = order.payment_id === 'pay_unnamed' ? 'link-unnamed' : order.payment_id;
        orders.push({ id: refundIds.get(of), key, centavos: order.amount, number: null });
        return lose();
      },
    },
  } as unknown as Paymongo;
  await sql`update profiles set phone_number = '0917 765 4321'`;
  const open = await sql`select id from disbursements where state in ('owed', 'sending') order by id`;
  // The answers to all of the first round are lost.
  for (const { id } of [...open, ...open])
    await disburse({ ...testPlatform(database), provider }, id).catch((error: unknown) => {
      if (!(error instanceof PaymongoUnreachable)) throw error;
    });
  const sorted = (rows: Iterable<string>) => [...new Set(rows)].toSorted();
  const written = (order: (typeof orders)[number]) => JSON.stringify(order);
  // What was sent yesterday is looked for alone, as is what the provider has a name for.
  const repeated = before.sent
    .filter(({ id, reference }) => reference === null && !['old-lost-answer', 'back-old-refund'].includes(id))
    .map(({ id, key, centavos, destination: to }) => ({ id, key, centavos, number: to?.number ?? null }));
  expect(sorted(orders.filter(({ key }) => oldKeys.has(key)).map(written))).toEqual(
    sorted(repeated.map(written)),
  );
  expect(sorted(requested)).toEqual(sorted(before.sent.flatMap(({ reference }) => reference ?? [])));
  // What a card issuer disputes, or has no number to go to, waits.
  const waiting = ['frozen', 'back-frozen-refund', 'reduced-frozen', 'pay_second_twice-frozen-refund'];
  const fresh = before.owed.filter(({ id }) => ![...waiting, 'transfer-number-refund'].includes(id));
  expect(
    sorted(orders.filter(({ key }) => !oldKeys.has(key)).map(({ id, centavos }) => `${id} ${centavos}`)),
  ).toEqual(sorted(fresh.map(({ id, centavos }) => `${id} ${centavos}`)));
  // Each under one key, however often.
  expect(new Set(orders.map(({ key }) => key)).size).toBe(repeated.length + fresh.length);
  expect(orders).toHaveLength(2 * (repeated.length + fresh.length));
});

test('a refund that was refused after a card issuer had taken all of it is owed no more, and of a part the rest is', async ({
  old,
}) => {
  const { sql, database, carryOver } = old;
  const { cancelled, refund, chargeBack } = writers(old);
  for (const [id, amount] of [
    ['all', price],
    ['part', 100_00],
  ] as const) {
    await cancelled(id, 'declined');
    await refund(id, { ...sending, attempt: 2, ordered_attempt: 1, last_error: 'Not now.' });
    await chargeBack(id, 'lost', { amount, escrow: amount });
  }
  await carryOver();
  const rows = await sql`
    select id, state, problem, owed_centavos::int as centavos from disbursement_amounts join disbursements using (id) order by 1`;
  expect(rows).toEqual([
    { id: 'all-refund', state: 'void', problem: null, centavos: 0 },
    { id: 'part-refund', state: 'owed', problem: 'Not now.', centavos: 150_00 },
  ]);
  expect((await proveLedger(database)).differences).toEqual([]);
});

const laterTest = oldDatabaseTest('0292');

laterTest(
  'fees of disputes, times of orders and transfers by hand of later versions are carried over as they are',
  async ({ old }) => {
    const { sql, database, creator, insert, transfer, carryOver } = old;
    const { paid, released, payout, cancelled, refund } = writers(old);
    const payable = `payable:${creator.profileId}`;
    /** Booked from its opening, with the fee. */
    const chargeBack = async (id: string, state: 'open' | 'won' | 'lost', { escrow = 0, owed = 0 } = {}) => {
      await insert('chargebacks', {
        ...{ id: `dsp_${id}`, payment_id: `pay_${id}`, interaction_id: id, amount_centavos: price, state },
        ...{
          from_escrow_centavos: escrow,
          from_payable_centavos: owed,
          fee_centavos: disputeFee,
          evidence: {},
        },
        ...{ due_on: '2026-12-04', decided_at: state === 'open' ? null : nowDate() },
      });
      const own = price - escrow - owed + disputeFee;
      const [held, heldByProvider] = [`escrow:${id}`, `held_by_provider:${id}`];
      const opened = { [held]: escrow, [payable]: owed, at_risk: own, [heldByProvider]: -price - disputeFee };
      await transfer(`chargeback:dsp_${id}`, id, opened);
      if (state === 'won')
        await transfer(
          `chargeback_won:dsp_${id}`,
          id,
          Object.fromEntries(Object.entries(opened).map(([account, centavos]) => [account, -centavos])),
        );
      if (state === 'lost')
        await transfer(`chargeback_lost:dsp_${id}`, id, {
          ...{ [heldByProvider]: price + disputeFee, at_risk: -own, losses: own - disputeFee },
          ...{ charged_back: -price, fees: disputeFee, cash: -disputeFee },
        });
    };
    await released('frozen');
    await payout('frozen');
    await chargeBack('frozen', 'open', { owed: earned });
    await paid('won');
    await chargeBack('won', 'won', { escrow: price });
    // What was lost is not owed any more; money may have left for it by hand.
    await released('taken', { charged_back_at: nowDate() });
    await chargeBack('taken', 'lost', { owed: earned });
    await released('owed');
    await payout('owed');
    for (const [id, reference] of [
      ['taken', 'BPI 1'],
      ['owed', 'BPI 2'],
    ] as const) {
      await insert('manual_transfers', {
        ...{ reference, payout_id: id, interaction_id: id, amount_centavos: earned },
        ...{ state: 'refused', problem: 'It was not recorded.' },
      });
      await sql`insert into audit_log (actor_account_id, action, subject, after) values ('admin', 'payout.refuse',
        ${`payout:${id}`}, jsonb_build_object('reference', ${reference}::text, 'amountCentavos', ${earned}::int))`;
    }
    await cancelled('back', 'declined');
    await refund('back', { ...ordered, created_at: yesterday(), ordered_at: nowDate() });
    const before = {
      entries: await entries(sql, sql`account`),
      byHand:
        await sql`select reference, payout_id as id, amount_centavos, state, problem from manual_transfers order by 1`,
      orders: await sql`select ordered_at as sent_at from refunds`,
    };
    await carryOver();
    expect(await entries(sql, newName(sql))).toEqual(before.entries);
    const byHand = await sql`
    select reference, disbursement_id as id, amount_centavos, state, problem from manual_transfers order by 1`;
    expect(byHand).toEqual(before.byHand);
    expect(await sql`select sent_at from attempts`).toEqual(before.orders);
    const owed = await sql`
    select id, state, owed_centavos::int as centavos from disbursement_amounts join disbursements using (id) order by 1`;
    expect(owed).toEqual([
      { id: 'back-refund', state: 'sending', centavos: 0 },
      { id: 'frozen', state: 'owed', centavos: 0 },
      { id: 'owed', state: 'owed', centavos: earned },
      { id: 'taken', state: 'void', centavos: 0 },
    ]);
    expect((await proveLedger(database)).differences).toEqual([]);
  },
);

laterTest(
  'a node of the version before, which would find nothing held or owed, books nothing beside the new one',
  async ({ old: { sql, pay, carryOver } }) => {
    await carryOver();
    await expect(pay('late', { paymentId: 'pay_late', booked: 'pay_late' })).rejects.toThrow('"owner"');
    expect(await sql`select from ledger_transfers`).toHaveLength(0);
  },
);
