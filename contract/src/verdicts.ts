import { openStages, type Party, type Stage } from './stages.ts';
import { type Step, type StepFlag, type StepName, steps, usualReasons } from './steps.ts';

/** The fields of a request that a verdict depends on. */
export type StepRecord = { stage: Stage } & Record<StepFlag, boolean>;

/** true, or the reason for refusing. Buttons show the reason, and the server enforces the same rule. */
export type Verdict = true | string;

/** Whether a party may take a step from the stage a request is in. */
export function verdictOf(step: Step, record: StepRecord, party: Party): Verdict {
  const notFrom = step.from.includes(record.stage)
    ? null
    : (step.notFrom?.[record.stage] ?? usualReasons[record.stage]);
  // The reason for a closed request comes first, for either party.
  if (notFrom !== null && !openStages.some((stage) => stage === record.stage)) return notFrom;
  if (!step.by.includes(party)) return step.notBy;
  if (notFrom !== null) return notFrom;
  return step.flags?.find(({ name, value }) => record[name] !== value)?.otherwise ?? true;
}

/** Permission checks of the steps: each takes a request and a party and returns a verdict. */
export const interactionCan = Object.fromEntries(
  Object.entries(steps).map(([name, step]) => [
    name,
    (record: StepRecord, party: Party) => verdictOf(step, record, party),
  ]),
) as Record<StepName, (record: StepRecord, party: Party) => Verdict>;

/** The step by which a party ends a request, by its stage. */
export function endStep(
  { stage }: Pick<StepRecord, 'stage'>,
  party: Party,
): 'withdraw' | 'decline' | 'cancel' {
  if (party !== 'creator') return 'withdraw';
  return stage === 'requested' || stage === 'paid' ? 'decline' : 'cancel';
}
