import { moneyAlarmKinds } from '@tara/contract/admin';
import type { Account } from '@tara/paymongo';
import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';
import { bytes, createdAt, moment, updatedAt } from '../../platform/database/columns.ts';

export const ledgerTransfers = pgTable('ledger_transfers', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  key: text('key').notNull(),
  kind: text('kind', {
    enum: [
      ...(['capture', 'release', 'payout', 'refund'] as const),
      ...(['chargeback', 'chargeback_won', 'chargeback_lost', 'chargeback_corrected'] as const),
      ...(['chargeback_held', 'manual_loss'] as const),
    ],
  }).notNull(),
  interactionId: text('interaction_id').notNull(),
  /** What it is about; null where money was lost by hand. */
  paymentId: text('payment_id'),
  createdAt: createdAt(),
});

export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    transferId: bigint('transfer_id', { mode: 'number' }).notNull(),
    account: text('account', {
      enum: [
        ...(['cash', 'fees', 'tax_withheld', 'platform_fee', 'at_risk', 'losses', 'charged_back'] as const),
        ...(['by_hand', 'escrow', 'held_by_provider', 'refunded', 'payable', 'paid_out'] as const),
      ],
    }).notNull(),
    /** The request or the member whose account it is; empty for those of Tara. */
    owner: text('owner').notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.transferId, table.account, table.owner] })],
);

/** The provider's signed deliveries, each once. */
export const providerEvents = pgTable('provider_events', {
  /** The event's; of one that could not be read the SHA-256 of its body in hex. */
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  payload: jsonb('payload').$type<unknown>(),
  /** As it came, of one that could not be read. */
  body: bytes('body'),
  /** Which rule of the format it breaks. */
  problem: text('problem'),
  receivedAt: moment('received_at').notNull().defaultNow(),
  processedAt: moment('processed_at'),
});

/** How far a list of the provider was read. */
export const providerReads = pgTable('provider_reads', {
  list: text('list', { enum: ['payments'] }).primaryKey(),
  readUntil: moment('read_until').notNull(),
  /** What up to then is pending, or could not be booked. */
  openIds: jsonb('open_ids').$type<string[]>().notNull().default([]),
});

/** Each payment that the provider received for a request. */
export const capturedPayments = pgTable('captured_payments', {
  id: text('id').primaryKey(),
  interactionId: text('interaction_id').notNull(),
  amountCentavos: bigint('amount_centavos', { mode: 'number' }).notNull(),
  feeCentavos: bigint('fee_centavos', { mode: 'number' }).notNull().default(0),
  method: text('method'),
  paidAt: moment('paid_at').notNull().defaultNow(),
});

/** Money that is to leave Tara: a creator's share of a payment, or a payment back to its client. One of each purpose a payment. */
export const disbursements = pgTable('disbursements', {
  /** The reference number of its transfers at the provider. */
  id: text('id').primaryKey(),
  interactionId: text('interaction_id').notNull(),
  paymentId: text('payment_id').notNull(),
  purpose: text('purpose', { enum: ['payout', 'refund'] }).notNull(),
  recipientId: text('recipient_id').notNull(),
  /** `provider`: back the way that the payment came. `hand` once an admin sent it. */
  way: text('way', { enum: ['provider', 'transfer', 'hand'] }).notNull(),
  /** Of a refund by transfer: the number that the client named, null while none is known. Payouts go to the creator's own. */
  number: text('number'),
  /** As it was decided; it never changes. What is sent is in the attempt, what is owed in `disbursementAmounts`. */
  amountCentavos: bigint('amount_centavos', { mode: 'number' }).notNull(),
  /** `sending`: an attempt may be under way. `void`: a card issuer took all of it before it arrived. */
  state: text('state', { enum: ['owed', 'sending', 'arrived', 'void'] })
    .notNull()
    .default('owed'),
  /** The last words of the provider. */
  problem: text('problem'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  arrivedAt: moment('arrived_at'),
});

/** What was given to the provider, or sent by an admin: stored before it is sent, and sent again unchanged. One of a disbursement is open. */
export const attempts = pgTable(
  'attempts',
  {
    disbursementId: text('disbursement_id').notNull(),
    number: integer('number').notNull(),
    way: text('way', { enum: ['provider', 'transfer', 'hand'] }).notNull(),
    /** Under which the provider does it once; null of one by hand. */
    key: text('key'),
    amountCentavos: bigint('amount_centavos', { mode: 'number' }).notNull(),
    /** Of a transfer. */
    destination: jsonb('destination').$type<Account>(),
    source: jsonb('source').$type<Account>(),
    /** `refused`: it moved nothing. `lost`: the provider never had it. */
    state: text('state', { enum: ['sent', 'refused', 'lost', 'arrived'] })
      .notNull()
      .default('sent'),
    /** The provider's id, once it is known, or the number of a transfer by hand. */
    reference: text('reference'),
    /** Why it was refused. */
    problem: text('problem'),
    sentBy: text('sent_by'),
    createdAt: createdAt(),
    /** At the earliest: it is stored right before it is sent. */
    sentAt: moment('sent_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.disbursementId, table.number] })],
);

/** What each disbursement comes to, by the ledger and its attempts (migration 0295). Centavos. */
export const disbursementAmounts = pgView('disbursement_amounts', {
  id: text('id').notNull(),
  interactionId: text('interaction_id').notNull(),
  purpose: text('purpose', { enum: ['payout', 'refund'] }).notNull(),
  /** What the ledger owes of it and nobody was sent yet. */
  owedCentavos: bigint('owed_centavos', { mode: 'number' }).notNull(),
  /** What was sent, or is owed with what a card issuer disputes of it. */
  amountCentavos: bigint('amount_centavos', { mode: 'number' }).notNull(),
}).existing();

/** What admins sent by hand, by the reference of the transfer: each belongs to one disbursement. */
export const manualTransfers = pgTable('manual_transfers', {
  reference: text('reference').primaryKey(),
  disbursementId: text('disbursement_id').notNull(),
  interactionId: text('interaction_id').notNull(),
  amountCentavos: bigint('amount_centavos', { mode: 'number' }).notNull(),
  /** `refused`: it was not to be sent so any more, until an admin says what became of the money. */
  state: text('state', { enum: ['booked', 'refused', 'lost'] }).notNull(),
  /** Why it was refused. */
  problem: text('problem'),
  createdAt: createdAt(),
});

/** What the card issuer may be shown: see `recordChargeback`. */
export interface ChargebackEvidence {
  planTitle: string;
  terms: string;
  payments: { id: string; amountCentavos: number; method: string | null; paidAt: string }[];
  referenceNumber: string | null;
}

export const chargebacks = pgTable('chargebacks', {
  /** The provider's. */
  id: text('id').primaryKey(),
  paymentId: text('payment_id').notNull(),
  interactionId: text('interaction_id').notNull(),
  amountCentavos: bigint('amount_centavos', { mode: 'number' }).notNull(),
  reason: text('reason').notNull().default(''),
  state: text('state', { enum: ['open', 'won', 'lost'] })
    .notNull()
    .default('open'),
  /** The provider's fee, as booked at the opening; null of one that an earlier version opened. */
  feeCentavos: bigint('fee_centavos', { mode: 'number' }),
  /** Where the amount was taken from at the opening; the rest is Tara's own. */
  fromEscrowCentavos: bigint('from_escrow_centavos', { mode: 'number' }).notNull().default(0),
  fromPayableCentavos: bigint('from_payable_centavos', { mode: 'number' }).notNull().default(0),
  evidence: jsonb('evidence').$type<ChargebackEvidence>().notNull(),
  /** Whether an admin said which payment it is about, and the provider did not since. */
  isAssigned: boolean('is_assigned').notNull().default(false),
  /** Captured payments that it may have been about until it was assigned. */
  possiblePaymentIds: jsonb('possible_payment_ids').$type<string[]>().notNull().default([]),
  /** The number of its booking: it is booked anew when its payment is corrected, or when it holds what another one held before. */
  assignment: integer('assignment').notNull().default(1),
  /** When the card issuer opened it. */
  disputedAt: moment('disputed_at').notNull().defaultNow(),
  /** The last day on which the provider takes evidence, in the Philippines. */
  dueOn: date('due_on', { mode: 'string' }).notNull(),
  /** Whether the evidence was sent, by the provider. */
  isUnderReview: boolean('is_under_review').notNull().default(false),
  createdAt: createdAt(),
  decidedAt: moment('decided_at'),
});

/** Disputes that name no payment and that no single payment fits, until an admin assigns them. */
export const unassignedDisputes = pgTable('unassigned_disputes', {
  /** The provider's. */
  id: text('id').primaryKey(),
  amountCentavos: bigint('amount_centavos', { mode: 'number' }).notNull(),
  reason: text('reason').notNull().default(''),
  state: text('state', { enum: ['open', 'won', 'lost'] })
    .notNull()
    .default('open'),
  disputedAt: moment('disputed_at').notNull(),
  /** Whether the evidence was sent, by the provider. */
  isUnderReview: boolean('is_under_review').notNull().default(false),
  /** Captured payments that the provider showed as disputed, and that it may be about. */
  paymentIds: jsonb('payment_ids').$type<string[]>().notNull().default([]),
  /** Since when it is known to be about no payment of Tara: an admin said so, or it names another one. */
  foreignAt: moment('foreign_at'),
  /** How often it was booked before, for payments that it is not about. */
  assignments: integer('assignments').notNull().default(0),
  createdAt: createdAt(),
});

export const providerWebhooks = pgTable('provider_webhooks', {
  url: text('url').primaryKey(),
  webhookId: text('webhook_id').notNull(),
  secret: text('secret').notNull(),
  createdAt: createdAt(),
});

/** A difference that a check of the ledger found. */
export interface LedgerDifference {
  rule: string;
  subject: string;
  text: string;
}

/** Each comparison of the ledger with itself and with the provider. */
export const ledgerChecks = pgTable('ledger_checks', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  checkedAt: moment('checked_at').notNull().defaultNow(),
  counts: jsonb('counts').$type<Record<string, number>>().notNull(),
  differences: jsonb('differences').$type<LedgerDifference[]>().notNull(),
  /** Whether everything was compared, not only what was open or had moved. */
  isFull: boolean('is_full').notNull().default(false),
  /** What the provider's wallet holds beyond the ledger lies between these; null of a wallet that was not read. */
  walletLowCentavos: bigint('wallet_low_centavos', { mode: 'number' }),
  walletHighCentavos: bigint('wallet_high_centavos', { mode: 'number' }),
});

/** What is wrong with money now, and since when: admins were notified of each when it began. */
export const moneyAlarms = pgTable(
  'money_alarms',
  {
    kind: text('kind', { enum: moneyAlarmKinds }).notNull(),
    /** What it is about, such as a chargeback; empty where there is one of the kind at most. */
    recordId: text('record_id').notNull().default(''),
    amountCentavos: bigint('amount_centavos', { mode: 'number' }),
    /** The last day on which something can be done, in the Philippines. */
    dueOn: date('due_on', { mode: 'string' }),
    since: moment('since').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.recordId] })],
);
