import { findEvent, notificationEvents } from '@tara/contract/notifications/events';
import { and, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm';
import { enqueueMail } from '../../platform/mail/queue.ts';
import { readStored } from './choices.ts';
import { type DeliveryContext, isInDaily, isToMail } from './deliver.ts';
import { heldUntil } from './hold.ts';
import { composeNotification, composeSummary, type MailedItem, type SummaryKind } from './mails.ts';
import { presentTexts } from './present.ts';
import { getsPushes } from './push.ts';
import { readReader } from './readers.ts';
import { notifications } from './tables.ts';
import { hold, lockUndelivered, markDelivered } from './undelivered.ts';

/** The events that only the daily email has. */
const dailyEvents = Object.entries(notificationEvents)
  .filter(([, { urgency, channels }]) => urgency === 'normal' && channels.email)
  .map(([name]) => name);

/** Notifications that are looked at for one email: of more the newest. */
const batchSize = 200;

/** Which undelivered notifications of a member an email of this kind can have. */
const isWaiting = (profileId: string, kind: SummaryKind) =>
  and(
    eq(notifications.profileId, profileId),
    kind === 'held'
      ? isNotNull(notifications.heldUntil)
      : and(isNull(notifications.heldUntil), inArray(notifications.event, dailyEvents)),
  );

/** Mails a member what they did not see since the last daily email. Run twice it changes nothing. */
export const mailDaily = (context: DeliveryContext, profileId: string): Promise<void> =>
  mailSummary(context, profileId, 'daily');

/** Mails a member what quiet hours or a pause held up, in one email. Run twice it changes nothing. */
export const mailHeld = (context: DeliveryContext, profileId: string): Promise<void> =>
  mailSummary(context, profileId, 'held');

async function mailSummary(context: DeliveryContext, profileId: string, kind: SummaryKind): Promise<void> {
  const now = new Date();
  await context.database.transaction(async (transaction) => {
    const rows = await lockUndelivered(transaction, isWaiting(profileId, kind), batchSize);
    const [newest] = rows;
    if (newest === undefined) return;
    const settings = await readStored(transaction, profileId);
    const reader = await readReader(transaction, profileId, rows);
    const hasDaily = settings.dailyEmail && !(await getsPushes(transaction, profileId));
    const due: (MailedItem & { id: string })[] = [];
    const held: { id: string; until: Date }[] = [];
    for (const row of rows) {
      const { id, event: name } = row.notification;
      const event = findEvent(name);
      if (reader === null || event === undefined) continue;
      if (event.urgency === 'normal' && !(hasDaily && isInDaily(settings, event))) continue;
      if (!(await isToMail(transaction, row, { reader, settings }))) continue;
      const until = heldUntil(settings, event, now);
      const texts = presentTexts(row, reader.name);
      if (until !== null) held.push({ id, until });
      else if (texts !== null) due.push({ id, group: event.group, texts });
    }
    for (const [time, items] of Map.groupBy(held, ({ until }) => until.getTime()))
      await hold(
        transaction,
        profileId,
        items.map(({ id }) => id),
        new Date(time),
      );
    const heldIds = new Set(held.map(({ id }) => id));
    const done = rows.map(({ notification }) => notification.id).filter((id) => !heldIds.has(id));
    await markDelivered(
      transaction,
      held.length === 0
        ? and(isWaiting(profileId, kind), lte(notifications.createdAt, newest.notification.createdAt))
        : inArray(notifications.id, done),
    );
    const [only] = due;
    if (reader === null || reader.email === null || only === undefined) return;
    const { id, ...item } = only;
    // What was held alone comes as it would have come.
    const mail =
      kind === 'held' && due.length === 1
        ? { ...composeNotification(context, reader.email, reader, item), id }
        : composeSummary(context, reader.email, reader, { kind, items: due });
    await enqueueMail(transaction, context.sealer, mail);
  });
}
