import { cancelReasons } from '@tara/contract/interactions/interactions';
import type { Stage } from '@tara/contract/interactions/stages';
import { outcomes } from '@tara/contract/money/disputes';
import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, pgTable, pgView, text } from 'drizzle-orm/pg-core';
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
  paidAt: moment('paid_at'),
  acceptedAt: moment('accepted_at'),
  userSetDoneAt: moment('user_set_done_at'),
  adminSetDoneAt: moment('admin_set_done_at'),
  completedAt: moment('completed_at'),
  confirmedBy: text('confirmed_by'),
  cancelledAt: moment('cancelled_at'),
  cancelledBy: text('cancelled_by'),
  cancelReason: text('cancel_reason', { enum: cancelReasons }),
  cancelNote: text('cancel_note').notNull().default(''),
  /** The terms as they were accepted. */
  terms: text('terms').notNull().default(''),
  platformFeeBasisPoints: integer('platform_fee_basis_points').notNull().default(0),
  /** The standing day: the client's proposal until it is accepted, then the agreed one. */
  meetsAt: moment('meets_at'),
  meetsUntil: moment('meets_until'),
  place: text('place').notNull().default(''),
  /** Midnight (Manila) of the plan's day; null until accepted. */
  dayStartsAt: moment('day_starts_at'),
  payUntil: moment('pay_until'),
  refundNumber: text('refund_number'),
  refundWindowDays: integer('refund_window_days').notNull().default(60),
  creatorMetAt: moment('creator_met_at'),
  disputedAt: moment('disputed_at'),
  frozenAt: moment('frozen_at'),
  /** The client has the money back through the card issuer. */
  chargedBackAt: moment('charged_back_at'),
  releasedCentavos: bigint('released_centavos', { mode: 'number' }).notNull().default(0),
  refundCentavos: bigint('refund_centavos', { mode: 'number' }).notNull().default(0),
  payoutWaitsUntil: moment('payout_waits_until'),
  paidOutAt: moment('paid_out_at'),
  refundedAt: moment('refunded_at'),
  /** The parties' names when the request ended; null while it is open. Stored by a trigger (migration 0043). */
  clientName: text('client_name'),
  creatorName: text('creator_name'),
  /** Generated from the states above (migration 0076). */
  stage: text('stage').$type<Stage>().notNull().generatedAlwaysAs(sql`null`),
  cardDown: boolean('card_down').notNull().default(false),
  reviewSubmitted: boolean('review_submitted').notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** Another day that one of the two proposes; the old one holds until the other agrees. One is open per request. */
export const meetingProposals = pgTable('meeting_proposals', {
  id: text('id').primaryKey(),
  interactionId: text('interaction_id').notNull(),
  proposedBy: text('proposed_by').notNull(),
  meetsAt: moment('meets_at').notNull(),
  meetsUntil: moment('meets_until').notNull(),
  place: text('place').notNull(),
  createdAt: createdAt(),
  answer: text('answer', { enum: ['agreed', 'declined', 'replaced'] }),
  answeredAt: moment('answered_at'),
});

/** What an admin decided about a request's money; one per request. `disputes` writes it, and the proof of the ledger compares it. */
export const requestDecisions = pgTable('request_decisions', {
  interactionId: text('interaction_id').primaryKey(),
  occasion: text('occasion', { enum: ['dispute', 'noAnswer'] }).notNull(),
  outcome: text('outcome', { enum: outcomes }).notNull(),
  refundCentavos: bigint('refund_centavos', { mode: 'number' }).notNull(),
  note: text('note').notNull(),
  decidedBy: text('decided_by'),
  createdAt: createdAt(),
});

/**
 * The plan chat and review of each request, and whether its dispute was answered and its money decided: their features
 * build on this one.
 */
export const interactionLinks = pgView('interaction_links', {
  interactionId: text('interaction_id').notNull(),
  receiptId: text('receipt_id'),
  reviewId: text('review_id'),
  isDecided: boolean('is_decided').notNull(),
  isDisputeAnswered: boolean('is_dispute_answered').notNull(),
}).existing();

/** How far the payout and the refund of each request are: payments build on this feature (migration 0294). */
export const interactionMoney = pgView('interaction_money', {
  interactionId: text('interaction_id').notNull(),
  creatorNumber: text('creator_number').notNull(),
  payoutCentavos: bigint('payout_centavos', { mode: 'number' }),
  payoutState: text('payout_state', { enum: ['owed', 'sending', 'arrived'] }),
  payoutProblem: text('payout_problem'),
  /** Of its own payment: a second one goes back whatever happens to the request. */
  refundCentavos: bigint('refund_centavos', { mode: 'number' }),
  refundWay: text('refund_way', { enum: ['provider', 'transfer'] }),
  refundState: text('refund_state', { enum: ['owed', 'sending', 'arrived'] }),
  refundProblem: text('refund_problem'),
  awaitsNumber: boolean('awaits_number').notNull(),
  takenBackCentavos: bigint('taken_back_centavos', { mode: 'number' }).notNull(),
}).existing();
