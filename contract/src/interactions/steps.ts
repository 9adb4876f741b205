import { notices } from '../notices.ts';
import { problems } from '../problems.ts';
import { openStages, type Party, type Stage, type StepName } from './stages.ts';

/**
 * The steps of a request (§4, decisions §1) as data: who may take one, from which stages, and why not. The server derives
 * its conditions from this table, and what it says that a viewer may do. The web reads that, never this table.
 */

/** Flags that are false until a time of the request, and true from then on. */
export const clockFlags = [
  /** The standing day and time is over. */
  'timePassed',
  /** The day of the plan has begun. */
  'dayReached',
  /** A week has passed since that day. */
  'weekPassed',
  /** The client can no longer have the money back without the creator: from the day of a paid plan on. */
  'withdrawalClosed',
  /** 48 hours have passed since the client marked the plan as fulfilled. */
  'objectionClosed',
] as const;
export type ClockFlag = (typeof clockFlags)[number];

/** Flags that change by what somebody does. */
export const stateFlags = [
  'haveConvoReceipt',
  'cardDown',
  'reviewSubmitted',
  /** The card issuer disputes the payment: its money does not move. */
  'frozen',
  'free',
  'creatorMet',
  'disputeAnswered',
  /** One party blocked the other. */
  'blocked',
] as const;
export type StateFlag = (typeof stateFlags)[number];

/** What a step reads besides the stage. */
export type StepFlag = ClockFlag | StateFlag;

/** A flag that must have this value, and the reason shown when it does not. */
interface FlagRule {
  name: StepFlag;
  value: boolean;
  otherwise: string;
}

const flag = (name: StepFlag, value: boolean, otherwise: string): FlagRule => ({ name, value, otherwise });

/** One step: who may take it from which stages, and the reasons for refusing it otherwise. */
export interface Step {
  by: readonly Party[];
  /** The reason shown to any other party. */
  notBy: string;
  from: readonly Stage[];
  /** The reason shown in another stage where it is not the usual one. */
  notFrom?: Partial<Record<Stage, string>>;
  /** Checked in this order. */
  flags?: readonly FlagRule[];
}

/** The same reason for several stages. */
const fromEach = (stages: readonly Stage[], reason: string): Partial<Record<Stage, string>> =>
  Object.fromEntries(stages.map((stage) => [stage, reason]));

const alreadyAccepted = 'This request is already accepted.';
const notOpen = 'The chat is not open yet.';
const readOnly = `${problems.chat_read_only.title}: ${problems.chat_read_only.text}.`;
const withoutDispute = fromEach(
  ['requested', 'paid', 'accepted', 'ready', 'fulfilled'],
  'There is no open dispute.',
);
const frozen = flag(
  'frozen',
  false,
  'The card issuer disputes this payment. Nothing can be decided until it answers.',
);
/** Why nobody can pay, accept or agree before another day is proposed. */
export const dayPassed = 'The proposed day has passed. Propose another one first.';
const timeAhead = flag('timePassed', false, dayPassed);
const nothingToDecide = flag('free', false, 'This plan is free: there is no money to decide about.');

/** Why a creator cannot answer a dispute again. */
const disputeAnswered = 'You already answered this dispute.';

/** Why an admin cannot decide about a request, plan, report or identity of their own (decisions §2). */
export const ownRecord = 'This is about you. Another admin has to decide it.';

const notPaid = 'The request is not paid yet.';
const notAccepted = 'The creator has not accepted yet.';
/** Why a step cannot be taken from a stage, unless it says otherwise. */
export const usualReasons: Record<Stage, string> = {
  requested: notPaid,
  paid: notAccepted,
  accepted: notPaid,
  ready: problems.interaction_not_allowed.title,
  fulfilled: 'This plan is already fulfilled.',
  disputed: 'There is an open dispute. An admin decides it.',
  completed: 'This plan is completed.',
  cancelled: 'This request was cancelled.',
};

/** Every step that a person takes. Reasons that are also errors stand in the catalogue. */
export const steps = {
  pay: {
    by: ['client'],
    notBy: 'Only the client pays.',
    from: ['requested', 'accepted'],
    notFrom: fromEach(['paid', 'ready', 'fulfilled'], 'This request is already paid.'),
    flags: [timeAhead],
  },
  accept: {
    by: ['creator'],
    notBy: 'Only the creator accepts.',
    from: ['requested', 'paid'],
    notFrom: fromEach(['accepted', 'ready', 'fulfilled'], alreadyAccepted),
    flags: [timeAhead],
  },
  proposeDay: {
    by: ['client', 'creator'],
    notBy: 'Only the client and the creator agree on a day.',
    from: ['requested', 'paid', 'accepted', 'ready'],
  },
  /** The client takes the request back; a payment is refunded in full. */
  withdraw: {
    by: ['client'],
    notBy: 'Only the client can withdraw the request.',
    from: ['requested', 'paid', 'accepted', 'ready'],
    flags: [
      flag(
        'withdrawalClosed',
        false,
        'The day of the plan has begun. If there was a problem, open a dispute.',
      ),
      frozen,
    ],
  },
  /** The creator does not accept; a payment is refunded in full. */
  decline: {
    by: ['creator'],
    notBy: 'Only the creator can decline the request.',
    from: ['requested', 'paid'],
    notFrom: fromEach(['accepted', 'ready'], alreadyAccepted),
    flags: [frozen],
  },
  /** The creator cancels what they accepted; a payment is refunded in full. */
  cancel: {
    by: ['creator'],
    notBy: 'Only the creator can cancel an accepted request.',
    from: ['accepted', 'ready'],
    notFrom: { requested: notAccepted },
    flags: [frozen],
  },
  openReceipt: {
    by: ['client', 'creator'],
    notBy: 'Only the client and the creator can open this chat.',
    from: ['paid', 'ready', 'fulfilled', 'disputed', 'completed'],
    notFrom: fromEach(['requested', 'accepted'], 'The chat opens once the request is paid.'),
    flags: [flag('haveConvoReceipt', false, 'The chat is already open.')],
  },
  sendMessage: {
    by: ['client', 'creator'],
    notBy: 'Only the client and the creator can write here.',
    from: ['paid', 'ready', 'fulfilled', 'disputed'],
    notFrom: fromEach(['requested', 'accepted'], notOpen),
    flags: [flag('haveConvoReceipt', true, notOpen), flag('blocked', false, readOnly)],
  },
  putCardDown: {
    by: ['client', 'creator'],
    notBy: 'Only the client and the creator can do this.',
    from: openStages,
    flags: [flag('cardDown', false, 'The card is already below the chat.')],
  },
  fulfil: {
    by: ['client'],
    notBy: 'Only the client can mark the plan as fulfilled.',
    from: ['ready'],
    notFrom: { fulfilled: 'You already marked the plan as fulfilled.' },
  },
  /** The creator says that they met; it decides nothing, an admin reads it in a 'no answer' case. */
  sayMet: {
    by: ['creator'],
    notBy: 'Only the creator can say this.',
    from: ['ready'],
    notFrom: { paid: 'You have not accepted yet.' },
    flags: [
      flag('dayReached', true, 'This is possible from the day of the plan on.'),
      flag('creatorMet', false, 'You already said that you met.'),
    ],
  },
  dispute: {
    by: ['client'],
    notBy: 'Only the client can open a dispute.',
    from: ['paid', 'ready', 'fulfilled'],
    flags: [
      nothingToDecide,
      flag('objectionClosed', false, 'A dispute can be opened until 48 hours after the plan was fulfilled.'),
      frozen,
    ],
  },
  answerDispute: {
    by: ['creator'],
    notBy: 'Only the creator answers.',
    from: ['disputed'],
    notFrom: withoutDispute,
    flags: [flag('disputeAnswered', false, disputeAnswered)],
  },
  decideDispute: {
    by: ['other'],
    notBy: ownRecord,
    from: ['disputed'],
    notFrom: withoutDispute,
    flags: [frozen],
  },
  /** An admin ends a paid request and gives all of it back. */
  refund: {
    by: ['other'],
    notBy: ownRecord,
    from: ['paid', 'ready', 'fulfilled'],
    flags: [flag('free', false, 'This plan is free: nothing was paid.'), frozen],
  },
  /** An admin decides what the client did not answer for a week. */
  decideNoAnswer: {
    by: ['other'],
    notBy: ownRecord,
    from: ['ready'],
    flags: [
      nothingToDecide,
      flag('weekPassed', true, 'The client has a week from the day of the plan to answer.'),
      frozen,
    ],
  },
  confirm: {
    by: ['other'],
    notBy: ownRecord,
    from: ['fulfilled'],
    notFrom: {
      completed: 'This plan is already confirmed.',
      ...fromEach(
        ['requested', 'paid', 'accepted', 'ready'],
        'The client has not marked the plan as fulfilled yet.',
      ),
    },
    flags: [frozen],
  },
  review: {
    by: ['client'],
    notBy: 'Only the client writes the review.',
    from: ['completed'],
    notFrom: fromEach([...openStages, 'cancelled'], notices.reviewNotYet.title),
    flags: [flag('reviewSubmitted', false, problems.review_already_written.title)],
  },
} as const satisfies Record<StepName, Step>;
