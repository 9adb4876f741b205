import type { Interaction } from '@tara/contract/interactions/interactions';
import type { Party } from '@tara/contract/interactions/stages';
import { type ClockFlag, clockFlags } from '@tara/contract/interactions/steps';
import { allVerdicts } from '@tara/contract/interactions/verdicts';
import type { InteractionRow } from './read.ts';

type Possibilities = Pick<Interaction, 'can' | 'timePassed' | 'dayReached' | 'objectUntil'>;

/** What a party may do at a time, and the fields that depend on it. */
function possibilitiesAt(
  { request, state, flagTimes }: InteractionRow,
  party: Party,
  time: Date,
): Possibilities {
  const hasPassed = (name: ClockFlag) => {
    const since = flagTimes[name];
    return since !== null && since <= time;
  };
  const clock = Object.fromEntries(clockFlags.map((name) => [name, hasPassed(name)])) as Record<
    ClockFlag,
    boolean
  >;
  return {
    can: allVerdicts({ stage: request.stage, ...state, ...clock }, party),
    timePassed: clock.timePassed,
    dayReached: clock.dayReached,
    objectUntil: clock.objectionClosed ? null : (flagTimes.objectionClosed?.toISOString() ?? null),
  };
}

/** What a party may do with a request when it was read, and when that changes next. */
export function possibilities(
  row: InteractionRow,
  party: Party,
): Possibilities & Pick<Interaction, 'changesAt'> {
  const { flagTimes, readAt } = row;
  const now = possibilitiesAt(row, party, readAt);
  const text = JSON.stringify(now);
  const changesAt = clockFlags
    .flatMap((name) => flagTimes[name] ?? [])
    .filter((time) => time > readAt)
    .sort((a, b) => a.getTime() - b.getTime())
    .find((time) => JSON.stringify(possibilitiesAt(row, party, time)) !== text);
  return { ...now, changesAt: changesAt?.toISOString() ?? null };
}
