import { desc, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import { auditLog } from '../audit/index.ts';
import { interactions, isOpen, requestDecisions } from '../interactions/index.ts';
import { updateAlarms } from './alarms.ts';
import { failureDifference, findDifferences } from './ledger-differences.ts';
import { compareWithProvider } from './ledger-provider.ts';
import { compareWallet, unreadWallet, type WalletGap } from './ledger-wallet.ts';
import type { PaymentContext } from './provider.ts';
import { type LedgerDifference, ledgerChecks } from './tables.ts';

/** What was compared, by kind, and what does not agree. */
export interface LedgerReport {
  counts: Record<string, number>;
  differences: LedgerDifference[];
}

export interface CheckOptions {
  /** Seconds that a crossing delivery has; ten minutes unless given. */
  settleSeconds?: number;
  /** Only what is open or moved since then is compared; everything without it. */
  since?: Date | null;
  /** Ends the check between two pages of the provider and two rules. */
  signal?: AbortSignal;
}

/** Most differences that are remembered, so that admins are notified of new ones alone. */
const mostAlarms = 1000;

const isSince = (time: SQL, since: Date) => sql`${time} >= ${since.toISOString()}::timestamptz`;

/** Requests of which something is open, or moved since then: what is closed does not change any more. */
const changedRequests = (since: Date) => sql`
  select id from ${interactions} where (paid_at is not null and ${isOpen()}) or ${isSince(sql`updated_at`, since)}
  union select interaction_id from ledger_transfers where ${isSince(sql`created_at`, since)}
  union select interaction_id from captured_payments where ${isSince(sql`paid_at`, since)}
  union select interaction_id from disbursements where state in ('owed', 'sending') or ${isSince(sql`updated_at`, since)}
  union select interaction_id from chargebacks
    where state = 'open' or ${isSince(sql`created_at`, since)} or ${isSince(sql`decided_at`, since)}`;

/** The requests of `within`, as the first table of a `with`. */
const provenTable = (requests: SQL) => sql`proven as materialized (${requests})`;

/** The same before a `select` that has no other. */
const withProven = (requests: SQL | null) => (requests === null ? sql`` : sql`with ${provenTable(requests)}`);

/** Only what belongs to one of these requests; everything without them. */
const within = (requests: SQL | null, column: SQL) =>
  requests === null ? sql`true` : sql`${column} in (select id from proven)`;

const sumsText = (actual: SQL, expected: SQL) =>
  sql`format('found %s centavos, expected %s', ${actual}, ${expected})`;

/**
 * Whether an attempt is under way for somebody who is owed it: what was on its way when a card issuer took its payment, or was given up and
 * comes to light after that, is a loss once it arrives. A second apart, because a time is that of the beginning of a transaction.
 */
const isUnderWay = sql`sent.state = 'sent' and not exists (select from chargebacks
  where chargebacks.payment_id = disbursements.payment_id and chargebacks.state = 'lost'
    and chargebacks.decided_at >= sent.created_at - interval '1 second')`;

/**
 * Every rule about a request by one pass over the ledger and one over each table: a row of sums for each request, and of it a row for
 * each rule that it breaks. Centavos.
 */
const requestRules = (requests: SQL | null): SQL => sql`
  with ${requests === null ? sql`` : sql`${provenTable(requests)},`}
  -- What was booked. What came in is positive in the ledger, what is owed and went out negative.
  booked as (
    select interaction_id,
      -sum(amount) filter (where kind = 'capture' and account = 'escrow' and owner = interaction_id) as captured,
      sum(amount) filter (where kind = 'capture' and account = 'cash') as received,
      sum(amount) filter (where kind = 'release' and account = 'escrow' and owner = interaction_id) as released,
      -sum(amount) filter (where kind = 'release' and account = 'platform_fee') as platform_fee,
      sum(amount) filter (where kind = 'refund' and account = 'escrow' and owner = interaction_id) as returned,
      -sum(amount) filter (where kind = 'refund' and account = 'refunded' and owner = interaction_id) as refunded,
      -sum(amount) filter (where kind = 'payout' and account = 'paid_out') as paid_out,
      -sum(amount) filter (where kind in ('payout', 'refund') and account = 'by_hand') as by_hand,
      -sum(amount) filter (where account = 'escrow' and owner = interaction_id) as held,
      -sum(amount) filter (where account = 'payable') as owed,
      min(owner) filter (where account = 'payable') as first_creator,
      max(owner) filter (where account = 'payable') as last_creator,
      -sum(amount) filter (where account = 'charged_back') as charged_back,
      -sum(amount) filter (where account = 'held_by_provider' and owner = interaction_id) as held_by_provider,
      sum(amount) filter (where account = 'at_risk') as at_risk,
      sum(amount) filter (where kind in ('chargeback', 'chargeback_corrected') and account = 'escrow') as disputed_of_held,
      sum(amount) filter (where kind in ('chargeback', 'chargeback_corrected') and account = 'payable') as disputed_of_owed,
      sum(amount) filter (where kind in ('chargeback', 'chargeback_held', 'chargeback_corrected') and account = 'at_risk') as disputed_of_own,
      sum(amount) filter (where kind = 'chargeback_lost' and account = 'fees') as fees_of_lost,
      sum(amount) filter (where kind = 'chargeback_lost' and (account = 'escrow' or (account = 'payable' and amount > 0))) as made_up,
      -sum(amount) filter (where kind = 'chargeback_lost' and account = 'cash') as paid_for_lost,
      sum(amount) filter (where kind in ('payout', 'refund') and account = 'fees') as fees_of_sent,
      -sum(amount) filter (where kind in ('payout', 'refund') and account = 'cash') as paid_for_sent,
      -sum(amount) filter (where kind = 'chargeback_won' and account = 'escrow') as won_for_held,
      -sum(amount) filter (where kind = 'chargeback_won' and account = 'payable') as won_for_owed
    from ledger_transfers join ledger_entries on transfer_id = ledger_transfers.id
    where ${within(requests, sql`interaction_id`)} group by interaction_id),
  -- What the tables of money say.
  payment as (
    select interaction_id, count(*) as count, sum(amount_centavos) as amount, sum(amount_centavos - fee_centavos) as net
    from captured_payments where ${within(requests, sql`interaction_id`)} group by interaction_id),
  disbursement as (
    select interaction_id,
      sum(disbursements.amount_centavos) filter (where purpose = 'payout') as payouts,
      sum(disbursements.amount_centavos) filter (where purpose = 'refund') as refunds,
      sum(sent.amount_centavos) filter (where purpose = 'payout' and sent.state = 'arrived') as paid_out,
      sum(sent.amount_centavos) filter (where purpose = 'refund' and sent.state = 'arrived') as refunded,
      sum(sent.amount_centavos) filter (where sent.way = 'hand') as by_hand,
      sum(sent.amount_centavos) filter (where purpose = 'payout' and ${isUnderWay}) as payouts_under_way,
      sum(sent.amount_centavos) filter (where purpose = 'refund' and ${isUnderWay}) as refunds_under_way,
      -- At most what was decided; less where a card issuer took of it.
      sum(coalesce(sent.amount_centavos, disbursements.amount_centavos))
        filter (where purpose = 'payout' and disbursements.state in ('owed', 'sending')) as payouts_open,
      sum(coalesce(sent.amount_centavos, disbursements.amount_centavos))
        filter (where purpose = 'refund' and disbursements.state in ('owed', 'sending')) as refunds_open,
      bool_or(sent.way = 'transfer' and sent.state = 'arrived') as has_transfer,
      count(*) filter (where disbursements.state in ('sending', 'arrived') and sent.state is distinct from
        case disbursements.state when 'arrived' then 'arrived' else 'sent' end) as without_attempt
    from disbursements left join attempts sent on sent.disbursement_id = disbursements.id and sent.state in ('sent', 'arrived')
    where ${within(requests, sql`interaction_id`)} group by interaction_id),
  chargeback as (
    select interaction_id, sum(amount_centavos) filter (where state = 'lost') as lost,
      sum(amount_centavos + coalesce(fee_centavos, 0)) filter (where state = 'open') as open,
      sum(amount_centavos + coalesce(fee_centavos, 0) - from_escrow_centavos - from_payable_centavos)
        filter (where state = 'open') as at_risk,
      sum(from_escrow_centavos) as of_held, sum(from_payable_centavos) as of_owed,
      sum(from_escrow_centavos) filter (where state = 'won') as won_of_held,
      sum(from_payable_centavos) filter (where state = 'won') as won_of_owed,
      sum(amount_centavos + fee_centavos - from_escrow_centavos - from_payable_centavos) as of_own,
      sum(fee_centavos) filter (where state = 'lost') as lost_fees,
      sum(amount_centavos - from_escrow_centavos - from_payable_centavos) filter (where state = 'lost') as lost_of_own,
      -- Opened by an earlier version, which stored no fee.
      bool_or(fee_centavos is null) as has_no_fee
    from chargebacks where ${within(requests, sql`interaction_id`)} group by interaction_id)
  select rule, request.id as subject, ${sumsText(sql`actual`, sql`expected`)} as text
  from ${interactions} as request
    left join booked on booked.interaction_id = request.id
    left join payment on payment.interaction_id = request.id
    left join disbursement on disbursement.interaction_id = request.id
    left join chargeback on chargeback.interaction_id = request.id
    left join ${requestDecisions} as decision on decision.interaction_id = request.id
    cross join lateral (values
      ('what was captured is booked', captured, payment.amount, true, false),
      ('what was captured is booked with its fee', received, payment.net, true, false),
      ('each payment is of the price', payment.amount, payment.count * price_centavos, true, false),
      ('a request that was paid has its payment', payment.amount, price_centavos,
        paid_at is not null and coalesce(payment.count, 0) = 0, false),
      ('what was released is booked', released, released_centavos, true, false),
      ('what was released is owed to the creator', coalesce(released, 0) - coalesce(booked.platform_fee, 0), payouts, true, false),
      -- A payment that came a second time goes back whole.
      ('what goes back to the client is what was decided', refunds,
        request.refund_centavos + greatest(payment.count - 1, 0) * price_centavos, true, false),
      -- A decision ends its request in its transaction, and what card issuers take afterwards changes neither amount.
      ('what an admin decided goes back to the client', request.refund_centavos, decision.refund_centavos,
        decision.interaction_id is not null, false),
      ('what was refunded is booked', booked.refunded, disbursement.refunded, true, false),
      ('what was paid out is booked', booked.paid_out, disbursement.paid_out, true, false),
      ('what was paid out by hand is booked', booked.by_hand, disbursement.by_hand, true, false),
      ('what is sent or arrived has an attempt', without_attempt, 0, true, false),
      ('refunded and released are at most what was captured', coalesce(returned, 0) + coalesce(released, 0), captured, true, true),
      ('paid out and the platform fee are at most what was released', coalesce(booked.paid_out, 0) + coalesce(platform_fee, 0), released,
        true, true),
      -- Nothing but refunds that are on their way; what the card issuer disputes is not over.
      ('nothing is held for a request that is over', held, refunds_open,
        (cancelled_at is not null or completed_at is not null) and frozen_at is null, true),
      ('what goes back to the client is held until then', refunds_under_way, held, chargeback.open is null, true),
      ('what is owed to a creator waits to be paid out', owed, payouts_open, true, true),
      ('what is paid out is owed until then', payouts_under_way, owed, chargeback.open is null, true),
      -- What left besides what an open dispute holds is a loss once the card issuer keeps that.
      ('no more leaves than is held for the request', -held, 0, chargeback.open is null, true),
      ('no more leaves than is owed to the creator', -owed, 0, chargeback.open is null, true),
      ('what card issuers took back is booked', charged_back, lost, true, false),
      ('what the provider holds for card issuers is what their open disputes are about', held_by_provider, chargeback.open,
        true, false),
      ('what is at risk is the part of open disputes that had left', booked.at_risk, chargeback.at_risk, true, false),
      ('what disputes took of what was held is booked', disputed_of_held, chargeback.of_held, true, false),
      ('what disputes took of what was owed is booked', disputed_of_owed, chargeback.of_owed, true, false),
      ('what disputes took of Tara’s own, with their fees, is booked', disputed_of_own, chargeback.of_own, has_no_fee is not true, false),
      ('what was held or owed makes up for no more than what was lost of Tara’s own', made_up, lost_of_own, true, true),
      ('the fees of what card issuers took back are booked', fees_of_lost, lost_fees, has_no_fee is not true, false),
      ('the fees of what card issuers took back left the wallet', paid_for_lost, fees_of_lost, true, false),
      ('what disputes took of what was held came back with those that were won', won_for_held, won_of_held, true, false),
      ('what disputes took of what was owed came back with those that were won', won_for_owed, won_of_owed, true, false),
      -- What was sent by hand left another account, so that the wallet has it still.
      ('what was sent takes nothing from the wallet beside its amount and fee', paid_for_sent,
        coalesce(fees_of_sent, 0) - coalesce(booked.by_hand, 0), true, false),
      ('what was sent without a transfer has no fee', fees_of_sent, 0, has_transfer is not true, false),
      ('what is owed for a request is its creator’s', case when first_creator <> creator_id or last_creator <> creator_id
        then 1 end, 0, true, false)
    ) as rules (rule, actual_or_none, expected_or_none, applies, is_limit)
    cross join lateral (select coalesce(actual_or_none, 0), coalesce(expected_or_none, 0)) as sums (actual, expected)
  where ${within(requests, sql`request.id`)} and applies
    and case when is_limit then actual > expected else actual <> expected end`;

/** Each rule that is about no sums of a request. */
const ledgerRules = (since: Date | null, requests: SQL | null): SQL[] => [
  sql`select 'a transfer sums to zero' as rule, transfer_id::text as subject, ${sumsText(sql`sum(amount)`, sql`0`)} as text
    from ledger_entries
    where ${since === null ? sql`true` : sql`transfer_id in (select id from ledger_transfers where ${isSince(sql`created_at`, since)})`}
    group by transfer_id having sum(amount) <> 0`,
  sql`select 'what waits to be sent is owed' as rule, disbursements.interaction_id as subject,
      ${sumsText(sql`disbursement_amounts.amount_centavos`, sql`disbursements.amount_centavos`)} as text
    from disbursements join disbursement_amounts using (id) where state = 'owed' and disbursement_amounts.amount_centavos = 0`,
  // A loss that was not booked moved nothing else, and they are few: all of them each time.
  sql`select 'what was lost by hand is booked' as rule, interaction_id as subject,
      ${sumsText(sql`coalesce(booked.amount, 0)`, sql`amount_centavos`)} as text
    from manual_transfers cross join lateral (select -sum(amount) as amount from ledger_transfers
      join ledger_entries on transfer_id = ledger_transfers.id
      where key = 'manual_loss:' || reference and account = 'by_hand') as booked
    where state = 'lost' and booked.amount is distinct from amount_centavos`,
  sql`${withProven(requests)} select 'what was sent by hand is what its reference says' as rule, manual_transfers.interaction_id as subject,
      ${sumsText(sql`manual_transfers.amount_centavos`, sql`coalesce(sent.amount_centavos, 0)`)} as text
    from manual_transfers left join attempts sent on sent.disbursement_id = manual_transfers.disbursement_id and sent.way = 'hand'
      and sent.reference = manual_transfers.reference and sent.state = 'arrived'
    where manual_transfers.state = 'booked' and ${within(requests, sql`manual_transfers.interaction_id`)}
      and sent.amount_centavos is distinct from manual_transfers.amount_centavos`,
  // What was refused is booked only once an admin settles it, and what it was more than the payout then is a loss.
  sql`select 'what was refused by hand is what the admin named' as rule, interaction_id as subject,
      ${sumsText(sql`amount`, sql`'what the audit log has'`)} as text
    from manual_transfers cross join lateral (select -sum(amount) as surplus from ledger_transfers
        join ledger_entries on transfer_id = ledger_transfers.id
        where key = 'manual_loss:' || reference and account = 'by_hand') as booked
      cross join lateral (select amount_centavos + coalesce(surplus, 0) as amount) as sent
    where (state = 'refused' or (state = 'booked' and surplus is not null)) and not exists (select from ${auditLog} as log
      where log.subject in ('payout:' || disbursement_id, 'refund:' || disbursement_id)
        and log.action in ('payout.refuse', 'refund.refuse')
        and log.after ->> 'reference' = reference and (log.after ->> 'amountCentavos')::bigint = sent.amount)`,
  // What a lost dispute left is less than what was decided, and how much it was at that time no table says.
  sql`${withProven(requests)} select 'what is sent is what was decided, less what card issuers took' as rule,
      disbursements.interaction_id as subject, ${sumsText(sql`attempts.amount_centavos`, sql`disbursements.amount_centavos`)} as text
    from attempts join disbursements on disbursements.id = disbursement_id
    where ${within(requests, sql`disbursements.interaction_id`)} and attempts.amount_centavos <> disbursements.amount_centavos
      and (attempts.amount_centavos > disbursements.amount_centavos or not exists (select from chargebacks
        where chargebacks.payment_id = disbursements.payment_id and chargebacks.state = 'lost'))`,
];

/**
 * Proves every rule of the ledger by its own records, in one statement for all rules about requests, so that each sees the same moment.
 * @param since of requests that were closed before then nothing is proved.
 */
export async function proveLedger(
  database: Database,
  { signal, since = null }: Pick<CheckOptions, 'signal' | 'since'> = {},
): Promise<LedgerReport> {
  const requests = since && changedRequests(since);
  const differences: LedgerDifference[] = [];
  for (const statement of [requestRules(requests), ...ledgerRules(since, requests)]) {
    signal?.throwIfAborted();
    differences.push(...(await findDifferences(database, statement)));
  }
  return { counts: await countRecords(database, requests), differences };
}

async function countRecords(database: Database, requests: SQL | null): Promise<Record<string, number>> {
  const count = (table: SQL) =>
    sql`(select count(*)::int from ${table} where ${within(requests, sql`interaction_id`)})`;
  const [counts] = await database.execute<Record<string, number>>(sql`
    ${withProven(requests)}
    select ${count(sql`ledger_transfers`)} as transfers, ${count(sql`captured_payments`)} as payments,
      ${count(sql`disbursements`)} as disbursements`);
  return { ...counts };
}

type CheckContext = Pick<PaymentContext, 'database' | 'provider' | 'config'>;

/** Proves the ledger and compares it with what the provider says. What is younger than `settleSeconds` is left out. */
export async function checkLedger(
  context: CheckContext,
  options: CheckOptions = {},
): Promise<LedgerReport & WalletGap> {
  const own = await proveLedger(context.database, options);
  const theirs = await compareWithProvider(context, options);
  const { differences, ...gap } = await compareWallet(context, options.settleSeconds).catch((error) => ({
    ...unreadWallet,
    differences: [failureDifference(error, 'the wallet')],
  }));
  return {
    ...gap,
    counts: { ...own.counts, ...theirs.counts },
    differences: [...own.differences, ...theirs.differences, ...differences],
  };
}

/** Hours before the last check from which everything is compared again: it took some of them, and so did what ran meanwhile. */
const overlapHours = 24;

/**
 * From when on the next check compares what moved; null when it compares everything: the first one, one after a difference, whose record may be
 * closed, and one a month after the last full one.
 */
export async function nextCheckSince(database: Database): Promise<Date | null> {
  const [row] = await database.execute<{ since: string | null }>(sql`
    select case when (select max(checked_at) from ledger_checks where is_full) > now() - interval '1 month'
      and jsonb_array_length(differences) = 0 then checked_at - make_interval(hours => ${overlapHours}) end as since
    from ledger_checks order by id desc limit 1`);
  return row?.since == null ? null : new Date(row.since);
}

/**
 * The nightly check: of what is open or moved since the last one, and once a month of everything. Stored for the admins' overview, and
 * logged; admins are notified of new differences.
 */
export async function recordLedgerCheck(
  context: CheckContext & Pick<PaymentContext, 'log'> & Pick<JobHelpers, 'signal'>,
  options?: CheckOptions,
): Promise<LedgerReport> {
  const { database, log, signal } = context;
  const since = await nextCheckSince(database);
  const report = await checkLedger(context, { since, ...options, signal });
  const { counts, differences } = report;
  await database.transaction(async (transaction) => {
    await transaction.insert(ledgerChecks).values({ ...report, isFull: since === null });
    await updateAlarms(transaction, { log }, 'ledgerDiffers', async () =>
      differences.slice(0, mostAlarms).map(({ rule, subject }) => ({ recordId: `${rule}: ${subject}` })),
    );
    await updateAlarms(transaction, { log }, 'proofOverdue', async () => []);
  });
  if (differences.length === 0) log.info(counts, 'the ledger adds up');
  else log.error({ counts, differences }, 'the ledger does not add up');
  return report;
}

/** The newest check, or null before the first. */
export async function lastLedgerCheck(database: Database) {
  const [row] = await database.select().from(ledgerChecks).orderBy(desc(ledgerChecks.id)).limit(1);
  return row ?? null;
}
