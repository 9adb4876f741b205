import * as z from 'zod/mini';
import { calls, get, post, withSuccess } from '../calls.ts';
import { Id, Picture, Time, text } from '../fields.ts';
import { cancelNoteLength } from '../limits.ts';
import { Person } from '../members/profiles.ts';
import { RefundNumber } from '../money/payment-methods.ts';
import { getPage, pageOf } from '../page.ts';
import { MeetingPlace, MeetingTime } from './meetings.ts';
import { type InteractionListName, interactionLists, type Party, stages, stepNames } from './stages.ts';

/** Why a request was cancelled: by its client, its creator, a deadline, or an admin. */
export const cancelReasons = [
  'withdrawn',
  'declined',
  'cancelled',
  'unpaid',
  'unanswered',
  'time_taken',
  'removed',
  'refunded',
  'charged_back',
] as const;

/** How far a payout or a refund is. */
export const MoneyProgress = z.object({
  /**
   * `needs_number`: its receiver has to name a mobile number. `delayed`: the number changed, until `until`. `frozen`: the
   * card issuer disputes the payment. `on_hold`: Tara checks the payment. `waiting`: sent next. `refused`: tried again, or an
   * admin decides.
   */
  state: z.enum(['needs_number', 'delayed', 'frozen', 'on_hold', 'waiting', 'sending', 'refused', 'arrived']),
  /** Pesos. */
  amount: z.number(),
  /** By the payment's own method, or by a transfer to an e-wallet. */
  way: z.enum(['provider', 'transfer']),
  until: z.nullable(Time),
  /** Why it was not sent. Its receiver and admins see refusals, in the provider's words; what holds it back admins alone see. */
  problem: z.nullable(z.string()),
});
export type MoneyProgress = z.infer<typeof MoneyProgress>;

/** Where the client's money is: one state, the amount in pesos, and since when. */
export const MoneyState = z.object({
  state: z.enum(['free', 'unpaid', 'held', 'owed', 'paid_out', 'refunding', 'refunded', 'charged_back']),
  amount: z.number(),
  /** What the client's card issuer took back, once it has decided. Pesos. */
  takenBack: z.number(),
  at: z.nullable(Time),
  /** What goes, or went, to the creator after the platform fee, and back to the client; null while nothing is owed. */
  payout: z.nullable(MoneyProgress),
  refund: z.nullable(MoneyProgress),
});
export type MoneyState = z.infer<typeof MoneyState>;

/** Another day that one of the two proposes; the standing one holds until the other agrees. */
export const MeetingProposal = z.object({
  id: z.string(),
  by: z.enum(['client', 'creator']),
  meetsAt: Time,
  meetsUntil: Time,
  place: z.string(),
  createdAt: Time,
});
export type MeetingProposal = z.infer<typeof MeetingProposal>;

/** A request between a client and a creator (§3), as its two parties and an admin see it. */
export const Interaction = z.object({
  id: z.string(),
  planId: z.string(),
  planTitle: z.string(),
  cover: Picture,
  whoSentReq: Person,
  creator: Person,
  clientAccountId: z.string(),
  creatorAccountId: z.string(),
  /** Pesos. */
  price: z.number(),
  paid: z.boolean(),
  paymentId: z.nullable(z.string()),
  referenceNumber: z.nullable(z.string()),
  /** Checkout page, for the client only; null for a free plan and until the payment link exists. */
  checkoutUrl: z.nullable(z.string()),
  /**
   * The client has to name a number: before paying, when a payment could need to go back later than its method allows; and
   * for a refund that only a transfer can bring. For the client only, otherwise false.
   */
  needsRefundNumber: z.boolean(),
  /** The number for refunds that the client named; for the client only. */
  refundNumber: z.nullable(z.string()),
  /** Tara's share of the price when the money is released, in hundredths of a percent. */
  platformFeeBasisPoints: z.int(),
  webhookId: z.nullable(z.string()),
  conversationReceipt: z.nullable(z.string()),
  haveConvoReceipt: z.boolean(),
  accepted: z.boolean(),
  userSetDone: z.boolean(),
  adminSetDone: z.boolean(),
  completed: z.boolean(),
  cancelled: z.boolean(),
  /** Derived from the flags above; lists and buttons depend on it. */
  stage: z.enum(stages),
  /** Whether an admin has to decide, because the client objects. */
  disputed: z.boolean(),
  /** Whether the card issuer disputes the payment: its money does not move until it has answered. */
  frozen: z.boolean(),
  /** Whether an admin decided about its money, because of a dispute or because the client did not answer. */
  decided: z.boolean(),
  /** The standing day: the client's proposal until the creator accepts, then the agreed one; null when none was named. */
  meetsAt: z.nullable(Time),
  meetsUntil: z.nullable(Time),
  place: z.string(),
  /** The proposal that waits for an answer; null when none does. */
  proposal: z.nullable(MeetingProposal),
  /** Midnight (Manila) of the plan's day, once it is accepted; 14 days later when no day was agreed. */
  dayStartsAt: z.nullable(Time),
  /** Until when the request can be paid; null for a free plan. */
  payUntil: z.nullable(Time),
  /** When the client marked the plan as fulfilled; null before. */
  fulfilledAt: z.nullable(Time),
  /** Until when the client may still object; null before the plan is fulfilled, and once that time is over. */
  objectUntil: z.nullable(Time),
  /** Why it ended, when it was cancelled, and what the creator or the admin wrote with it. */
  cancelReason: z.nullable(z.enum(cancelReasons)),
  cancelNote: z.string(),
  /** What its reader may do: true, or the reason for refusing, for each step of `steps.ts`. */
  can: z.record(z.enum(stepNames), z.union([z.literal(true), z.string()])),
  /** Whether the standing time is over, and whether the day of the plan has begun. */
  timePassed: z.boolean(),
  dayReached: z.boolean(),
  /** When `can` or one of the fields that depend on the time changes next without anybody doing anything; null: never. */
  changesAt: z.nullable(Time),
  creatorMet: z.boolean(),
  cardDown: z.boolean(),
  reviewSubmitted: z.boolean(),
  reviewId: z.nullable(z.string()),
  /** One party blocked the other: the chat is read-only, and each is only a name to the other. */
  blocked: z.boolean(),
  money: MoneyState,
  createdAt: Time,
  updatedAt: Time,
});
export type Interaction = z.infer<typeof Interaction>;

/** The lists of Plan Manager and the history (§2, §4). */
export const InteractionList = z.enum(Object.keys(interactionLists) as [InteractionListName]);
export type InteractionList = InteractionListName;

const InteractionId = z.strictObject({ interactionId: Id });
/** A creator may say why. */
const CancelRequest = z.strictObject({ interactionId: Id, reason: z.optional(text(cancelNoteLength)) });
const NewProposal = z.strictObject({ interactionId: Id, meetsAt: MeetingTime, place: MeetingPlace });
const ProposalAnswer = z.strictObject({
  interactionId: Id,
  proposalId: Id,
  answer: z.enum(['agree', 'decline'], 'Must be agree or decline.'),
});
const InteractionPage = pageOf(Interaction);

/**
 * The plan, from which the server reads what is asked and what it costs (decisions §2), and the day, time and place that
 * the client proposes.
 */
export const NewInteraction = z.strictObject({
  planId: Id,
  meetsAt: z.optional(MeetingTime),
  place: z.optional(MeetingPlace),
});
export type NewInteraction = z.infer<typeof NewInteraction>;

export const interactions = calls('/api/plan', {
  createInteraction: post('/createInteraction', {
    summary: 'Sends a request for a plan; a job creates the payment link shortly after.',
    body: NewInteraction,
    reply: withSuccess(Interaction),
    errors: [
      'account_consent_missing',
      'plan_not_found',
      'plan_creator_unverified',
      'plan_closed',
      'plan_paused',
      'plan_birth_date_missing',
      'plan_under_age',
      'interaction_own_plan',
      'interaction_already_requested',
      'interaction_time_taken',
    ],
  }),
  interaction: get('/interaction/:id', {
    summary: 'One request, for its parties and admins.',
    params: z.object({ id: Id }),
    reply: Interaction,
    errors: ['interaction_not_found'],
  }),
  manager: get('/manager', {
    summary: 'The first page of each list of Plan Manager, in one reply.',
    reply: z.object({
      friendRequest: InteractionPage,
      yourRequest: InteractionPage,
      earn: InteractionPage,
      expense: InteractionPage,
    }),
  }),
  interactionList: getPage('/interactions/:list', Interaction, {
    summary: 'One list of your own requests, last changed first, 10 a page.',
    params: z.object({ list: InteractionList }),
  }),
  acceptRequest: post('/acceptRequest', {
    whileDiskFull: true,
    summary: 'The creator accepts; both become friends.',
    body: InteractionId,
    reply: Interaction,
    errors: ['interaction_not_found', 'interaction_not_allowed', 'interaction_time_taken'],
  }),
  cancelRequest: post('/cancelRequest', {
    whileSuspended: true,
    summary:
      'The client withdraws, the creator declines or cancels: an unpaid link is closed, a payment is refunded in full.',
    body: CancelRequest,
    reply: Interaction,
    errors: ['interaction_not_found', 'interaction_not_allowed'],
  }),
  proposeDay: post('/proposeDay', {
    summary:
      'Proposes another day to the other party; before the acceptance, a client changes the own proposal at once.',
    body: NewProposal,
    reply: Interaction,
    errors: ['interaction_not_found', 'interaction_not_allowed', 'interaction_time_taken'],
  }),
  answerProposal: post('/answerProposal', {
    whileDiskFull: true,
    summary:
      'Agrees to the day that the other party proposes, or declines it; agreeing to the creator’s first one accepts the request.',
    body: ProposalAnswer,
    reply: Interaction,
    errors: ['interaction_not_found', 'interaction_not_allowed', 'interaction_time_taken'],
  }),
  sayMet: post('/sayMet', {
    whileSuspended: true,
    summary: 'The creator says that the two met; it decides nothing.',
    body: InteractionId,
    reply: Interaction,
    errors: ['interaction_not_found', 'interaction_not_allowed'],
  }),
  markDone: post('/markDone', {
    whileSuspended: true,
    summary: 'The client marks the plan as fulfilled.',
    body: InteractionId,
    reply: Interaction,
    errors: ['interaction_not_found', 'interaction_not_allowed'],
  }),
  cardDown: post('/cardDown', {
    whileSuspended: true,
    summary: 'Moves the payment card below the chat.',
    body: InteractionId,
    reply: Interaction,
    errors: ['interaction_not_found', 'interaction_not_allowed'],
  }),
  setRefundNumber: post('/setRefundNumber', {
    whileSuspended: true,
    summary:
      'The client names the GCash number for refunds; asked for before paying when the method may not give the money back by itself.',
    recentPassword: 'always',
    body: z.extend(RefundNumber, { interactionId: Id }),
    reply: Interaction,
    errors: ['interaction_not_found', 'interaction_not_allowed'],
  }),
  checkPayment: post('/checkPayment', {
    whileSuspended: true,
    summary:
      'Checks with the provider whether the link is paid, on return from the checkout; makes a link that is missing.',
    body: InteractionId,
    reply: Interaction,
    errors: ['interaction_not_found', 'payment_link_failed'],
  }),
});

/** Which party of a request an account is. */
export function partyOf(
  interaction: Pick<Interaction, 'clientAccountId' | 'creatorAccountId'>,
  accountId: string,
): Party {
  if (interaction.clientAccountId === accountId) return 'client';
  return interaction.creatorAccountId === accountId ? 'creator' : 'other';
}

/** Tara's share of released centavos: rounded down, in the creator's favour. */
export const platformFee = (releasedCentavos: number, basisPoints: number): number =>
  Math.floor((releasedCentavos * basisPoints) / 10_000);
