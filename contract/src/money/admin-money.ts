import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Day, Id, Time, text } from '../fields.ts';
import { price, reportDetailLength } from '../limits.ts';
import { getPage } from '../page.ts';

/** Money on its way out that an admin has to look at. */
export const MoneyCase = z.object({
  /** The disbursement's; of one by hand the reference of the transfer. */
  id: z.string(),
  /** Back the way that the payment came, by a transfer, or by an admin's hand: then it could not be recorded. */
  way: z.enum(['provider', 'transfer', 'hand']),
  /** Earnings of a creator, or money back to a client. */
  purpose: z.enum(['payout', 'refund']),
  interactionId: z.string(),
  planTitle: z.string(),
  /** Who gets it, by the name that was verified. */
  receiverName: z.string(),
  /** The GCash number; null when there is none, and for a refund by the payment's own method. */
  number: z.nullable(z.string()),
  /** Pesos. */
  amount: z.number(),
  /**
   * Whether the provider has an order for it: it may have one whose answer was lost, and `doubtful` is one of these that was sent more than 24
   * hours ago, which an admin may decide.
   */
  atProvider: z.enum(['no', 'maybe', 'doubtful', 'yes']),
  /** Why it was not sent: in the provider's words, or what holds it back; null while the provider says nothing. */
  problem: z.nullable(z.string()),
  /** How often it was tried. */
  attempts: z.int(),
  createdAt: Time,
});
export type MoneyCase = z.infer<typeof MoneyCase>;

const reason = text(reportDetailLength).check(z.minLength(1, 'Please give a reason.'));

/** What the fields ask of an admin who acts on money of others. */
export const CaseReason = z.strictObject({ reason });

/** What the fields ask of an admin who sent a payout by hand. */
export const PayoutReference = z.strictObject({
  reference: text(100).check(z.minLength(1, 'Please enter the reference of the transfer.')),
});

const CaseId = z.string().check(z.minLength(1), z.maxLength(100));
export const NewRefund = z.extend(CaseReason, { interactionId: Id });
export type NewRefund = z.infer<typeof NewRefund>;
export const NewRetry = z.extend(CaseReason, {
  id: CaseId,
  byTransfer: z.optional(z.boolean()),
});
export type NewRetry = z.infer<typeof NewRetry>;
/** What the fields ask of an admin who knows what the provider calls a sending. */
export const SendingReference = z.extend(CaseReason, {
  reference: text(100).check(z.minLength(1, 'Please enter its id in the dashboard.')),
});
/** What became of a sending that the provider did not answer: what the provider calls it, or without a reference nothing left. */
export const DecidedSending = z.extend(CaseReason, {
  id: CaseId,
  reference: z.optional(SendingReference.shape.reference),
});
export type DecidedSending = z.infer<typeof DecidedSending>;
/** `amountCentavos` is what the admin sent: the case as they saw it. */
export const RecordedPayout = z.extend(PayoutReference, {
  id: CaseId,
  amountCentavos: z.int().check(z.positive(), z.lte(price.maximumCentavos)),
});
export type RecordedPayout = z.infer<typeof RecordedPayout>;

/** What became of a transfer by hand that could not be recorded: it left Tara and is a loss, or it did not. */
export const SettledTransfer = z.extend(CaseReason, { reference: text(100), hasLeft: z.boolean() });
export type SettledTransfer = z.infer<typeof SettledTransfer>;

/** A dispute of a card issuer that does not name its payment, and that no single payment fits. Pesos. */
export const UnassignedDispute = z.object({
  /** The provider's. */
  id: z.string(),
  amount: z.number(),
  /** In the words of the card issuer. */
  reason: z.string(),
  state: z.enum(['open', 'lost']),
  /** When the card issuer opened it. */
  disputedAt: Time,
  /** The last day on which the provider takes evidence, in the Philippines. */
  dueOn: Day,
  /** Whether the evidence was sent, so that the issuer decides. */
  isUnderReview: z.boolean(),
  /** Whether an admin or the provider said that it is about no payment of Tara, which can be corrected. */
  isForeign: z.boolean(),
  /** Payments that the provider shows as disputed, and that it may be about. */
  payments: z.array(
    z.object({
      id: z.string(),
      planTitle: z.string(),
      clientName: z.string(),
      amount: z.number(),
      paidAt: Time,
    }),
  ),
});
export type UnassignedDispute = z.infer<typeof UnassignedDispute>;

/** What the fields ask of an admin who says which payment a dispute is about. */
export const AssignmentFields = z.extend(CaseReason, {
  paymentId: text(100).check(z.minLength(1, 'Please enter the payment, such as pay_a1b2c3.')),
});
/** Which payment a dispute is about; null when it is about none of Tara's. */
export const NewAssignment = z.extend(AssignmentFields, {
  disputeId: CaseId,
  paymentId: z.nullable(AssignmentFields.shape.paymentId),
});
export type NewAssignment = z.infer<typeof NewAssignment>;

/** The newest comparison of the ledger with itself and with the provider, made every night. */
export const LedgerCheck = z.object({
  checkedAt: Time,
  /** How many records were compared, by kind. */
  counts: z.record(z.string(), z.number()),
  differences: z.array(z.object({ rule: z.string(), subject: z.string(), text: z.string() })),
});
export type LedgerCheck = z.infer<typeof LedgerCheck>;

/** Whose money it is decides who may act: never an admin about a request of their own. */
export const adminMoney = calls('/api/admin', {
  openMoney: getPage('/money/:list', MoneyCase, {
    summary:
      'Money out that waits for an admin, oldest first, 20 a page: payouts to send by hand (`PAYOUTS=manual`, or above what one transfer carries), or what was refused or has not moved for an hour.',
    access: 'admin',
    params: z.object({ list: z.enum(['toPayOut', 'failed']) }),
  }),
  unassignedDisputes: getPage('/unassignedDisputes', UnassignedDispute, {
    summary:
      'Disputes of card issuers that do not name their payment and that wait for an admin to assign them, or that are said to be about no payment of Tara, until they are decided and for 90 days; oldest first, 20 a page.',
    access: 'admin',
  }),
  assignDispute: post('/assignDispute', {
    summary:
      'Says which payment a dispute is about, or with null that it is about none of Tara, or corrects it until it is decided; with the reason in the audit log.',
    access: 'admin',
    recentPassword: 'always',
    body: NewAssignment,
    errors: ['admin_own_record', 'dispute_assignment_not_possible'],
  }),
  ledgerCheck: get('/ledgerCheck', {
    summary: 'The newest nightly check of the ledger; null before the first.',
    access: 'admin',
    reply: z.object({ check: z.nullable(LedgerCheck) }),
  }),
  refundRequest: post('/refundRequest', {
    summary: 'Ends a paid request that is not over and refunds it in full.',
    access: 'admin',
    recentPassword: 'always',
    body: NewRefund,
    errors: ['interaction_not_found', 'admin_own_record', 'request_decision_not_possible'],
  }),
  retryMoney: post('/retryMoney', {
    summary:
      'Tries a refused payout or refund again; with `byTransfer` a refused refund goes to the client’s GCash number instead.',
    access: 'admin',
    recentPassword: 'always',
    body: NewRetry,
    errors: ['money_case_not_found', 'admin_own_record', 'money_case_not_possible'],
  }),
  decideSending: post('/decideSending', {
    summary:
      'Says what became of a payout or refund that the provider did not answer for 24 hours: what the provider calls it, or that it never left, and what is owed still is sent again.',
    access: 'admin',
    recentPassword: 'always',
    body: DecidedSending,
    errors: ['money_case_not_found', 'admin_own_record', 'money_case_not_possible'],
  }),
  settleManualTransfer: post('/settleManualTransfer', {
    summary:
      'Says whether money left by a transfer by hand that could not be recorded; then it is booked as a loss.',
    access: 'admin',
    recentPassword: 'always',
    body: SettledTransfer,
    errors: ['money_case_not_found', 'admin_own_record', 'money_case_not_possible'],
  }),
  recordPayout: post('/recordPayout', {
    summary:
      'Books a payout of the list to pay out by hand, with the reference of the transfer that the admin made.',
    access: 'admin',
    recentPassword: 'always',
    body: RecordedPayout,
    errors: ['money_case_not_found', 'admin_own_record', 'money_case_changed', 'money_case_not_possible'],
  }),
});
