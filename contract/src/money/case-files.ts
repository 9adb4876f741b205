import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Id, Time, text } from '../fields.ts';
import { Interaction } from '../interactions/interactions.ts';
import { stages } from '../interactions/stages.ts';
import { searchLength } from '../limits.ts';
import { DatedStep, datedSteps } from './confirmations.ts';
import { Dispute } from './disputes.ts';
import { Confirmation } from './payments.ts';

/** What was searched for when a request was found, as the admin reads it. */
export const matchedBy = {
  request: 'the request',
  payment: 'a payment',
  confirmation: 'a confirmation',
  refund: 'a refund',
  transfer: 'a transfer',
  chargeback: 'a chargeback',
  member: 'a member',
  movement: 'its newest movement',
} as const;

/** A request that has what was searched for. */
export const MoneyMatch = z.object({
  /** The request's. */
  id: z.string(),
  matched: z.enum(Object.keys(matchedBy) as [keyof typeof matchedBy]),
  planTitle: z.string(),
  client: z.string(),
  creator: z.string(),
  /** Pesos. */
  price: z.number(),
  stage: z.enum(stages),
  createdAt: Time,
});
export type MoneyMatch = z.infer<typeof MoneyMatch>;

/** Most requests that a search of money finds. */
export const mostMatches = 50;

/** What happens to a request and its money, for the admin who reads its timeline. */
export const timelineSteps = {
  ...datedSteps,
  captured: 'A payment arrived',
  refundOwed: 'A refund was decided',
  refundSent: 'A refund was sent',
  refundRefused: 'The refund was refused',
  refundLost: 'The refund never left',
  payoutOwed: 'A payout was decided',
  payoutSent: 'A payout was sent',
  payoutRefused: 'The payout was refused',
  payoutLost: 'The payout never left',
  transferRefused: 'A transfer by hand was not recorded',
  chargebackOpened: 'A chargeback was opened',
  chargebackWon: 'The chargeback was won',
  chargebackLost: 'The chargeback was lost',
  completed: 'The request was completed',
  adminActed: 'An admin acted',
} as const;
export type TimelineStep = keyof typeof timelineSteps;

export const TimelineEvent = z.object({
  step: z.enum(Object.keys(timelineSteps) as [TimelineStep]),
  at: Time,
  /** Pesos. */
  amount: z.nullable(z.number()),
  /** The provider's id, or the reference of a transfer by hand. */
  reference: z.nullable(z.string()),
  /** Such as a method, a refusal, or what an admin did. */
  note: z.string(),
});
export type TimelineEvent = z.infer<typeof TimelineEvent>;

/** A movement of the ledger. */
export const Movement = z.object({
  number: z.string(),
  at: Time,
  kind: z.string(),
  /** Pesos; what is held or owed is negative. `owner` is empty for an account of Tara. */
  entries: z.array(z.object({ account: z.string(), owner: z.string(), amount: z.number() })),
});
export type Movement = z.infer<typeof Movement>;

/** Everything that happened to a request and its money, oldest first. */
export const Timeline = z.object({
  request: Interaction,
  linkId: z.nullable(z.string()),
  events: z.array(TimelineEvent),
  movements: z.array(Movement),
});
export type Timeline = z.infer<typeof Timeline>;

/** What an admin gives the card issuer about a payment that it disputes. */
export const CaseFile = z.object({
  chargeback: z.object({
    id: z.string(),
    paymentId: z.string(),
    /** Pesos. */
    amount: z.number(),
    reason: z.string(),
    state: z.enum(['open', 'won', 'lost']),
    createdAt: Time,
  }),
  openedAt: Time,
  /** The plan as it was booked; later changes of the plan are not in it. Pesos. */
  booked: z.object({
    planTitle: z.string(),
    price: z.number(),
    meetsAt: z.nullable(Time),
    meetsUntil: z.nullable(Time),
    place: z.string(),
    referenceNumber: z.nullable(z.string()),
    terms: z.string(),
  }),
  /** Names. */
  client: z.string(),
  creator: z.string(),
  steps: z.array(DatedStep),
  confirmations: z.array(Confirmation),
  dispute: z.nullable(Dispute),
});
export type CaseFile = z.infer<typeof CaseFile>;

/** What admins read of a request's money: to answer a member, and a card issuer. */
export const caseFiles = calls('/api/admin', {
  findMoney: get('/findMoney', {
    summary:
      'Requests by the id or number of the request, a payment, confirmation, refund, transfer or chargeback, or by a member’s username, email or id; without a search those whose money moved last. The newest 50.',
    access: 'admin',
    query: z.object({ search: z.optional(text(searchLength).check(z.minLength(1))) }),
    reply: z.object({ items: z.array(MoneyMatch) }),
  }),
  timeline: get('/timeline/:id', {
    summary: 'Everything that happened to a request and its money, with the provider’s ids.',
    access: 'admin',
    params: z.object({ id: Id }),
    reply: Timeline,
    errors: ['interaction_not_found', 'admin_own_record'],
  }),
  openCaseFile: post('/openCaseFile', {
    summary:
      'What the card issuer may be shown about a chargeback; each opening is written to the audit log.',
    access: 'admin',
    body: z.strictObject({ chargebackId: z.string().check(z.minLength(1), z.maxLength(100)) }),
    reply: CaseFile,
    errors: ['chargeback_not_found', 'admin_own_record'],
  }),
});
