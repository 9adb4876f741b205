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

/** What the stage is computed from: the states of §3. */
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

/** Which side of a request an account is; an admin who decides about it is on no side. */
export type Party = 'client' | 'creator' | 'other';

/** Which of a request's flags beside the stage a step reads. */
type Flag = 'haveConvoReceipt' | 'cardDown' | 'reviewSubmitted';

/** One step: who takes it from which stages, and the sentence for everybody and everything else. */
export interface Step {
  by: readonly Party[];
  /** Why anybody else cannot take it. */
  notBy: string;
  from: readonly Stage[];
  /** Why it cannot be taken from each of the other stages. */
  notFrom: Partial<Record<Stage, string>>;
  /** A flag that must have this value, and why the step cannot be taken when it has not. */
  flag?: { name: Flag; value: boolean; otherwise: string };
}

const cancelled = 'This request was cancelled.';
const completed = 'This plan is completed.';
const over = { cancelled, completed };

const alreadyPaid = 'This request is already paid.';
const alreadyAccepted = 'This request is already accepted.';
const alreadyFulfilled = 'This plan is already fulfilled.';
const paidStays = 'A paid request cannot be cancelled here.';
const notPaid = 'The request is not paid yet.';
const notFulfilled = 'The client has not said that the plan is fulfilled.';
const opensWhenPaid = 'The chat opens once the request is paid.';
const notOpen = 'The chat is not open yet.';
const notPossible = 'This is not possible now.';
const notConfirmed = 'Receipt is not confirm yet by admin';

/** Why an admin cannot decide about a request, plan, report or identity of their own (decisions §2). */
export const ownRecord = 'This is about you. Another admin has to decide it.';

/** Every step that a person takes. Messages of §4 and §8 are quoted. */
export const steps = {
  pay: {
    by: ['client'],
    notBy: 'Only the client pays.',
    from: ['requested', 'accepted'],
    notFrom: { ...over, paid: alreadyPaid, ready: alreadyPaid, fulfilled: alreadyPaid },
  },
  accept: {
    by: ['creator'],
    notBy: 'Only the creator accepts.',
    from: ['requested', 'paid'],
    notFrom: { ...over, accepted: alreadyAccepted, ready: alreadyAccepted, fulfilled: alreadyAccepted },
  },
  cancel: {
    by: ['client', 'creator'],
    notBy: 'Only the two of you can cancel.',
    from: ['requested', 'accepted'],
    notFrom: { ...over, paid: paidStays, ready: paidStays, fulfilled: alreadyFulfilled },
  },
  openReceipt: {
    by: ['client', 'creator'],
    notBy: 'Only the two of you can open this chat.',
    from: ['paid', 'ready', 'fulfilled', 'completed'],
    notFrom: { cancelled, requested: opensWhenPaid, accepted: opensWhenPaid },
    flag: { name: 'haveConvoReceipt', value: false, otherwise: 'The chat is already open.' },
  },
  sendMessage: {
    by: ['client', 'creator'],
    notBy: 'Only the two of you can write here.',
    from: ['paid', 'ready', 'fulfilled'],
    notFrom: { ...over, requested: notOpen, accepted: notOpen },
    flag: { name: 'haveConvoReceipt', value: true, otherwise: notOpen },
  },
  putCardDown: {
    by: ['client', 'creator'],
    notBy: 'Only the two of you can do this.',
    from: openStages,
    notFrom: over,
    flag: { name: 'cardDown', value: false, otherwise: 'The card is already down.' },
  },
  fulfil: {
    by: ['client'],
    notBy: 'Only the client can say that the plan is fulfilled.',
    from: ['ready'],
    notFrom: {
      ...over,
      requested: notPaid,
      accepted: notPaid,
      paid: 'The creator has not accepted yet.',
      fulfilled: 'You already said that the plan is fulfilled.',
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

/** What a verdict reads of a request. */
export type StepRecord = { stage: Stage } & Record<Flag, boolean>;

/** true, or the sentence that says why not; buttons show it, the server enforces the same row. */
export type Verdict = true | string;

/** Whether a party may take a step from the stage a request is in. */
export function verdictOf(step: Step, record: StepRecord, party: Party): Verdict {
  const notFrom = step.from.includes(record.stage) ? null : (step.notFrom[record.stage] ?? notPossible);
  // What is over is over for everybody: that is said before who may.
  if (notFrom !== null && !openStages.some((stage) => stage === record.stage)) return notFrom;
  if (!step.by.includes(party)) return step.notBy;
  if (notFrom !== null) return notFrom;
  if (step.flag && record[step.flag.name] !== step.flag.value) return step.flag.otherwise;
  return true;
}

/** One list of requests (§2, §4): on which side its reader stands, and the stages it holds. */
interface ListRule {
  side: readonly Exclude<Party, 'other'>[];
  stages: readonly Stage[];
}

/**
 * The lists of Plan Manager and the history. The history also holds what was cancelled, since its money may still be on
 * the way back.
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

/** The list a request stands in for one of its parties; null for anybody else. */
export function listOf(stage: Stage, party: Party): InteractionListName | null {
  const names = Object.keys(interactionLists) as InteractionListName[];
  return (
    names.find((name) => {
      const rule: ListRule = interactionLists[name];
      return rule.stages.includes(stage) && rule.side.some((side) => side === party);
    }) ?? null
  );
}
