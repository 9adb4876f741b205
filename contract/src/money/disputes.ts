import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Day, Id, Picture, Time, text, wholeNumber } from '../fields.ts';
import { belongsTo, messageIdList, photoIds } from '../form-fields.ts';
import { Interaction } from '../interactions/interactions.ts';
import {
  disputeMessageLimit,
  disputeMessagesOffered,
  disputePhotoLimit,
  disputeStoryLength,
  price as priceRange,
  reportDetailLength,
  splitMinimumCentavos,
} from '../limits.ts';
import { MessagesPage } from '../messages/messages.ts';
import { getPage } from '../page.ts';
import { centavos, readPrice } from '../plans/plans.ts';
import { DatedStep } from './confirmations.ts';

/** Why the client objects, in the words of the form. */
export const disputeReasons = {
  absent: 'The creator did not come',
  different: 'It was not what the plan promised',
  unsafe: 'I did not feel safe',
  money: 'I was asked for more money',
  other: 'Something else',
} as const;
export type DisputeReason = keyof typeof disputeReasons;
const reasonNames = Object.keys(disputeReasons) as [DisputeReason];

const story = {
  story: text(disputeStoryLength).check(z.minLength(1, 'Please say what happened.')),
  imageIds: photoIds(disputePhotoLimit),
};
const messageIds = messageIdList(disputeMessageLimit);
// Left out: none, as of a page that was loaded before there were any.
const optionalMessageIds = z._default(messageIds, []);
/** Which messages a side of a dispute can add. */
export const addableMessages =
  'Only messages of yours with a text, of the chat of this plan, that you did not unsend.';
// The form begins without one.
const reason = z.pipe(z.string(), z.enum(reasonNames, 'Please choose a reason.'));

/** The form of the client. */
export const DisputeFormFields = z.strictObject({ reason, ...story, messageIds });
/** The form of the creator. */
export const AnswerFormFields = z.strictObject({ ...story, messageIds });

export const NewDispute = z.strictObject({
  interactionId: Id,
  reason,
  ...story,
  messageIds: optionalMessageIds,
});
export type NewDispute = z.infer<typeof NewDispute>;
export const NewAnswer = z.strictObject({ interactionId: Id, ...story, messageIds: optionalMessageIds });
export type NewAnswer = z.infer<typeof NewAnswer>;

/** A message of the plan chat, as it is copied into a dispute. The text is empty once its writer's account is deleted. */
export const DisputeMessage = z.object({ id: z.string(), text: z.string(), sentAt: Time });
export type DisputeMessage = z.infer<typeof DisputeMessage>;

/** What a party can add to a dispute, newest first; `hasMore` when there are older ones. */
export const OfferedMessages = z.object({ items: z.array(DisputeMessage), hasMore: z.boolean() });
export type OfferedMessages = z.infer<typeof OfferedMessages>;

/** Shown in place of what somebody wrote whose account is deleted. */
export const deletedText = 'This was deleted.';

/** What one side says. The text is empty once its account is deleted. */
export const Story = z.object({
  text: z.string(),
  photos: z.array(Picture),
  /** Of its own, oldest first. */
  messages: z.array(DisputeMessage),
  createdAt: Time,
});
export type Story = z.infer<typeof Story>;

/** A dispute, as both parties and the admins read it. */
export const Dispute = z.object({
  reason: z.enum(reasonNames),
  client: Story,
  /** Null until the creator answers. */
  creator: z.nullable(Story),
});
export type Dispute = z.infer<typeof Dispute>;

/** What an admin can decide about the money that is held for a request. */
export const outcomes = ['release', 'refund', 'split'] as const;

/** What was decided. Pesos. */
export const RequestDecision = z.object({
  outcome: z.enum(outcomes),
  /** What goes to the creator, before the platform fee, and back to the client. */
  released: z.number(),
  refunded: z.number(),
  note: z.string(),
  createdAt: Time,
});
export type RequestDecision = z.infer<typeof RequestDecision>;

/** A request with its dispute and the decision, where there are any. */
export const DisputedRequest = z.object({
  request: Interaction,
  dispute: z.nullable(Dispute),
  decision: z.nullable(RequestDecision),
});
export type DisputedRequest = z.infer<typeof DisputedRequest>;

export const disputes = calls('/api/dispute', {
  get: get('/request/:id', {
    summary: 'The dispute about a request and how it was decided, for its two parties and admins.',
    params: z.object({ id: Id }),
    reply: DisputedRequest,
    errors: ['interaction_not_found'],
  }),
  ownMessages: get('/ownMessages/:id', {
    summary: `What a party of a request can add to a dispute: their newest ${disputeMessagesOffered} texts of its plan chat, newest first; none when they cannot open or answer one.`,
    params: z.object({ id: Id }),
    reply: OfferedMessages,
    errors: ['interaction_not_found'],
  }),
  open: post('/open', {
    whileSuspended: true,
    summary: 'The client says that there was a problem: from the payment until 48 hours after fulfilment.',
    body: NewDispute,
    reply: DisputedRequest,
    errors: ['interaction_not_found', 'interaction_not_allowed', 'storage_file_not_found'],
  }),
  answer: post('/answer', {
    whileSuspended: true,
    summary: 'The creator answers an open dispute, once.',
    body: NewAnswer,
    reply: DisputedRequest,
    errors: ['interaction_not_found', 'interaction_not_allowed', 'storage_file_not_found'],
  }),
});

/** Why card issuers dispute payments, by the codes that are usual: the provider's pages list none. */
const issuerReasons = new Map([
  ['fraudulent', 'The cardholder says that they did not pay'],
  ['unrecognized', 'The cardholder does not know the payment'],
  ['product_not_received', 'The client did not get what they paid for'],
  ['product_unacceptable', 'What the client got was not as described'],
  ['duplicate', 'The client was charged twice'],
  ['credit_not_processed', 'The client waits for a refund'],
  ['general', 'No reason in particular'],
]);
/** What an issuer's code means; the code itself when it is none that we know. */
export const issuerReason = (code: string): string => issuerReasons.get(code) ?? code;

/** A payment that the card issuer takes back, or tries to. Pesos. */
export const Chargeback = z.object({
  /** The provider's. */
  id: z.string(),
  request: Interaction,
  steps: z.array(DatedStep),
  terms: z.string(),
  paymentId: z.string(),
  amount: z.number(),
  /** What does not move until it is decided. */
  frozen: z.number(),
  /** The card issuer's code, for `issuerReason`. */
  reason: z.string(),
  state: z.enum(['open', 'won', 'lost']),
  /** The last day on which the provider takes evidence, in the Philippines. */
  dueOn: Day,
  /** Whether the evidence was sent, so that the issuer decides. */
  isUnderReview: z.boolean(),
  createdAt: Time,
  decidedAt: z.nullable(Time),
});
export type Chargeback = z.infer<typeof Chargeback>;

/** A request whose money waits for an admin's decision. */
export const RequestCase = z.object({
  /** The request's. */
  id: z.string(),
  request: Interaction,
  /** What happened when. */
  steps: z.array(DatedStep),
  /** The terms as the client accepted them. */
  terms: z.string(),
  /** Null when nobody objected: the client did not answer. */
  dispute: z.nullable(Dispute),
});
export type RequestCase = z.infer<typeof RequestCase>;

const note = text(reportDetailLength).check(z.minLength(1, 'Please give a reason. Both parties read it.'));
const twoDecimals = (pesos: number) => Math.abs(pesos * 100 - Math.round(pesos * 100)) < 1e-6;

export const NewRequestDecision = z
  .strictObject({
    interactionId: Id,
    outcome: z.enum(outcomes),
    /** For a split: what goes back to the client; the rest goes to the creator. */
    refundCentavos: z.optional(wholeNumber(splitMinimumCentavos, priceRange.maximumCentavos)),
    note,
  })
  .check(
    belongsTo(
      'refundCentavos',
      'a split',
      ({ outcome, refundCentavos }) => (outcome === 'split') === (refundCentavos !== undefined),
    ),
  );
export type NewRequestDecision = z.infer<typeof NewRequestDecision>;

/** Whether an amount splits a price, both in centavos: each side gets at least what the provider can send. */
export const isSplit = (refundCentavos: number, priceCentavos: number): boolean =>
  refundCentavos >= splitMinimumCentavos && priceCentavos - refundCentavos >= splitMinimumCentavos;
export const splitRule = 'Must leave at least ₱1.00 to each of the two.';

const isPart = (refund: number | null, price: number): boolean =>
  refund !== null && twoDecimals(refund) && isSplit(centavos(refund), centavos(price));

/** The form of a decision about a request of this price, in pesos. */
export const decisionFormFields = (price: number) =>
  z
    .strictObject({
      outcome: z.pipe(z.string(), z.enum(outcomes, 'Please choose what happens with the money.')),
      refund: z.string(),
      note,
    })
    .check(
      z.refine(({ outcome, refund }) => outcome !== 'split' || isPart(readPrice(refund), price), {
        path: ['refund'],
        message: splitRule,
      }),
    );

export const requestCases = calls('/api/admin', {
  disputes: getPage('/disputes', RequestCase, {
    summary: 'Open disputes, oldest first, 20 a page.',
    access: 'admin',
  }),
  noAnswer: getPage('/noAnswer', RequestCase, {
    summary:
      'Paid requests whose client did not say within a week of the plan’s day whether they met, oldest day first, 20 a page.',
    access: 'admin',
  }),
  chargebacks: getPage('/chargebacks', Chargeback, {
    summary: 'Payments that the card issuer disputes or took back, newest first, 20 a page.',
    access: 'admin',
  }),
  decideRequest: post('/decideRequest', {
    summary:
      'Decides a dispute or a request without an answer: the money goes to the creator, back to the client, or in parts to both.',
    access: 'admin',
    recentPassword: 'always',
    body: NewRequestDecision,
    errors: ['interaction_not_found', 'admin_own_record', 'request_decision_not_possible'],
  }),
  planChat: post('/planChat', {
    summary:
      'Messages of the plan chat of an open dispute or of a request without an answer, newest first; each look is written to the audit log.',
    access: 'admin',
    body: z.strictObject({ interactionId: Id, before: z.optional(wholeNumber(1)) }),
    reply: MessagesPage,
    errors: ['interaction_not_found', 'admin_own_record', 'request_decision_not_possible'],
  }),
});
