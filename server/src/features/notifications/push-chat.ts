import { countLimit } from '@tara/contract/limits';
import { picturePreview } from '@tara/contract/notices';
import { and, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { accountDevices, deliverPush } from '../devices/index.ts';
import { chatEntries, messages } from '../messages/index.ts';
import { profiles } from '../profiles/index.ts';
import { hiddenName } from '../visibility/index.ts';
import { notificationCan } from './policy.ts';
import { oneLine, planChatPath } from './present.ts';
import { pushTag, readLately } from './push-tags.ts';
import { readRecipient } from './recipient.ts';
import { notificationRequests } from './tables.ts';

/** A chat and the member who is to hear of its messages. */
interface ChatReader {
  chatId: string;
  profileId: string;
}

/** Begins the pushes of a chat to the devices of its reader, who has no open socket by now. */
export async function pushChat(
  { database, onlineAccounts }: Pick<Platform, 'database' | 'onlineAccounts'>,
  reader: ChatReader,
): Promise<void> {
  const [account] = await database
    .select({ id: profiles.accountId })
    .from(profiles)
    .where(eq(profiles.id, reader.profileId));
  if (account === undefined || onlineAccounts.has(account.id)) return;
  for (const { id: deviceId } of await accountDevices(database, account.id))
    await tasks.pushChatToDevice.enqueue(database, { ...reader, deviceId });
}

/** Characters of a message that a push shows at most. */
const textLength = 300;

/** What a push says of the unread messages that the other member wrote. */
interface UnreadChat {
  title: string;
  /** The newest message. */
  text: string;
  url: string;
}

/** What a reader's chat has unread; null when it was read meanwhile, or when its messages may not be delivered. */
async function readUnread(database: Database, { chatId, profileId }: ChatReader): Promise<UnreadChat | null> {
  const [chat] = await database
    .select({
      kind: chatEntries.kind,
      mixId: chatEntries.mixId,
      otherId: chatEntries.otherId,
      name: profiles.name,
      otherAccountId: profiles.accountId,
      hiddenName: hiddenName(sql`${profileId}`, profiles.id),
      seen: sql<number>`greatest(${chatEntries.read}, ${chatEntries.hiddenThrough})`,
    })
    .from(chatEntries)
    .innerJoin(profiles, eq(profiles.id, chatEntries.otherId))
    .where(
      and(
        eq(chatEntries.memberId, profileId),
        eq(chatEntries.chatId, chatId),
        gt(chatEntries.incoming, chatEntries.incomingRead),
        // Neither a message request nor a chat that was ignored.
        inArray(chatEntries.listedIn, ['conversations', 'receipts']),
        or(isNull(chatEntries.expiresAt), gt(chatEntries.expiresAt, sql`now()`)),
      ),
    );
  if (chat === undefined) return null;
  const recipient = await readRecipient(database, profileId, chat.otherId);
  if (recipient === undefined) return null;
  if (!notificationCan.pushMessages({ ...recipient, isFromHidden: chat.hiddenName !== null })) return null;
  const unread = await database
    .select({ body: sql<string>`left(${messages.body}, ${textLength})` })
    .from(messages)
    .where(
      and(
        eq(messages.chatId, chatId),
        gt(messages.sequence, chat.seen),
        // Lines of Tara are notifications of their own.
        eq(messages.userId, chat.otherId),
        isNull(messages.unsentAt),
      ),
    )
    .orderBy(desc(messages.sequence))
    .limit(countLimit);
  const [newest] = unread;
  if (newest === undefined) return null;
  const [request] =
    chat.kind === 'conversation'
      ? []
      : await database
          .select({ id: notificationRequests.id, planTitle: notificationRequests.planTitle })
          .from(notificationRequests)
          .where(eq(notificationRequests.chatId, chatId));
  const count = unread.length < countLimit ? unread.length : `more than ${countLimit - 1}`;
  const what = unread.length > 1 ? `${count} messages` : request ? '' : 'to you';
  const about = request ? `about ${request.planTitle}` : '';
  return {
    title: oneLine(`${chat.name} wrote ${what} ${about}`),
    text: newest.body || picturePreview,
    url: request
      ? planChatPath(chatId, request.id)
      : `/chats/${chat.otherAccountId}?${new URLSearchParams({ id: chatId, mixId: chat.mixId })}`,
  };
}

/**
 * Pushes that a member has unread messages of a chat, once for all of them: a later push takes its place. What they say is
 * shown where the member switched that on.
 */
export async function pushChatToDevice(
  context: Pick<Platform, 'database' | 'push' | 'log'>,
  { deviceId, ...reader }: ChatReader & { deviceId: string },
  helpers: Pick<JobHelpers, 'attempt' | 'maxAttempts'>,
): Promise<void> {
  const { database } = context;
  const unread = await readUnread(database, reader);
  if (unread === null) return;
  const { title, text, url } = unread;
  const tag = pushTag.chat(reader.chatId);
  const closes = await readLately(database, reader.profileId);
  await deliverPush(
    context,
    {
      deviceId,
      message: ({ showsText }) => ({
        ...{ title, url, tag, topic: tag, closes, urgency: 'high' },
        ...(showsText && { text }),
      }),
    },
    helpers,
  );
}
