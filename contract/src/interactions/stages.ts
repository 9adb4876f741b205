/**
 * The stages of a request (§4, decisions §1), its lists by stage, and the names of its steps, as data; `steps.ts` says
 * what leads from one to another. CONTRIBUTING.md lists what a new stage needs.
 */

/** The stages of a request that is neither completed nor cancelled, in the order of its life. */
export const openStages = ['requested', 'paid', 'accepted', 'ready', 'fulfilled', 'disputed'] as const;

/** Every stage; a request is in exactly one. */
export const stages = [...openStages, 'completed', 'cancelled'] as const;
export type Stage = (typeof stages)[number];

/** The flags of §3 from which the stage is computed. */
export type StageFlags = Record<
  'paid' | 'accepted' | 'userSetDone' | 'disputed' | 'completed' | 'cancelled',
  boolean
>;

/** The stage of a request: the same as the generated column `interactions.stage`. */
export function stageOf(request: StageFlags): Stage {
  const { paid, accepted, userSetDone, disputed, completed, cancelled } = request;
  if (cancelled) return 'cancelled';
  if (completed) return 'completed';
  if (disputed) return 'disputed';
  if (userSetDone) return 'fulfilled';
  if (accepted) return paid ? 'ready' : 'accepted';
  return paid ? 'paid' : 'requested';
}

/** The role of an account in a request; an admin who decides it is `other`. */
export type Party = 'client' | 'creator' | 'other';

/** The steps that people take; `steps.ts` says who may, and when. */
export const stepNames = [
  'pay',
  'accept',
  'proposeDay',
  'withdraw',
  'decline',
  'cancel',
  'openReceipt',
  'sendMessage',
  'putCardDown',
  'fulfil',
  'sayMet',
  'dispute',
  'answerDispute',
  'decideDispute',
  'refund',
  'decideNoAnswer',
  'confirm',
  'review',
] as const;
export type StepName = (typeof stepNames)[number];

/** The step by which a party ends a request, by its stage. */
export function endStep(stage: Stage, party: Party): 'withdraw' | 'decline' | 'cancel' {
  if (party !== 'creator') return 'withdraw';
  return stage === 'requested' || stage === 'paid' ? 'decline' : 'cancel';
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
  history: { side: ['creator', 'client'], stages: ['fulfilled', 'disputed', 'completed', 'cancelled'] },
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
