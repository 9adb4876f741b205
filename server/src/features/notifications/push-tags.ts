import { and, desc, eq, gt, inArray, isNotNull, isNull, not, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { chatEntries } from '../messages/index.ts';
import { notifications } from './tables.ts';

/** What a device shows of a record is replaced and closed by these tags. */
export const pushTag = {
  notification: (id: string) => `notification-${id}`,
  chat: (id: string) => `chat-${id}`,
} as const;

/** The ids of the tags of a kind. */
const idsIn = (tags: readonly string[], kind: keyof typeof pushTag): string[] => {
  const prefix = pushTag[kind]('');
  return tags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length));
};

/** Which of these tags are of what the viewer read, or what is gone: a device need not show it any more. */
export async function findRead(
  database: Database,
  { profileId }: Pick<Viewer, 'profileId'>,
  tags: readonly string[],
): Promise<{ read: string[] }> {
  const [notificationIds, chatIds] = [idsIn(tags, 'notification'), idsIn(tags, 'chat')];
  const [unreadNotifications, unreadChats] = await Promise.all([
    database
      .select({ id: notifications.id })
      .from(notifications)
      .where(
        and(
          inArray(notifications.id, notificationIds),
          eq(notifications.profileId, profileId),
          // One that is in no list is not read there.
          or(isNull(notifications.readAt), not(notifications.inApp)),
        ),
      ),
    database
      .select({ id: chatEntries.chatId })
      .from(chatEntries)
      .where(
        and(
          eq(chatEntries.memberId, profileId),
          inArray(chatEntries.chatId, chatIds),
          gt(chatEntries.incoming, chatEntries.incomingRead),
          isNotNull(chatEntries.listedIn),
        ),
      ),
  ]);
  const unread = new Set([
    ...unreadNotifications.map(({ id }) => pushTag.notification(id)),
    ...unreadChats.map(({ id }) => pushTag.chat(id)),
  ]);
  const known = [...notificationIds.map(pushTag.notification), ...chatIds.map(pushTag.chat)];
  return { read: known.filter((tag) => !unread.has(tag)) };
}

/** Most notifications that a push closes, and most chats of a list. */
const closedAtOnce = { notifications: 10, chats: 5 };

/** The chats of a list with the newest messages, of those that the member read. */
const readChats = async (database: Database, profileId: string, list: 'conversations' | 'receipts') => {
  const newest = await database
    .select({ id: chatEntries.chatId, incoming: chatEntries.incoming, read: chatEntries.incomingRead })
    .from(chatEntries)
    .where(and(eq(chatEntries.memberId, profileId), eq(chatEntries.listedIn, list)))
    .orderBy(desc(chatEntries.updatedAt), desc(chatEntries.chatId))
    .limit(closedAtOnce.chats);
  return newest.filter(({ incoming, read }) => incoming <= read).map(({ id }) => pushTag.chat(id));
};

/**
 * Tags of what a member read lately: the next push closes what a device still shows of it, for where the app is closed
 * nothing else may.
 */
export async function readLately(database: Database, profileId: string): Promise<string[]> {
  const [pushed, conversations, planChats] = await Promise.all([
    database
      .select({ id: notifications.id })
      .from(notifications)
      .where(
        and(
          eq(notifications.profileId, profileId),
          notifications.inApp,
          isNotNull(notifications.pushedAt),
          gt(notifications.readAt, sql`now() - interval '1 day'`),
        ),
      )
      .orderBy(desc(notifications.readAt))
      .limit(closedAtOnce.notifications),
    readChats(database, profileId, 'conversations'),
    readChats(database, profileId, 'receipts'),
  ]);
  return [...pushed.map(({ id }) => pushTag.notification(id)), ...conversations, ...planChats];
}
