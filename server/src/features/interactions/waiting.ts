import type { Party, Stage } from '@tara/contract/interactions/stages';
import { type ClockFlag, clockFlags, steps } from '@tara/contract/interactions/steps';
import { type WaitingState, waitingFlags, waitingStates } from '@tara/contract/interactions/waiting';
import { and, eq, exists, inArray, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import { isOpen } from './conditions.ts';
import { flagCondition, flagTime } from './flags.ts';
import { interactions, meetingProposals } from './tables.ts';

type Side = Exclude<Party, 'other'>;
type Member = Pick<Viewer, 'profileId'>;

/** The open requests in some stages of which the member is this party: with an index for each party. */
const openSide = ({ profileId }: Member, side: Side, stages: readonly Stage[]): SQL | undefined =>
  and(
    eq(side === 'creator' ? interactions.creatorId : interactions.clientId, profileId),
    isOpen(),
    inArray(interactions.stage, [...stages]),
  );

/** A proposal of another day waits for an answer; `by`: of whom. */
const isProposed = (by: SQL) =>
  exists(
    sql`(select from ${meetingProposals} where ${meetingProposals.interactionId} = ${interactions.id}
      and ${isNull(meetingProposals.answer)} and ${by})`,
  );

const sideStates = (side: Side): readonly WaitingState[] => waitingStates[side];

const isClockFlag = (name: string): name is ClockFlag => clockFlags.some((flag) => flag === name);

/** `waitsFor` of the contract as a condition: the member's requests in these stages that wait for them as this party. */
export function waitingFor(member: Member, side: Side, stages: readonly Stage[]): SQL | undefined {
  const isOwn = eq(meetingProposals.proposedBy, member.profileId);
  const isOther = ne(meetingProposals.proposedBy, member.profileId);
  return and(
    openSide(member, side, stages),
    or(
      and(inArray(interactions.stage, [...steps.proposeDay.from]), isProposed(isOther)),
      ...sideStates(side).map(({ stages, flags = {}, untilProposed }) =>
        and(
          inArray(interactions.stage, [...stages]),
          ...waitingFlags.flatMap((name) => {
            const value = flags[name];
            return value === undefined ? [] : flagCondition(name, value);
          }),
          untilProposed ? not(isProposed(isOwn)) : undefined,
        ),
      ),
    ),
  );
}

/** When the first of the member's requests begins to wait for them by the clock alone; null: none does. */
export function waitingAt(member: Member): SQL<string | null> {
  const times = (['client', 'creator'] as const).flatMap((side) =>
    sideStates(side).flatMap(({ stages, flags = {} }) =>
      waitingFlags.flatMap((name) => {
        if (!isClockFlag(name) || flags[name] !== true) return [];
        const time = flagTime(name);
        return sql`select min(${time}) as time from ${interactions} where ${and(openSide(member, side, stages), sql`${time} > now()`)}`;
      }),
    ),
  );
  return sql`(select min(time) from (${sql.join(times, sql` union all `)}) as times)`;
}
