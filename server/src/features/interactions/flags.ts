import { type ClockFlag, clockFlags, type StateFlag, type StepFlag } from '@tara/contract/interactions/steps';
import { noAnswerDays, objectionHours } from '@tara/contract/limits';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { hiddenName } from '../visibility/index.ts';
import { interactionLinks, interactions } from './tables.ts';

/** What flags read besides the request's own columns. */
type FlagSources = Record<'receiptId' | 'isDisputeAnswered' | 'hiddenClientName', SQLWrapper>;

const link = (column: SQLWrapper) => sql`(
  select ${column} from ${interactionLinks} where ${interactionLinks.interactionId} = ${interactions.id})`;

/** The sources where a statement has the request alone. */
const ownSources: FlagSources = {
  receiptId: link(interactionLinks.receiptId),
  isDisputeAnswered: link(interactionLinks.isDisputeAnswered),
  hiddenClientName: hiddenName(interactions.creatorId, interactions.clientId),
};

/** The flags that change by what somebody does (contract/src/interactions/steps.ts). */
export const stateFlags = (sources: FlagSources): Record<StateFlag, SQL.Aliased<boolean>> => ({
  haveConvoReceipt: sql<boolean>`(${sources.receiptId} is not null)`.as('have_convo_receipt'),
  cardDown: sql<boolean>`${interactions.cardDown}`.as('is_card_down'),
  reviewSubmitted: sql<boolean>`${interactions.reviewSubmitted}`.as('is_review_submitted'),
  frozen: sql<boolean>`(${interactions.frozenAt} is not null)`.as('is_frozen'),
  free: sql<boolean>`(${interactions.priceCentavos} = 0)`.as('is_free'),
  creatorMet: sql<boolean>`(${interactions.creatorMetAt} is not null)`.as('is_creator_met'),
  disputeAnswered: sql<boolean>`${sources.isDisputeAnswered}`.as('is_dispute_answered'),
  blocked: sql<boolean>`(${sources.hiddenClientName} is not null)`.as('is_blocked'),
});

/**
 * From when on a flag of the clock is true: so long after the time of a column; never where that is null. The rules of the
 * clock stand here alone.
 */
const clock: Record<ClockFlag, { since: SQLWrapper; hours: number }> = {
  timePassed: { since: interactions.meetsAt, hours: 0 },
  dayReached: { since: interactions.dayStartsAt, hours: 0 },
  weekPassed: { since: interactions.dayStartsAt, hours: noAnswerDays * 24 },
  withdrawalClosed: {
    since: sql`case when ${interactions.priceCentavos} > 0 and ${interactions.paidAt} is not null
      then ${interactions.dayStartsAt} end`,
    hours: 0,
  },
  objectionClosed: { since: interactions.userSetDoneAt, hours: objectionHours },
};

const hoursLong = (hours: number) => sql.raw(`interval '${hours} hours'`);

/** The time from which on a flag is true; null: never. */
export const flagTime = (name: ClockFlag): SQL<Date | null> =>
  sql`${clock[name].since} + ${hoursLong(clock[name].hours)}`.mapWith(interactions.createdAt);

/** Every `flagTime`, as columns. */
export const flagTimes = Object.fromEntries(
  clockFlags.map((name) => [name, flagTime(name).as(`${name}_at`)]),
) as Record<ClockFlag, SQL.Aliased<Date | null>>;

const isClockFlag = (name: StepFlag): name is ClockFlag => name in clock;

/** Whether a flag of a request has this value, as a condition; a flag of the clock by the index of its column. */
export function flagCondition(name: StepFlag, value: boolean): SQL {
  const isTrue = isClockFlag(name)
    ? sql`${clock[name].since} <= now() - ${hoursLong(clock[name].hours)}`
    : stateFlags(ownSources)[name].sql;
  return value ? isTrue : sql`(${isTrue}) is not true`;
}
