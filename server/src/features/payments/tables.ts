import type { Account } from '@tara/paymongo';
import { bigint, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes, createdAt, moment, updatedAt } from '../../platform/database/columns.ts';

export const ledgerTransfers = pgTable('ledger_transfers', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  key: text('key').notNull(),
  kind: text('kind', { enum: ['capture', 'release', 'payout', 'refund'] }).notNull(),
  interactionId: text('interaction_id').notNull(),
  createdAt: createdAt(),
});

export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    transferId: bigint('transfer_id', { mode: 'number' }).notNull(),
    account: text('account').notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.transferId, table.account] })],
);

export const providerEvents = pgTable('provider_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  payload: jsonb('payload').$type<unknown>().notNull(),
  receivedAt: moment('received_at').notNull().defaultNow(),
  processedAt: moment('processed_at'),
});

export const unreadDeliveries = pgTable('unread_deliveries', {
  id: text('id').primaryKey(),
  body: bytes('body').notNull(),
  problem: text('problem').notNull(),
  receivedAt: moment('received_at').notNull().defaultNow(),
});

export const payouts = pgTable('payouts', {
  interactionId: text('interaction_id').primaryKey(),
  creatorId: text('creator_id').notNull(),
  amountCentavos: bigint('amount_centavos', { mode: 'number' }).notNull(),
  state: text('state', { enum: ['owed', 'sending', 'paid'] })
    .notNull()
    .default('owed'),
  attempt: integer('attempt').notNull().default(1),
  transferId: text('transfer_id'),
  lastError: text('last_error'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  paidAt: moment('paid_at'),
});

export const payoutAttempts = pgTable(
  'payout_attempts',
  {
    interactionId: text('interaction_id').notNull(),
    attempt: integer('attempt').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    destination: jsonb('destination').$type<Account>().notNull(),
    source: jsonb('source').$type<Account>(),
    createdAt: createdAt(),
    refusedAt: moment('refused_at'),
    refusal: text('refusal'),
  },
  (table) => [primaryKey({ columns: [table.interactionId, table.attempt] })],
);

export const refunds = pgTable('refunds', {
  interactionId: text('interaction_id').primaryKey(),
  amountCentavos: bigint('amount_centavos', { mode: 'number' }).notNull(),
  state: text('state', { enum: ['owed', 'sending', 'refunded'] })
    .notNull()
    .default('owed'),
  attempt: integer('attempt').notNull().default(1),
  refundId: text('refund_id'),
  lastError: text('last_error'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  refundedAt: moment('refunded_at'),
});

export const providerWebhooks = pgTable('provider_webhooks', {
  url: text('url').primaryKey(),
  webhookId: text('webhook_id').notNull(),
  secret: text('secret').notNull(),
  createdAt: createdAt(),
});
