import type { Interaction } from './interactions.ts';
import type { Party, Stage, StepName } from './stages.ts';

/**
 * When a request waits for one of its two parties, as data: the server derives from it what it counts, the web what it shows
 * first. It waits for who can do what leads on: answer, pay, choose another day, say that they met.
 */

/** The flags of steps by which a request begins or ceases to wait. */
export const waitingFlags = ['timePassed', 'dayReached', 'creatorMet', 'disputeAnswered'] as const;
export type WaitingFlag = (typeof waitingFlags)[number];

/** A state in which a request waits for a party. */
export interface WaitingState {
  stages: readonly Stage[];
  flags?: Partial<Record<WaitingFlag, boolean>>;
  /** Not while the other party has to answer another day that this one proposed. */
  untilProposed?: true;
  /** What it waits for: one of these at least is possible. */
  steps: readonly StepName[];
}

/** The states in which a request waits for each party, beside a proposal of the other one, which waits for an answer. */
export const waitingStates = {
  client: [
    { stages: ['requested', 'accepted'], untilProposed: true, steps: ['pay', 'proposeDay'] },
    // The creator can only accept a day that is ahead.
    { stages: ['paid'], flags: { timePassed: true }, untilProposed: true, steps: ['proposeDay'] },
    { stages: ['ready'], flags: { dayReached: true }, steps: ['fulfil', 'dispute'] },
  ],
  creator: [
    { stages: ['requested', 'paid'], untilProposed: true, steps: ['accept', 'proposeDay', 'decline'] },
    { stages: ['ready'], flags: { dayReached: true, creatorMet: false }, steps: ['sayMet'] },
    { stages: ['disputed'], flags: { disputeAnswered: false }, steps: ['answerDispute'] },
  ],
} as const satisfies Record<Exclude<Party, 'other'>, readonly WaitingState[]>;

/** What decides whether a request waits, as it is presented to a party. */
type WaitingRequest = Pick<
  Interaction,
  'stage' | 'timePassed' | 'dayReached' | 'creatorMet' | 'proposal' | 'can'
>;

/** Whether a request, as one of its parties sees it, waits for them to do something. */
export function waitsFor(request: WaitingRequest, party: Party): boolean {
  if (party === 'other') return false;
  const { stage, proposal, timePassed, dayReached, creatorMet, can } = request;
  if (proposal !== null && proposal.by !== party) return true;
  const record = { timePassed, dayReached, creatorMet, disputeAnswered: can.answerDispute !== true };
  const states: readonly WaitingState[] = waitingStates[party];
  return states.some(
    ({ stages, flags = {}, untilProposed }) =>
      stages.includes(stage) &&
      !(untilProposed && proposal) &&
      waitingFlags.every((name) => flags[name] === undefined || flags[name] === record[name]),
  );
}
