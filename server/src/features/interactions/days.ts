import { dayWithoutAgreementDays, timeZone } from '@tara/contract/limits';
import { and, eq, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Config } from '../../config.ts';
import type { Transaction } from '../../platform/database/connect.ts';
import { isOpen } from './conditions.ts';
import { interactions, meetingProposals } from './tables.ts';

export type DayConfig = Pick<Config, 'unpaidDays'>;

/** A number of days for SQL. */
export const days = (count: number) => sql`make_interval(days => ${count})`;

/** Midnight in Manila of the day that a time lies in. */
const midnight = (time: SQL) =>
  sql`date_trunc('day', (${time}) at time zone ${timeZone}) at time zone ${timeZone}`;

/** What follows from agreeing to a day now: when it begins, and until when it can be paid. */
export const agreedDay = ({ unpaidDays }: DayConfig, meetsAt: SQLWrapper) => ({
  dayStartsAt: midnight(sql`coalesce(${meetsAt}, now() + ${days(dayWithoutAgreementDays)})`),
  // The time to pay starts again, and ends when the plan begins.
  payUntil: sql`case when ${interactions.priceCentavos} > 0 then least(now() + ${days(unpaidDays)}, ${meetsAt}) end`,
});

/**
 * The time between two moments. Null without them, which overlaps nothing: a range between nulls would be all time.
 */
const timeBetween = (start: SQLWrapper, end: SQLWrapper) =>
  sql`case when ${start} is not null then tstzrange(${start}, ${end}) end`;

const booked = alias(interactions, 'booked');

/**
 * Whether another request holds a creator's time: the same as the exclusion constraint of migration 0076, which decides
 * in the end. This check comes early, for a better message. A request without a day is never in the way of another.
 * @param except which request does not count, being the same one.
 */
export const isBooked = (
  creatorId: SQLWrapper,
  { start, end }: { start: SQLWrapper; end: SQLWrapper },
  except: (request: typeof booked) => SQL,
) => sql`exists (
  select from ${interactions} as ${booked}
  where ${booked.creatorId} = ${creatorId} and ${booked.meetsAt} is not null
    and ${isOpen(booked)}
    and (${booked.acceptedAt} is not null or (${booked.paidAt} is not null and ${booked.priceCentavos} > 0))
    and tstzrange(${booked.meetsAt}, ${booked.meetsUntil}) && ${timeBetween(start, end)} and not (${except(booked)}))`;

/** Closes the proposal that waits for an answer, if one does: something else was agreed or proposed. */
export async function closeProposals(transaction: Transaction, interactionId: string): Promise<void> {
  await transaction
    .update(meetingProposals)
    .set({ answer: 'replaced', answeredAt: sql`now()` })
    .where(and(eq(meetingProposals.interactionId, interactionId), isNull(meetingProposals.answer)));
}

const written = new Intl.DateTimeFormat('en-PH', { timeZone, dateStyle: 'full', timeStyle: 'short' });

/** A day and place as notifications say them; empty where there is none. */
export const meetingDetails = ({
  meetsAt,
  place,
}: {
  meetsAt: Date | null;
  place?: string | undefined;
}): Record<string, string> => ({
  ...(meetsAt ? { day: written.format(meetsAt).replace(/\u202f/gu, ' ') } : {}),
  ...(place ? { place } : {}),
});
