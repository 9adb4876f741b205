import { nowDate } from '@tara/contract/clock';
import { findEvent, notificationEvents } from '@tara/contract/notifications/events';
import { notificationGroups } from '@tara/contract/notifications/groups';
import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { enqueueMail } from '../../platform/mail/queue.ts';
import { lockStored } from './choices.ts';
import { type DeliveryContext, isInDaily, isToMail } from './deliver.ts';
import { heldUntil } from './hold.ts';
import { composeNotification, composeSummary, type SummaryItem, type SummaryKind } from './mails.ts';
import { presentTexts } from './present.ts';
import { getsPushes } from './push.ts';
import { beginHeldPushes } from './push-held.ts';
import { readRecipient } from './recipient.ts';
import { notifications } from './tables.ts';
import { enqueueHeld, hold, isHeld, lockUndelivered, markDelivered } from './undelivered.ts';

/** The events that only the daily email has. */
const dailyEvents = Object.entries(notificationEvents)
  .filter(([, { urgency, channels }]) => urgency === 'normal' && channels.email)
  .map(([name]) => name);

/** Notifications that are looked at for one email: of more the newest. */
const batchSize = 200;

/** Which undelivered notifications of a member an email of this kind can have. */
const isWaiting = (profileId: string, kind: SummaryKind) =>
  kind === 'held'
    ? and(isHeld(profileId, 'email'), lte(notifications.mailHeldUntil, sql`now()`))
    : and(
        eq(notifications.profileId, profileId),
        isNull(notifications.mailHeldUntil),
        inArray(notifications.event, dailyEvents),
      );

/** Mails a member what they did not see since the last daily email. Run twice it changes nothing. */
export const mailDaily = (context: DeliveryContext, profileId: string): Promise<void> =>
  mailSummary(context, profileId, 'daily');

/**
 * Delivers to a member what quiet hours or a pause held up until now: by one push, and by one email, which waits a few minutes
 * longer for what is pushed, and has what no device took. Run twice it changes nothing.
 */
export async function deliverHeld(context: DeliveryContext, profileId: string): Promise<void> {
  const { config, database } = context;
  await database.transaction(async (transaction) => {
    const ids = await beginHeldPushes(transaction, profileId);
    const minutes = config.notificationMailMinutes;
    await transaction
      .update(notifications)
      .set({ mailHeldUntil: sql`now() + ${minutes} * interval '1 minute'` })
      .where(and(isWaiting(profileId, 'held'), inArray(notifications.id, ids)));
  });
  await mailSummary(context, profileId, 'held');
  await database.transaction((transaction) => enqueueHeld(transaction, profileId));
}

async function mailSummary(context: DeliveryContext, profileId: string, kind: SummaryKind): Promise<void> {
  const now = nowDate();
  await context.database.transaction(async (transaction) => {
    const settings = await lockStored(transaction, profileId);
    const rows = await lockUndelivered(transaction, isWaiting(profileId, kind), batchSize);
    const [newest] = rows;
    if (newest === undefined) return;
    const actorIds = rows.map(({ notification: { actorId } }) => actorId);
    const recipient = await readRecipient(transaction, profileId, actorIds);
    const isPushed = await getsPushes(transaction, profileId);
    const due: (SummaryItem & { id: string })[] = [];
    const held: { id: string; until: Date }[] = [];
    for (const row of rows) {
      const { id, event: name } = row.notification;
      const event = findEvent(name);
      if (recipient === null || event === undefined) continue;
      if (event.urgency === 'normal' && !isInDaily(settings, event)) continue;
      // Who gets pushes has no daily email, but for what must arrive and no device took.
      const mustArrive = !notificationGroups[event.group].canSwitchOff && row.notification.pushedAt === null;
      if (event.urgency === 'normal' && isPushed && !mustArrive) continue;
      if (!isToMail(row, { recipient, settings })) continue;
      const until = heldUntil(settings, event, now);
      const texts = presentTexts(row, recipient.name);
      if (until !== null) held.push({ id, until });
      else if (texts !== null) due.push({ id, group: event.group, inApp: row.notification.inApp, texts });
    }
    await hold(transaction, { profileId, way: 'email', items: held });
    const heldIds = new Set(held.map(({ id }) => id));
    const done = rows.map(({ notification }) => notification.id).filter((id) => !heldIds.has(id));
    await markDelivered(
      transaction,
      held.length === 0 && rows.length === batchSize
        ? and(isWaiting(profileId, kind), lte(notifications.createdAt, newest.notification.createdAt))
        : inArray(notifications.id, done),
    );
    const [only] = due;
    if (recipient === null || recipient.email === null || only === undefined) return;
    const { id, ...item } = only;
    // What was held alone comes as it would have come.
    const mail =
      kind === 'held' && due.length === 1
        ? { ...composeNotification(context, recipient.email, recipient, item), id }
        : composeSummary(context, recipient.email, recipient, {
            ...{ kind, items: due, hasMore: rows.length === batchSize },
          });
    await enqueueMail(transaction, context.sealer, mail, { priority: 'bulk' });
  });
}
