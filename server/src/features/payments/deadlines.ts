import { reminderDays, timeZone, unansweredDays } from '@tara/contract/limits';
import { isDefiniteRefusal } from '@tara/paymongo';
import { and, eq, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import { tasks } from '../../platform/tasks.ts';
import {
  announceInteraction,
  interactions,
  isOpen,
  lockCreator,
  meetingDetails,
  paidCentavos,
} from '../interactions/index.ts';
import { notifications, notify } from '../notifications/index.ts';
import { oweRefund } from './disbursements.ts';
import { checkLink } from './links.ts';
import { isAway, type PaymentContext, pauseAfter } from './provider.ts';

type DeadlineContext = PaymentContext & Pick<JobHelpers, 'signal'>;

/** Requests of each kind in one round; the rest has its turn in the next minute. */
const batchSize = 200;

const ago = (days: number) => sql`now() - make_interval(days => ${days})`;

/** Not paid in time: `UNPAID_DAYS` after it was sent, or accepted, and never after its day began. */
const isUnpaid = and(isOpen(), isNull(interactions.paidAt), lte(interactions.payUntil, sql`now()`));
/** Paid, or free, and not accepted for a week. What an admin or the card issuer decides has no deadline. */
const isUnanswered = and(
  isOpen(),
  isNull(interactions.acceptedAt),
  isNull(interactions.disputedAt),
  isNull(interactions.frozenAt),
  lte(interactions.paidAt, ago(unansweredDays)),
);

/**
 * Ends the requests whose time is over, and reminds of meetings: both parties a day before, clients afterwards to say how it was. Run every minute; nobody has to act.
 * A payment that crosses with the end goes back by itself (`capture.ts`).
 * @throws the 429 of a provider that was to say whether a request is paid, when all else is done
 */
export async function workDeadlines(context: DeadlineContext): Promise<void> {
  let refusal: unknown = null;
  await workItems(context, {
    name: 'payments.deadlines/unpaid',
    select: (isDue) => due(context, isUnpaid, interactions.payUntil, isDue),
    id: ({ id }) => id,
    work: ({ id }) =>
      endUnpaid(context, id).catch((error: unknown) => {
        if (pauseAfter(error) !== null) refusal = error;
        throw error;
      }),
    // They end once the provider answers again: until then nobody can pay anyway.
    isOutage: isAway,
  });
  await workItems(context, {
    name: 'payments.deadlines/unanswered',
    select: (isDue) => due(context, isUnanswered, interactions.paidAt, isDue),
    id: ({ id }) => id,
    work: ({ id }) => expire(context, id),
  });
  await announceMeetings(context);
  for (const index of reminderDays.keys()) await remind(context, index);
  if (refusal !== null) throw refusal;
}

const due = (
  { database }: PaymentContext,
  condition: SQL | undefined,
  since: PgColumn,
  isDue: (id: PgColumn) => SQL,
) =>
  database
    .select({ id: interactions.id })
    .from(interactions)
    .where(and(condition, isDue(interactions.id)))
    .orderBy(since)
    .limit(batchSize);

/** Ends a request that nobody paid, once the provider says so: it may have been paid in time without our knowing. */
async function endUnpaid(context: PaymentContext, id: string): Promise<void> {
  try {
    await checkLink(context, id);
  } catch (error) {
    // One that the provider does not know cannot have been paid.
    if (!isDefiniteRefusal(error)) throw error;
    context.log.warn(
      { err: error, interactionId: id },
      'an unpaid request could not be checked before its end',
    );
  }
  await expire(context, id);
}

/** Ends one request, if its time is still over at the moment of the update. */
async function expire(context: PaymentContext, id: string): Promise<void> {
  const expired = await context.database.transaction(async (transaction) => {
    await lockCreator(transaction, eq(interactions.id, id));
    const [request] = await transaction
      .update(interactions)
      .set({
        cancelledAt: sql`now()`,
        cancelReason: sql`case when ${interactions.paidAt} is null then 'unpaid' else 'unanswered' end`,
        refundCentavos: paidCentavos,
        updatedAt: sql`now()`,
      })
      .where(and(eq(interactions.id, id), or(isUnpaid, isUnanswered)))
      .returning();
    if (!request) return false;
    if (request.refundCentavos > 0) await oweRefund(transaction, request, request.refundCentavos);
    else await tasks.archivePaymentLink.enqueue(transaction, { interactionId: id });
    await notify(transaction, {
      event: 'cancelled',
      interactionId: id,
      to: ['client', 'creator'],
      details: { reason: request.cancelReason ?? '' },
    });
    return true;
  });
  if (expired) await announceInteraction(context, id);
}

/**
 * Reminds both parties a day before they meet, once for each day that they agree on; not of what they agreed on within that
 * day.
 */
async function announceMeetings(context: DeadlineContext): Promise<void> {
  const { database } = context;
  const occasion = sql<string>`to_char(${interactions.meetsAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI')`;
  const dayBefore = sql`${interactions.meetsAt} - interval '1 day'`;
  await workItems(context, {
    name: 'payments.deadlines/upcoming',
    select: (isDue) =>
      database
        .select({
          id: interactions.id,
          meetsAt: interactions.meetsAt,
          place: interactions.place,
          occasion,
        })
        .from(interactions)
        .where(
          and(
            isOpen(),
            isNull(interactions.userSetDoneAt),
            isNull(interactions.disputedAt),
            isNull(interactions.frozenAt),
            lte(interactions.paidAt, dayBefore),
            lte(interactions.acceptedAt, dayBefore),
            // The index is on the beginning of the day.
            sql`${interactions.dayStartsAt} > now() - interval '2 days'`,
            sql`${interactions.dayStartsAt} < now() + interval '1 day'`,
            sql`${interactions.meetsAt} > now()`,
            sql`${interactions.meetsAt} <= now() + interval '1 day'`,
            sql`not exists (select from ${notifications} where ${notifications.interactionId} = ${interactions.id}
              and ${notifications.event} = 'upcoming' and ${notifications.occasion} = ${occasion})`,
            isDue(interactions.id),
          ),
        )
        .orderBy(interactions.dayStartsAt)
        .limit(batchSize),
    id: ({ id }) => id,
    work: ({ id, occasion, ...day }) =>
      database.transaction((transaction) =>
        notify(transaction, {
          ...{ event: 'upcoming', interactionId: id, to: ['client', 'creator'], occasion },
          details: meetingDetails(day),
        }),
      ),
  });
}

/**
 * Asks clients who did not say how it was: on each of `reminderDays`, once, also when that day was missed.
 * @param index of the day.
 */
async function remind(context: DeadlineContext, index: number): Promise<void> {
  const { database } = context;
  const [day = 0, next] = reminderDays.slice(index);
  // A day that was moved is another occasion.
  const occasion = sql<string>`${`day-${day}`} || '-' ||
    to_char(${interactions.dayStartsAt} at time zone ${timeZone}, 'YYYY-MM-DD')`;
  await workItems(context, {
    name: `payments.deadlines/reminder-${day}`,
    select: (isDue) =>
      database
        .select({ id: interactions.id, occasion })
        .from(interactions)
        .where(
          and(
            isOpen(),
            isNull(interactions.userSetDoneAt),
            isNull(interactions.disputedAt),
            isNull(interactions.frozenAt),
            isNotNull(interactions.paidAt),
            isNotNull(interactions.acceptedAt),
            lte(interactions.dayStartsAt, ago(day)),
            next === undefined ? undefined : sql`${interactions.dayStartsAt} > ${ago(next)}`,
            sql`not exists (select from ${notifications} where ${notifications.interactionId} = ${interactions.id}
              and ${notifications.event} = 'reminder' and ${notifications.occasion} = ${occasion})`,
            isDue(interactions.id),
          ),
        )
        .orderBy(interactions.dayStartsAt)
        .limit(batchSize),
    id: ({ id }) => id,
    work: ({ id, occasion }) =>
      database.transaction((transaction) =>
        notify(transaction, { event: 'reminder', interactionId: id, to: ['client'], occasion }),
      ),
  });
}
