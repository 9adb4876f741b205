import { nowMs } from '@tara/contract/clock';
import {
  type Dispute,
  type Payment,
  type Paymongo,
  PaymongoError,
  pagesSince,
  paymentFee,
  type Refund,
  type Transfer,
  withheldTax,
} from '@tara/paymongo';
import { type SQL, sql } from 'drizzle-orm';
import { interactions } from '../interactions/index.ts';
import { outcomeOf } from './chargebacks.ts';
import type { CheckOptions, LedgerReport } from './ledger-check.ts';
import { failureDifference, findDifferences, firstByRule } from './ledger-differences.ts';
import type { PaymentContext } from './provider.ts';
import type { LedgerDifference } from './tables.ts';

type ProviderLists = Pick<Paymongo, 'payments' | 'refunds' | 'transfers' | 'disputes'>;

type ComparedContext = Pick<PaymentContext, 'database' | 'config'> & { provider: ProviderLists };

/** Days before what is compared from which the lists are read, because what was made then may have ended since. */
const marginDays = 7;
/** Most records that a list does not have and the provider is asked for one by one: those that were booked while it was read. */
const mostMissing = 10_000;
/** Pages of 100 that one list is read to: ten million. */
const mostPages = 100_000;

/** How one list of the provider is compared with a table. */
interface Comparison<Item> {
  /** The subject of the difference that the list cannot be read. */
  name: string;
  /** Whether Tara works with an account that may not read the list (403), which is not compared then; never unless given. */
  mayBeRefused?(config: PaymentContext['config']): boolean;
  /** The pages with what was made since then, Unix seconds. */
  pages(provider: ProviderLists, since: number): AsyncGenerator<Item[]>;
  /** What the statements know of an item: the columns of `theirs`. */
  toRow(item: Item): { id: string; changedAt: number | null; [name: string]: unknown };
  columns: SQL;
  /** Rows of `theirs` that differ from ours: `rule`, `subject` and `text`. */
  differences: SQL;
  /** What we have since then, and what the list does not have: `rule`, `subject`, `text`, and `id`, which the provider is asked for. */
  missing(since: SQL, isListed: (id: SQL) => SQL): SQL;
  /** Whether the provider has it all the same, such as when it was made long before. */
  has(provider: ProviderLists, id: string): Promise<boolean>;
}

const amounts = (theirs: SQL, ours: SQL) =>
  sql`format('the provider has %s centavos, the ledger %s', ${theirs}, ${ours})`;
const isMissing = sql`'the provider has none that ended so' as text`;
const notBooked = sql`theirs.amount || ' centavos are not booked'`;
const otherStatus = sql`'the provider says ' || theirs.status`;

const payments: Comparison<Payment> = {
  name: 'the payments of the provider',
  pages: (provider, since) =>
    pagesSince('GET /v1/payments', (query) => provider.payments.list(query), since, mostPages),
  toRow: (payment) => ({
    ...{
      id: payment.id,
      amount: payment.attributes.amount,
      fee: paymentFee(payment),
      tax: withheldTax(payment),
    },
    ...{ status: payment.attributes.status, reference: payment.attributes.external_reference_number },
    changedAt: payment.attributes.paid_at ?? null,
  }),
  columns: sql`amount bigint, fee bigint, tax bigint, status text, reference text`,
  // Earlier versions booked no tax.
  differences: sql`
    from theirs left join captured_payments ours on ours.id = theirs.id
      cross join lateral (select -sum(amount) as tax from ledger_transfers join ledger_entries on transfer_id = ledger_transfers.id
        where payment_id = ours.id and kind = 'capture' and account = 'tax_withheld') as booked
      cross join lateral (values
      ('a payment of the provider is captured', ours.id is null and theirs.status = 'paid' and is_settled
        and exists (select from ${interactions} where reference_number = theirs.reference), ${notBooked}),
      ('a captured payment is paid', ours.id is not null and theirs.status <> 'paid', ${otherStatus}),
      ('a payment has one amount', theirs.amount <> amount_centavos, ${amounts(sql`theirs.amount`, sql`amount_centavos`)}),
      ('the fee of a payment is the provider’s', theirs.fee <> fee_centavos, ${amounts(sql`theirs.fee`, sql`fee_centavos`)}),
      ('the booked tax of a payment is the provider’s', theirs.tax <> booked.tax, ${amounts(sql`theirs.tax`, sql`booked.tax`)}))`,
  missing: (since, isListed) => sql`
    select 'a captured payment is the provider’s' as rule, id as subject, ${isMissing}, id
    from captured_payments where paid_at >= ${since} and not ${isListed(sql`captured_payments.id`)}`,
  has: async (provider, id) => (await provider.payments.get(id)).attributes.status === 'paid',
};

const refunds: Comparison<Refund> = {
  name: 'the refunds of the provider',
  pages: (provider, since) =>
    pagesSince('GET /v1/refunds', (query) => provider.refunds.list(query), since, mostPages),
  toRow: ({ id, attributes: { amount, status, payment_id: payment, updated_at: at } }) => ({
    ...{ id, amount, status, payment, changedAt: at ?? null },
  }),
  columns: sql`amount bigint, status text, payment text`,
  differences: sql`
    from theirs left join attempts ours on ours.reference = theirs.id and ours.way = 'provider' cross join lateral (values
      ('a refund of the provider is booked', theirs.status = 'succeeded' and is_settled and ours.state is distinct from 'arrived'
        and exists (select from captured_payments where id = theirs.payment), ${notBooked}),
      ('a refund that arrived is the provider’s', ours.state = 'arrived' and theirs.status <> 'succeeded', ${otherStatus}),
      ('a refund has one amount', ours.state = 'arrived' and theirs.amount <> amount_centavos,
        ${amounts(sql`theirs.amount`, sql`amount_centavos`)}))`,
  missing: (since, isListed) => sql`
    select 'a refund that arrived is the provider’s' as rule, disbursement_id as subject, ${isMissing}, coalesce(reference, '') as id
    from attempts where way = 'provider' and state = 'arrived' and ended_at >= ${since} and not ${isListed(sql`reference`)}`,
  has: async (provider, id) => (await provider.refunds.get(id)).attributes.status === 'succeeded',
};

const transfers: Comparison<Transfer> = {
  name: 'the transfers of the provider',
  // What an admin sends by hand needs no Money Movement.
  mayBeRefused: ({ payouts }) => payouts === 'manual',
  pages: (provider, since) =>
    pagesSince('GET /v2/transfers', (query) => provider.transfers.list(query), since, mostPages),
  toRow: ({ id, amount, fee, status, reference_number: reference, created_at, updated_at }) => ({
    ...{ id, amount, fee: fee ?? 0, status, reference },
    changedAt: Date.parse(updated_at ?? created_at ?? '') / 1000 || null,
  }),
  columns: sql`amount bigint, fee bigint, status text, reference text`,
  differences: sql`
    from theirs join disbursements on disbursements.id = theirs.reference
      left join attempts ours on disbursement_id = disbursements.id and ours.state = 'arrived'
      cross join lateral (select coalesce(sum(amount) filter (where account = 'fees'), 0) as fee
        from ledger_transfers join ledger_entries on transfer_id = ledger_transfers.id
        where payment_id = disbursements.payment_id and kind = purpose) as booked
      cross join lateral (values
      ('a transfer of the provider is booked', theirs.status = 'succeeded' and is_settled and ours.state is null, ${notBooked}),
      ('a payout is sent once', theirs.status = 'succeeded' and ours.state is not null and ours.reference is distinct from theirs.id,
        'another transfer with ' || theirs.amount || ' centavos succeeded'),
      ('a payout that arrived is the provider’s', ours.reference = theirs.id and theirs.status <> 'succeeded', ${otherStatus}),
      ('a payout has one amount', ours.reference = theirs.id and theirs.amount <> ours.amount_centavos,
        ${amounts(sql`theirs.amount`, sql`ours.amount_centavos`)}),
      ('the fee of a payout is the provider’s', ours.reference = theirs.id and theirs.fee <> booked.fee,
        ${amounts(sql`theirs.fee`, sql`booked.fee`)}))`,
  missing: (since, isListed) => sql`
    select 'a payout that arrived is the provider’s' as rule, disbursement_id as subject, ${isMissing}, coalesce(reference, '') as id
    from attempts where way = 'transfer' and state = 'arrived' and ended_at >= ${since} and not ${isListed(sql`reference`)}`,
  has: async (provider, id) => (await provider.transfers.get(id)).status === 'succeeded',
};

const disputes: Comparison<Dispute> = {
  name: 'the disputes of the provider',
  mayBeRefused: () => true,
  // They are few, and one that is decided may have been opened months before.
  pages: (provider) => pagesSince('GET /v1/disputes', (query) => provider.disputes.list(query), 0, mostPages),
  toRow: (dispute) => ({
    ...{ id: dispute.id, amount: dispute.attributes.amount, status: outcomeOf(dispute) },
    ...{ payment: dispute.attributes.payment_id, changedAt: dispute.attributes.updated_at ?? null },
  }),
  columns: sql`amount bigint, status text, payment text`,
  differences: sql`
    from theirs left join chargebacks on chargebacks.id = theirs.id
      left join unassigned_disputes unassigned on unassigned.id = theirs.id
      cross join lateral (select coalesce(chargebacks.state, unassigned.state) as state,
        coalesce(chargebacks.amount_centavos, unassigned.amount_centavos) as amount) as ours
      cross join lateral (values
      ('a dispute of the provider is known', ours.state is null and is_settled
        and (theirs.payment is null or exists (select from captured_payments where id = theirs.payment)), ${notBooked}),
      ('a dispute has one amount', theirs.amount <> ours.amount, ${amounts(sql`theirs.amount`, sql`ours.amount`)}),
      ('a dispute is about the payment that the provider names', coalesce(chargebacks.payment_id, '') <> theirs.payment
        and (chargebacks.id is not null or (unassigned.id is not null and is_settled
          and exists (select from captured_payments where id = theirs.payment))),
        format('the provider names %s, and it is booked for %s', theirs.payment, coalesce(chargebacks.payment_id, 'none'))),
      ('a dispute ended as at the provider', is_settled and theirs.status <> ours.state,
        format('the provider says %s, the ledger %s', theirs.status, ours.state)))`,
  missing: (_since, isListed) => sql`
    select 'a chargeback is the provider’s' as rule, id as subject, ${isMissing}, id from chargebacks where not ${isListed(sql`chargebacks.id`)}`,
  has: async (provider, id) => (await provider.disputes.get(id)).id === id,
};

const comparisons = {
  providerPayments: payments,
  providerRefunds: refunds,
  providerTransfers: transfers,
  providerDisputes: disputes,
} as const;

/**
 * Compares captured payments, refunds, payouts and chargebacks with the provider's own lists, page by page. What a crossing
 * delivery may still bring, younger than `settleSeconds`, is left out. Each list by itself: one that is refused or cannot be read to its end
 * is a difference besides those that its pages had. Disputes are not compared of an account that may not read them, nor are transfers where
 * payouts are sent by hand.
 * @throws what `failureDifference` throws, and the reason of the signal.
 */
export async function compareWithProvider(
  context: ComparedContext,
  options: CheckOptions = {},
): Promise<LedgerReport> {
  const counts: Record<string, number> = {};
  const differences: LedgerDifference[] = [];
  for (const [count, { name, mayBeRefused, ...comparison }] of Object.entries(comparisons)) {
    try {
      // Each reads and gives its own items.
      const compared = comparison as unknown as Comparison<unknown>;
      counts[count] = await compareList(context, compared, options, differences);
    } catch (error) {
      options.signal?.throwIfAborted();
      const isRefused = error instanceof PaymongoError && error.status === 403;
      if (isRefused && mayBeRefused?.(context.config)) continue;
      differences.push(failureDifference(error, name));
    }
  }
  return { counts, differences: firstByRule(differences) };
}

/** Compares one list and adds what differs to `differences`, page by page. Returns how many records the list has. */
async function compareList<Item>(
  { database, provider }: ComparedContext,
  { pages, toRow, columns, differences: compared, missing, has }: Omit<Comparison<Item>, 'name'>,
  { settleSeconds = 600, since = null, signal }: CheckOptions,
  differences: LedgerDifference[],
): Promise<number> {
  const seen: string[] = [];
  const listedSince = since === null ? 0 : since.getTime() / 1000 - marginDays * 86_400;
  // The provider first: what is booked meanwhile is known to us and not missing there.
  for await (const items of pages(provider, listedSince)) {
    signal?.throwIfAborted();
    const settledUntil = nowMs() / 1000 - settleSeconds;
    const rows = items.map((item) => {
      const { changedAt, ...row } = toRow(item);
      seen.push(row.id);
      return { ...row, is_settled: (changedAt ?? 0) <= settledUntil };
    });
    if (rows.length === 0) continue;
    const broken = await findDifferences(
      database,
      sql`with theirs as (
          select * from json_to_recordset(${JSON.stringify(rows)}::json) as theirs (id text, is_settled boolean, ${columns}))
        select rule, theirs.id as subject, text ${compared} as rules (rule, is_broken, text) where is_broken`,
    );
    differences.push(...broken);
  }
  const from = sql`${new Date(since === null ? 0 : since.getTime()).toISOString()}::timestamptz`;
  const isListed = (id: SQL) =>
    sql`exists (select from unnest(${sql.param(seen)}::text[]) as listed (id) where listed.id = ${id})`;
  const candidates = await findDifferences(database, missing(from, isListed), mostMissing);
  for (const { id, ...difference } of candidates) {
    signal?.throwIfAborted();
    if (id === undefined || id === '' || !(await isAtProvider(() => has(provider, id))))
      differences.push(difference);
  }
  return seen.length;
}

const isAtProvider = (ask: () => Promise<boolean>): Promise<boolean> =>
  ask().catch((error: unknown) => {
    if (error instanceof PaymongoError && error.status === 404) return false;
    throw error;
  });
