import { openStages, type Party, type Stage, type StepName, stepNames } from './stages.ts';
import { type Step, type StepFlag, steps, usualReasons } from './steps.ts';

/** What a verdict depends on. */
export type StepRecord = { stage: Stage } & Record<StepFlag, boolean>;

/** true, or the reason for refusing. */
export type Verdict = true | string;

/** Whether a party may take a step of a request. */
export function verdictOf(name: StepName, record: StepRecord, party: Party): Verdict {
  const step: Step = steps[name];
  const notFrom = step.from.includes(record.stage)
    ? null
    : (step.notFrom?.[record.stage] ?? usualReasons[record.stage]);
  // The reason for a closed request comes first, for either party.
  if (notFrom !== null && !openStages.some((stage) => stage === record.stage)) return notFrom;
  if (!step.by.includes(party)) return step.notBy;
  if (notFrom !== null) return notFrom;
  return step.flags?.find(({ name, value }) => record[name] !== value)?.otherwise ?? true;
}

/** What a party may do with a request: a verdict for each step. */
export const allVerdicts = (record: StepRecord, party: Party): Record<StepName, Verdict> =>
  Object.fromEntries(stepNames.map((name) => [name, verdictOf(name, record, party)])) as Record<
    StepName,
    Verdict
  >;
