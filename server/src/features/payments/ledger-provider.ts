import { nowMs } from '@tara/contract/clock';
import { type Payment, type Paymongo, paymentFee, type Refund, readAll, type Transfer } from '@tara/paymongo';
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { interactions } from '../interactions/index.ts';
import type { CheckOptions, LedgerReport } from './ledger-check.ts';
import type { LedgerDifference } from './tables.ts';

/** Pages of 100 that one list is read to: a million. */
const mostPages = 10_000;

type Lists = Pick<Paymongo, 'payments' | 'refunds' | 'transfers'>;

/** What we know of a payment, refund or payout. Centavos. */
type Known = { id: string; amount: number; done: boolean; fee?: number; provider_id: string | null };

/**
 * Compares captured payments, refunds and payouts with the provider's own lists, read to their end. What a crossing
 * delivery may still bring, younger than `settleSeconds`, is left out.
 */
export async function compareWithProvider(
  database: Database,
  provider: Lists,
  { settleSeconds = 600, signal }: CheckOptions = {},
): Promise<LedgerReport> {
  const list =
    <Query, Page>(fetchPage: (query: Query) => Promise<Page>) =>
    async (query: Query) => {
      signal?.throwIfAborted();
      return fetchPage(query);
    };
  const { payments: paid, refunds: returned, transfers: sent } = provider;
  // The provider first: what is booked meanwhile is known to us and not missing there.
  const payments = await readAll('GET /v1/payments', list(paid.list), mostPages);
  const refunds = await readAll('GET /v1/refunds', list(returned.list), mostPages);
  const transfers = await readAll('GET /v2/transfers', list(sent.list), mostPages);
  const isSettled = (seconds: number | null | undefined) => (seconds ?? 0) <= nowMs() / 1000 - settleSeconds;
  const differences = [
    ...(await comparePayments(database, payments, isSettled)),
    ...(await compareRefunds(database, refunds, isSettled)),
    ...(await compareTransfers(database, transfers, (at) => isSettled(Date.parse(at) / 1000))),
  ];
  const counts = {
    providerPayments: payments.length,
    providerRefunds: refunds.length,
    providerTransfers: transfers.length,
  };
  return { counts, differences };
}

/** The difference, if there is one. */
const differ = (isDifferent: boolean, rule: string, subject: string, text: string): LedgerDifference[] =>
  isDifferent ? [{ rule, subject, text }] : [];
const amounts = (theirs: number, ours: number) => `the provider has ${theirs} centavos, the ledger ${ours}`;

async function comparePayments(
  database: Database,
  payments: readonly Payment[],
  isSettled: (seconds: number | null | undefined) => boolean,
): Promise<LedgerDifference[]> {
  const ours = await database.execute<Known & { fee: number }>(sql`
    select id, id as provider_id, amount_centavos::float8 as amount, fee_centavos::float8 as fee, true as done
    from captured_payments`);
  const references = await database.execute<{ reference: string }>(
    sql`select reference_number as reference from ${interactions} where reference_number is not null`,
  );
  const isOurs = new Set(references.map(({ reference }) => reference));
  const known = new Map(ours.map((row) => [row.provider_id, row]));
  const theirs = new Map(payments.map((payment) => [payment.id, payment]));
  const missing = ours.filter(({ provider_id: id }) => id !== null && !theirs.has(id));
  return [
    ...missing.flatMap(({ id }) =>
      differ(true, 'a captured payment is the provider’s', id, 'the provider does not list it'),
    ),
    ...payments.flatMap((payment) => {
      const { status, amount, external_reference_number: reference, paid_at: paidAt } = payment.attributes;
      const row = known.get(payment.id);
      if (!row) {
        const isMissing = status === 'paid' && isOurs.has(reference ?? '') && isSettled(paidAt);
        const text = `${amount} centavos are not booked`;
        return differ(isMissing, 'a payment of the provider is captured', payment.id, text);
      }
      const { id } = payment;
      const fee = paymentFee(payment) ?? row.fee;
      return [
        ...differ(status !== 'paid', 'a captured payment is paid', id, `the provider says ${status}`),
        ...differ(amount !== row.amount, 'a payment has one amount', id, amounts(amount, row.amount)),
        ...differ(fee !== row.fee, 'the fee of a payment is the provider’s', id, amounts(fee, row.fee)),
      ];
    }),
  ];
}

async function compareRefunds(
  database: Database,
  refunds: readonly Refund[],
  isSettled: (seconds: number | null | undefined) => boolean,
): Promise<LedgerDifference[]> {
  const ours = await database.execute<Known & { payment: string }>(sql`
    select id, refund_id as provider_id, amount_centavos::float8 as amount, state = 'refunded' as done,
      payment_id as payment from refunds where way = 'provider'`);
  const captured = await database.execute<{ id: string }>(sql`
    select id from captured_payments`);
  const isOurs = new Set(captured.map(({ id }) => id));
  const known = new Map(ours.map((row) => [row.provider_id, row]));
  const theirs = new Map(refunds.map((refund) => [refund.id, refund]));
  return [
    ...ours
      .filter(({ done, provider_id: id }) => done && theirs.get(id ?? '')?.attributes.status !== 'succeeded')
      .flatMap(({ id }) =>
        differ(true, 'a refund that arrived is the provider’s', id, 'the provider has none that succeeded'),
      ),
    ...refunds.flatMap(({ id, attributes: { status, amount, payment_id: payment, updated_at: at } }) => {
      if (status !== 'succeeded' || !isOurs.has(payment)) return [];
      const row = known.get(id);
      if (!row?.done) {
        const text = `${amount} centavos are not booked`;
        return differ(isSettled(at), 'a refund of the provider is booked', id, text);
      }
      return differ(amount !== row.amount, 'a refund has one amount', id, amounts(amount, row.amount));
    }),
  ];
}

async function compareTransfers(
  database: Database,
  transfers: readonly Transfer[],
  isSettled: (at: string) => boolean,
): Promise<LedgerDifference[]> {
  const ours = await database.execute<Known & { fee: number }>(sql`
    select payouts.id, transfer_id as provider_id, amount_centavos::float8 as amount, state = 'paid' as done,
      (select coalesce(sum(amount), 0) from ledger_entries join ledger_transfers on ledger_transfers.id = ledger_entries.transfer_id
        where account = 'fees' and key in ('payout:' || payouts.id, 'refund:' || regexp_replace(payouts.id, '-refund$', ''))
      )::float8 as fee
    from payouts where manual_reference is null`);
  const known = new Map(ours.map((row) => [row.id, row]));
  const theirs = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  const sentByPayout = Map.groupBy(
    transfers.filter(({ status, reference_number: id }) => status === 'succeeded' && known.has(id ?? '')),
    ({ reference_number: id }) => id ?? '',
  );
  return [
    ...ours
      .filter(({ done, provider_id: id }) => done && theirs.get(id ?? '')?.status !== 'succeeded')
      .flatMap(({ id }) =>
        differ(true, 'a payout that arrived is the provider’s', id, 'the provider has none that succeeded'),
      ),
    ...[...sentByPayout].flatMap(([id, sent]) => {
      const row = known.get(id);
      const [first] = sent;
      if (!row || !first) return [];
      const all = sent.reduce((sum, { amount }) => sum + amount, 0);
      const fee = first.fee ?? 0;
      if (sent.length > 1) {
        const text = `${sent.length} transfers with ${all} centavos succeeded`;
        return differ(true, 'a payout is sent once', id, text);
      }
      if (!row.done) {
        const isMissing = isSettled(first.updated_at ?? first.created_at ?? '');
        return differ(
          isMissing,
          'a transfer of the provider is booked',
          id,
          `${all} centavos are not booked`,
        );
      }
      return [
        ...differ(all !== row.amount, 'a payout has one amount', id, amounts(all, row.amount)),
        ...differ(fee !== row.fee, 'the fee of a payout is the provider’s', id, amounts(fee, row.fee)),
      ];
    }),
  ];
}
