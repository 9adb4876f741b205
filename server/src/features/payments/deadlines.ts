import { reminderDays, timeZone, unansweredDays } from '@tara/contract/limits';
import { isDefiniteRefusal, isOutcomeUnknown } from '@tara/paymongo';
import { and, eq, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { tasks } from '../../platform/tasks.ts';
import {
  announceInteraction,
  interactions,
  isOpen,
  lockCreator,
  paidCentavos,
} from '../interactions/index.ts';
import { notices, notify } from '../notices/index.ts';
import { checkLink } from './links.ts';
import type { PaymentContext } from './provider.ts';
import { oweRefund } from './refunds.ts';

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
 * Ends the requests whose time is over, and reminds clients to say how it was. Run every minute; nobody has to act.
 * A payment that crosses with the end goes back by itself (`capture.ts`).
 */
export async function workDeadlines(context: PaymentContext): Promise<void> {
  for (const { id, linkId } of await due(context, isUnpaid)) {
    try {
      // It may have been paid in time without our knowing.
      if (linkId !== null) await checkLink(context, id);
    } catch (error) {
      context.log.warn(
        { err: error, interactionId: id },
        'an unpaid request could not be checked before its end',
      );
      // They expire once the provider answers again: until then nobody can pay anyway.
      if (isOutcomeUnknown(error)) break;
      // It may have been paid unless the provider refuses this very link, as one that it does not know.
      if (!isDefiniteRefusal(error)) continue;
    }
    await expire(context, id);
  }
  for (const { id } of await due(context, isUnanswered)) await expire(context, id);
  await remind(context);
}

const due = ({ database }: PaymentContext, condition: SQL | undefined) =>
  database
    .select({ id: interactions.id, linkId: interactions.linkId })
    .from(interactions)
    .where(condition)
    .limit(batchSize);

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

/** Asks clients who did not say how it was: on each of `reminderDays`, once, also when that day was missed. */
async function remind({ database }: PaymentContext): Promise<void> {
  for (const [index, day] of reminderDays.entries()) {
    const next = reminderDays[index + 1];
    // A day that was moved is another occasion.
    const occasion = sql<string>`${`day-${day}`} || '-' ||
      to_char(${interactions.dayStartsAt} at time zone ${timeZone}, 'YYYY-MM-DD')`;
    const rows = await database
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
          sql`not exists (select from ${notices} where ${notices.interactionId} = ${interactions.id}
            and ${notices.event} = 'reminder' and ${notices.occasion} = ${occasion})`,
        ),
      )
      .limit(batchSize);
    for (const { id, occasion } of rows)
      await database.transaction((transaction) =>
        notify(transaction, { event: 'reminder', interactionId: id, to: ['client'], occasion }),
      );
  }
}
