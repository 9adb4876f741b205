import type { Stage } from '@tara/contract/stages';
import { sql } from 'drizzle-orm';
import { bigint, boolean, pgTable, pgView, text } from 'drizzle-orm/pg-core';
import { createdAt, moment, updatedAt } from '../../platform/database/columns.ts';

/** A state is the time since when it holds; null while it does not. */
export const interactions = pgTable('interactions', {
  id: text('id').primaryKey(),
  planId: text('plan_id').notNull(),
  planTitle: text('plan_title').notNull(),
  clientId: text('client_id').notNull(),
  creatorId: text('creator_id').notNull(),
  priceCentavos: bigint('price_centavos', { mode: 'number' }).notNull(),
  linkId: text('link_id'),
  referenceNumber: text('reference_number'),
  checkoutUrl: text('checkout_url'),
  webhookId: text('webhook_id'),
  paymentId: text('payment_id'),
  linkCheckedAt: moment('link_checked_at'),
  paidAt: moment('paid_at'),
  acceptedAt: moment('accepted_at'),
  userSetDoneAt: moment('user_set_done_at'),
  adminSetDoneAt: moment('admin_set_done_at'),
  completedAt: moment('completed_at'),
  confirmedBy: text('confirmed_by'),
  cancelledAt: moment('cancelled_at'),
  cancelledBy: text('cancelled_by'),
  payoutWaitsUntil: moment('payout_waits_until'),
  paidOutAt: moment('paid_out_at'),
  refundedAt: moment('refunded_at'),
  /** The parties' names when the request ended; null while it is open. Stored by a trigger (migration 0043). */
  clientName: text('client_name'),
  creatorName: text('creator_name'),
  /** Generated from the states above (migration 0014). */
  stage: text('stage').$type<Stage>().notNull().generatedAlwaysAs(sql`null`),
  cardDown: boolean('card_down').notNull().default(false),
  reviewSubmitted: boolean('review_submitted').notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** The plan chat and review of each request: their features build on this one. */
export const interactionLinks = pgView('interaction_links', {
  interactionId: text('interaction_id').notNull(),
  receiptId: text('receipt_id'),
  reviewId: text('review_id'),
}).existing();
