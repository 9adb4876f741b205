import type { Paymongo } from '@tara/paymongo';
import { desc, type SQL, sql } from 'drizzle-orm';
import { type Database, isConnectionLoss } from '../../platform/database/connect.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import { errorReason } from '../../platform/log-errors.ts';
import { interactions } from '../interactions/index.ts';
import { updateAlarms } from './alarms.ts';
import { inWallet } from './ledger.ts';
import { compareWithProvider } from './ledger-provider.ts';
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
  /** Ends the check between two pages of the provider and two rules. */
  signal?: AbortSignal;
}

/** Most differences that are remembered, so that admins are notified of new ones alone. */
const mostAlarms = 1000;

/** Most differences of one rule that are reported. */
const reported = 50;

/** The sum of a request's entries of one account and kind, centavos. */
const booked = (
  account: 'escrow' | 'payable' | 'paid_out' | 'platform_fee' | 'refunded',
  kind: string,
  of: SQL,
) => sql`(
  select coalesce(sum(amount), 0) from ledger_entries join ledger_transfers on ledger_transfers.id = transfer_id
  where interaction_id = ${of} and kind = ${kind} and account like ${`${account}%`})`;

const id = sql`request.id`;
const total = (of: SQL) => sql`(select coalesce(sum(amount_centavos), 0) from ${of})`;

/** Each rule as a statement whose rows break it: what it is about, and what the two sides say, in centavos. */
const rules: Record<string, SQL> = {
  'a transfer sums to zero': sql`
    select transfer_id::text as subject, sum(amount) as actual, 0 as expected from ledger_entries
    group by transfer_id having sum(amount) <> 0`,
  'what was captured is booked': sql`
    select id as subject, actual, expected from (select request.id, -${booked('escrow', 'capture', id)} as actual,
        ${total(sql`captured_payments where interaction_id = request.id`)} as expected
      from ${interactions} request) sums where actual <> expected`,
  'what was released is booked': sql`
    select id as subject, actual, expected from (select request.id, ${booked('escrow', 'release', id)} as actual,
        released_centavos as expected from ${interactions} request) sums where actual <> expected`,
  'what was refunded is booked': sql`
    select id as subject, actual, expected from (select request.id, -${booked('refunded', 'refund', id)} as actual,
        ${total(sql`refunds where interaction_id = request.id and state = 'refunded'`)} as expected
      from ${interactions} request) sums where actual <> expected`,
  'what was paid out is booked': sql`
    select id as subject, actual, expected from (select request.id, -${booked('paid_out', 'payout', id)} as actual,
        ${total(sql`payouts where interaction_id = request.id and purpose = 'earnings' and state = 'paid'`)} as expected
      from ${interactions} request) sums where actual <> expected`,
  'refunded and released are at most what was captured': sql`
    select id as subject, actual, expected from (select request.id,
        ${booked('escrow', 'refund', id)} + ${booked('escrow', 'release', id)} as actual,
        -${booked('escrow', 'capture', id)} as expected from ${interactions} request) sums where actual > expected`,
  'paid out and the platform fee are at most what was released': sql`
    select id as subject, actual, expected from (select request.id,
        -${booked('paid_out', 'payout', id)} - ${booked('platform_fee', 'release', id)} as actual,
        ${booked('escrow', 'release', id)} as expected from ${interactions} request) sums where actual > expected`,
  // Nothing but refunds that are on their way; what the card issuer disputes is not over.
  'nothing is held for a request that is over': sql`
    select id as subject, actual, expected from (select request.id,
        (select -coalesce(sum(amount), 0) from ledger_entries where account = 'escrow:' || request.id) as actual,
        ${total(sql`refunds where interaction_id = request.id and state <> 'refunded'`)} as expected
      from ${interactions} request
      where (cancelled_at is not null or completed_at is not null) and frozen_at is null) sums
    where actual <> expected`,
  'what is owed to a creator is what waits to be paid out, less what the card issuer disputes': sql`
    select profile as subject, actual, expected from (select profile,
        (select -coalesce(sum(amount), 0) from ledger_entries where account = 'payable:' || profile) as actual,
        ${total(sql`payouts where recipient_id = profile and purpose = 'earnings' and state <> 'paid'`)} - (
          select coalesce(sum(from_payable_centavos), 0)
          from chargebacks join ${interactions} request on request.id = interaction_id
          where chargebacks.state = 'open' and creator_id = profile) as expected
      from (select distinct recipient_id as profile from payouts
        union select distinct substr(account, 9) from ledger_entries where account like 'payable:%') creators) sums
    where actual <> expected`,
  'what card issuers took back is booked': sql`
    select id as subject, actual, expected from (select request.id,
        (select -coalesce(sum(amount), 0) from ledger_entries join ledger_transfers on ledger_transfers.id = transfer_id
          where interaction_id = request.id and account = 'charged_back') as actual,
        ${total(sql`chargebacks where interaction_id = request.id and state = 'lost'`)} as expected
      from ${interactions} request) sums where actual <> expected`,
  'what the provider holds for card issuers is what their open disputes are about': sql`
    select id as subject, actual, expected from (select request.id,
        (select -coalesce(sum(amount), 0) from ledger_entries where account = 'held_by_provider:' || request.id) as actual,
        (select coalesce(sum(amount_centavos + coalesce(fee_centavos, 0)), 0) from chargebacks
          where interaction_id = request.id and state = 'open') as expected
      from ${interactions} request) sums where actual <> expected`,
  'the wallet is cash, less what was paid out, refunded, held for card issuers and charged back': sql`
    select 'wallet' as subject, actual, expected from (select
        (select coalesce(sum(amount), 0) from ledger_entries where ${inWallet}) as actual,
        -- What is left when all that is owed, earned, spent, lost and laid out by hand is taken away from zero.
        (select -coalesce(sum(amount), 0) from ledger_entries where account like 'escrow:%' or account like 'payable:%'
          or account in ('platform_fee', 'fees', 'tax_withheld', 'at_risk', 'losses', 'by_hand')) as expected) sums
    where actual <> expected`,
};

/** Proves every rule of the ledger by its own records. */
export async function proveLedger(
  database: Database,
  { signal }: Pick<CheckOptions, 'signal'> = {},
): Promise<LedgerReport> {
  const differences: LedgerDifference[] = [];
  for (const [rule, statement] of Object.entries(rules)) {
    signal?.throwIfAborted();
    try {
      const rows = await database.execute<{ subject: string; actual: string; expected: string }>(
        sql`select * from (${statement}) broken order by subject limit ${reported}`,
      );
      for (const { subject, actual, expected } of rows)
        differences.push({ rule, subject, text: `found ${actual} centavos, expected ${expected}` });
    } catch (error) {
      if (isConnectionLoss(error)) throw error;
      // The other rules are proved all the same.
      differences.push({ rule, subject: '', text: `could not be checked: ${errorReason(error)}` });
    }
  }
  const [counts] = await database.execute<Record<string, number>>(sql`select
    (select count(*)::int from ledger_transfers) as transfers,
    (select count(*)::int from captured_payments) as payments,
    (select count(*)::int from refunds) as refunds,
    (select count(*)::int from payouts) as payouts`);
  return { counts: { ...counts }, differences };
}

/** Proves the ledger and compares it with what the provider says. What is younger than `settleSeconds` is left out. */
export async function checkLedger(
  database: Database,
  provider: Pick<Paymongo, 'payments' | 'refunds' | 'transfers'>,
  options?: CheckOptions,
): Promise<LedgerReport> {
  const own = await proveLedger(database, options);
  const theirs = await compareWithProvider(database, provider, options);
  return {
    counts: { ...own.counts, ...theirs.counts },
    differences: [...own.differences, ...theirs.differences],
  };
}

/** The nightly check: stored for the admins' overview, and logged; admins are notified of new differences. */
export async function recordLedgerCheck(
  {
    database,
    provider,
    log,
    signal,
  }: Pick<PaymentContext, 'database' | 'provider' | 'log'> & Pick<JobHelpers, 'signal'>,
  options?: CheckOptions,
): Promise<LedgerReport> {
  const report = await checkLedger(database, provider, { ...options, signal });
  await database.transaction(async (transaction) => {
    await transaction.insert(ledgerChecks).values(report);
    await updateAlarms(transaction, { log }, 'ledgerDiffers', async () =>
      report.differences
        .slice(0, mostAlarms)
        .map(({ rule, subject }) => ({ recordId: `${rule}: ${subject}` })),
    );
    await updateAlarms(transaction, { log }, 'proofOverdue', async () => []);
  });
  if (report.differences.length === 0) log.info(report.counts, 'the ledger adds up');
  else log.error(report, 'the ledger does not add up');
  return report;
}

/** The newest check, or null before the first. */
export async function lastLedgerCheck(database: Database) {
  const [row] = await database.select().from(ledgerChecks).orderBy(desc(ledgerChecks.id)).limit(1);
  return row ?? null;
}
