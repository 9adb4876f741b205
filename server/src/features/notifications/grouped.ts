import { nowDate, nowMs } from '@tara/contract/clock';
import { readNotificationDays } from '@tara/contract/limits';
import { type MemberEventName, notificationEvents } from '@tara/contract/notifications/events';
import { and, desc, eq, inArray, isNotNull, isNull, ne } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { announceChange } from './announce.ts';
import { isChosen, readStored } from './choices.ts';
import { notifications } from './tables.ts';

const dayMs = 24 * 3_600_000;

/** The events of which one notification stands for all who did the same, with the job that brings it up to date. */
const groupedEvents = {
  postLiked: tasks.notifyPostLikes,
  reviewLiked: tasks.notifyReviewLikes,
} as const satisfies Partial<Record<MemberEventName, unknown>>;

export const groupedEventNames = Object.keys(groupedEvents) as [keyof typeof groupedEvents];

/**
 * Has the notifications that name a member for several brought up to date, because that member is hidden from those who have
 * them, or can use Tara no more: another of them is named from then on.
 * @param profileId whose notifications; everybody's unless given.
 */
export async function renameGroups(
  transaction: Transaction,
  { actorId, profileId }: { actorId: string; profileId?: string },
): Promise<void> {
  const named = await transaction
    .select({ event: notifications.event, recordId: notifications.recordId })
    .from(notifications)
    .where(
      and(
        eq(notifications.actorId, actorId),
        inArray(notifications.event, groupedEventNames),
        isNull(notifications.readAt),
        profileId === undefined ? undefined : eq(notifications.profileId, profileId),
      ),
    );
  for (const name of groupedEventNames) {
    const records = named.filter(({ event }) => event === name).map(({ recordId }) => ({ recordId }));
    await groupedEvents[name].enqueueMany(transaction, records, { runAt: nowDate(), keepsTime: true });
  }
}

/** Of which record a member is notified once for all who did the same, such as the likes of a post. */
interface Group {
  event: MemberEventName;
  profileId: string;
  recordId: string;
}

/** Who did it last and when, and how many others did since the member last read of it. */
interface Newest {
  actorId: string;
  at: Date;
  others: number;
}

/**
 * Brings a member's one unread notification of a record to what others did since the member read of it before: it is
 * written, changed or, where nothing is left, deleted. Repeating it changes nothing.
 * @param readNewest what was done after that time.
 */
export async function notifyGroup(
  transaction: Transaction,
  { bus }: Pick<Platform, 'bus'>,
  { event, profileId, recordId }: Group,
  readNewest: (since: Date) => Promise<Newest | null>,
): Promise<void> {
  const isInGroup = and(
    eq(notifications.profileId, profileId),
    eq(notifications.event, event),
    eq(notifications.recordId, recordId),
    // As the index has them.
    ne(notifications.recordId, ''),
  );
  const [unread] = await transaction
    .select()
    .from(notifications)
    .where(and(isInGroup, isNull(notifications.readAt)))
    .for('update');
  // A notification is as old as the newest of what it says.
  const [read] = await transaction
    .select({ createdAt: notifications.createdAt })
    .from(notifications)
    .where(and(isInGroup, isNotNull(notifications.readAt)))
    .orderBy(desc(notifications.createdAt))
    .limit(1);
  // What was read longer ago is deleted: nobody is notified of it again, whatever is added to the notification.
  const floor = new Date(nowMs() - readNotificationDays * dayMs);
  const since = unread?.details.since ? new Date(unread.details.since) : (read?.createdAt ?? floor);
  const newest = await readNewest(since);
  if (newest === null) {
    if (unread === undefined) return;
    await transaction.delete(notifications).where(eq(notifications.id, unread.id));
    return announceChange(transaction, { bus }, [profileId]);
  }
  const { actorId, at, others } = newest;
  const content = { actorId, createdAt: at, details: { others: String(others), since: since.toISOString() } };
  if (unread?.actorId === actorId && unread.createdAt.getTime() === at.getTime()) {
    if (unread.details.others === content.details.others) return;
  }
  const { group: groupName, channels } = notificationEvents[event];
  const settings = await readStored(transaction, profileId);
  const [written] = unread
    ? await transaction
        .update(notifications)
        .set(content)
        .where(eq(notifications.id, unread.id))
        .returning({ id: notifications.id })
    : await transaction
        .insert(notifications)
        .values({
          ...{ profileId, event, groupName, recordId, occasion: at.toISOString() },
          inApp: channels.inApp && isChosen(settings, groupName, 'inApp'),
          ...content,
        })
        .onConflictDoNothing()
        .returning({ id: notifications.id });
  if (written) await tasks.deliverNotifications.enqueue(transaction, { ids: [written.id] });
}
