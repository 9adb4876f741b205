import { countLimit } from '@tara/contract/limits';
import { picturePreview } from '@tara/contract/notices';
import { chatMessages } from '@tara/contract/notifications/events';
import { and, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { memberDevices } from '../devices/index.ts';
import { chatEntries, messages } from '../messages/index.ts';
import { profiles } from '../profiles/index.ts';
import { hiddenName } from '../visibility/index.ts';
import { isChosen, readStored } from './choices.ts';
import { heldUntil } from './hold.ts';
import { notificationCan } from './policy.ts';
import { oneLine, planChatPath } from './present.ts';
import { type PushContext, type PushItem, type PushTry, pushItems } from './push.ts';
import { pushTag } from './push-tags.ts';
import { deliveryState, readRecipient } from './recipient.ts';
import { notificationRequests } from './tables.ts';
import { holdChat } from './undelivered.ts';

/** A chat and the member who is to hear of its messages. */
interface ChatReader {
  chatId: string;
  profileId: string;
}

/** Whether a member has an open socket, on any node. */
export async function isMemberOnline(
  { database, isOnline }: Pick<Platform, 'database' | 'isOnline'>,
  profileId: string,
): Promise<boolean> {
  const [account] = await database
    .select({ id: profiles.accountId })
    .from(profiles)
    .where(eq(profiles.id, profileId));
  return account !== undefined && (await isOnline(account.id));
}

/** Begins the pushes of a chat to the devices of its reader, unless the reader has an open socket by now. */
export async function pushChat(
  context: Pick<Platform, 'database' | 'isOnline'>,
  reader: ChatReader,
): Promise<void> {
  if (await isMemberOnline(context, reader.profileId)) return;
  const { database } = context;
  for (const { id: deviceId } of await memberDevices(database, reader.profileId))
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
  const recipient = await readRecipient(database, profileId, [chat.otherId]);
  if (recipient === null) return null;
  const state = { actorId: chat.otherId, isFromHidden: chat.hiddenName !== null };
  if (!notificationCan.pushMessages(deliveryState(recipient, state))) return null;
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
 * What a device is pushed of a chat now: that its reader has unread messages, once for all of them. Null when there are none,
 * and when the member switched these pushes off. What quiet hours or a pause hold up is not pushed, and waits for their end.
 */
export async function readDueChat(database: Database, reader: ChatReader): Promise<PushItem | null> {
  const unread = await readUnread(database, reader);
  if (unread === null) return null;
  const settings = await readStored(database, reader.profileId);
  if (!isChosen(settings, chatMessages.group, 'push')) return null;
  if (heldUntil(settings, chatMessages, new Date()) === null)
    return { ...unread, tag: pushTag.chat(reader.chatId), urgency: 'high' };
  await holdChat(database, reader);
  return null;
}

/** Pushes that a member has unread messages of a chat: a later push takes its place. */
export async function pushChatToDevice(
  context: PushContext,
  { deviceId, ...reader }: ChatReader & { deviceId: string },
  helpers: PushTry,
): Promise<void> {
  const chat = await readDueChat(context.database, reader);
  if (chat === null) return;
  await pushItems(context, { items: [chat], profileId: reader.profileId, deviceId }, helpers);
}
