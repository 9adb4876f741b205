/**
 * The state machine of a request (§4, decisions §1) as data. The server's conditions, the lists of Plan Manager and the
 * buttons are derived from these tables; a new stage is added here and in the generated column `interactions.stage`.
 */

/** Every stage, in the order of a request's life; a request is in exactly one. */
export const stages = [
  'requested',
  'paid',
  'accepted',
  'ready',
  'fulfilled',
  'completed',
  'cancelled',
] as const;
export type Stage = (typeof stages)[number];

/** The stages of a request that is neither completed nor cancelled. */
export const openStages = ['requested', 'paid', 'accepted', 'ready', 'fulfilled'] as const;

/** The flags of §3 from which the stage is computed. */
export interface StageFlags {
  paid: boolean;
  accepted: boolean;
  userSetDone: boolean;
  completed: boolean;
  cancelled: boolean;
}

/** The stage of a request: the same as the generated column `interactions.stage`. */
export function stageOf({ paid, accepted, userSetDone, completed, cancelled }: StageFlags): Stage {
  if (cancelled) return 'cancelled';
  if (completed) return 'completed';
  if (userSetDone) return 'fulfilled';
  if (accepted) return paid ? 'ready' : 'accepted';
  return paid ? 'paid' : 'requested';
}

/** The role of an account in a request; an admin who decides it is `other`. */
export type Party = 'client' | 'creator' | 'other';

/** The flags that a step reads besides the stage. */
type Flag = 'haveConvoReceipt' | 'cardDown' | 'reviewSubmitted';

/** One step: who may take it from which stages, and the reasons for refusing it otherwise. */
export interface Step {
  by: readonly Party[];
  /** The reason shown to any other party. */
  notBy: string;
  from: readonly Stage[];
  /** The reason shown in each of the other stages. */
  notFrom: Partial<Record<Stage, string>>;
  /** A flag that must have this value, and the reason shown when it does not. */
  flag?: { name: Flag; value: boolean; otherwise: string };
}

const cancelled = 'This request was cancelled.';
const completed = 'This plan is completed.';
const closed = { cancelled, completed };

const alreadyPaid = 'This request is already paid.';
const alreadyAccepted = 'This request is already accepted.';
const alreadyFulfilled = 'This plan is already fulfilled.';
const notWhenPaid = 'A paid request cannot be cancelled here.';
const notPaid = 'The request is not paid yet.';
const notFulfilled = 'The client has not marked the plan as fulfilled yet.';
const opensWhenPaid = 'The chat opens once the request is paid.';
const notOpen = 'The chat is not open yet.';
const notPossible = 'This is not possible now.';
const notConfirmed = 'Receipt is not confirm yet by admin';

/** Why an admin cannot decide about a request, plan, report or identity of their own (decisions §2). */
export const ownRecord = 'This is about you. Another admin has to decide it.';

/** Every step that a person takes. Reasons that §4 or §8 fix are quoted from there. */
export const steps = {
  pay: {
    by: ['client'],
    notBy: 'Only the client pays.',
    from: ['requested', 'accepted'],
    notFrom: { ...closed, paid: alreadyPaid, ready: alreadyPaid, fulfilled: alreadyPaid },
  },
  accept: {
    by: ['creator'],
    notBy: 'Only the creator accepts.',
    from: ['requested', 'paid'],
    notFrom: { ...closed, accepted: alreadyAccepted, ready: alreadyAccepted, fulfilled: alreadyAccepted },
  },
  cancel: {
    by: ['client', 'creator'],
    notBy: 'Only the client and the creator can cancel.',
    from: ['requested', 'accepted'],
    notFrom: { ...closed, paid: notWhenPaid, ready: notWhenPaid, fulfilled: alreadyFulfilled },
  },
  openReceipt: {
    by: ['client', 'creator'],
    notBy: 'Only the client and the creator can open this chat.',
    from: ['paid', 'ready', 'fulfilled', 'completed'],
    notFrom: { cancelled, requested: opensWhenPaid, accepted: opensWhenPaid },
    flag: { name: 'haveConvoReceipt', value: false, otherwise: 'The chat is already open.' },
  },
  sendMessage: {
    by: ['client', 'creator'],
    notBy: 'Only the client and the creator can write here.',
    from: ['paid', 'ready', 'fulfilled'],
    notFrom: { ...closed, requested: notOpen, accepted: notOpen },
    flag: { name: 'haveConvoReceipt', value: true, otherwise: notOpen },
  },
  putCardDown: {
    by: ['client', 'creator'],
    notBy: 'Only the client and the creator can do this.',
    from: openStages,
    notFrom: closed,
    flag: { name: 'cardDown', value: false, otherwise: 'The card is already below the chat.' },
  },
  fulfil: {
    by: ['client'],
    notBy: 'Only the client can mark the plan as fulfilled.',
    from: ['ready'],
    notFrom: {
      ...closed,
      requested: notPaid,
      accepted: notPaid,
      paid: 'The creator has not accepted yet.',
      fulfilled: 'You already marked the plan as fulfilled.',
    },
  },
  confirm: {
    by: ['other'],
    notBy: ownRecord,
    from: ['fulfilled'],
    notFrom: {
      cancelled,
      completed: 'This plan is already confirmed.',
      requested: notFulfilled,
      paid: notFulfilled,
      accepted: notFulfilled,
      ready: notFulfilled,
    },
  },
  review: {
    by: ['client'],
    notBy: 'Only the client writes the review.',
    from: ['completed'],
    notFrom: {
      requested: notConfirmed,
      paid: notConfirmed,
      accepted: notConfirmed,
      ready: notConfirmed,
      fulfilled: notConfirmed,
      cancelled: notConfirmed,
    },
    flag: {
      name: 'reviewSubmitted',
      value: false,
      otherwise: 'You already wrote a review for this plan.',
    },
  },
} as const satisfies Record<string, Step>;
export type StepName = keyof typeof steps;

/** The fields of a request that a verdict depends on. */
export type StepRecord = { stage: Stage } & Record<Flag, boolean>;

/** true, or the reason for refusing. Buttons show the reason, and the server enforces the same rule. */
export type Verdict = true | string;

/** Whether a party may take a step from the stage a request is in. */
export function verdictOf(step: Step, record: StepRecord, party: Party): Verdict {
  const notFrom = step.from.includes(record.stage) ? null : (step.notFrom[record.stage] ?? notPossible);
  // The reason for a closed request comes first, whoever the party is.
  if (notFrom !== null && !openStages.some((stage) => stage === record.stage)) return notFrom;
  if (!step.by.includes(party)) return step.notBy;
  if (notFrom !== null) return notFrom;
  if (step.flag && record[step.flag.name] !== step.flag.value) return step.flag.otherwise;
  return true;
}

/** One list of requests (§2, §4): the party its reader must be, and the stages it contains. */
interface ListRule {
  side: readonly Exclude<Party, 'other'>[];
  stages: readonly Stage[];
}

/**
 * The lists of Plan Manager and the history. The history also contains cancelled requests, because their refund may
 * still be under way.
 */
export const interactionLists = {
  friendRequest: { side: ['creator'], stages: ['requested', 'paid'] },
  yourRequest: { side: ['client'], stages: ['requested', 'paid'] },
  earn: { side: ['creator'], stages: ['accepted', 'ready'] },
  expense: { side: ['client'], stages: ['accepted', 'ready'] },
  history: { side: ['creator', 'client'], stages: ['fulfilled', 'completed', 'cancelled'] },
} as const satisfies Record<string, ListRule>;
export type InteractionListName = keyof typeof interactionLists;

/** The lists that Plan Manager shows side by side. */
export const managerLists = ['friendRequest', 'yourRequest', 'earn', 'expense'] as const;
export type ManagerList = (typeof managerLists)[number];

/** The list that contains a request for one of its parties; null for anybody else. */
export function listOf(stage: Stage, party: Party): InteractionListName | null {
  const names = Object.keys(interactionLists) as InteractionListName[];
  return (
    names.find((name) => {
      const rule: ListRule = interactionLists[name];
      return rule.stages.includes(stage) && rule.side.some((side) => side === party);
    }) ?? null
  );
}
