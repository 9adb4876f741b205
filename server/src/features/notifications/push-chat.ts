import { nowDate, nowMs } from '@tara/contract/clock';
import { countLimit } from '@tara/contract/limits';
import { picturePreview } from '@tara/contract/notices';
import { chatMessages } from '@tara/contract/notifications/events';
import { and, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { deadSocketMs } from '../../platform/realtime/hub.ts';
import { tasks } from '../../platform/tasks.ts';
import { memberDevices } from '../devices/index.ts';
import { chatEntries, messages } from '../messages/index.ts';
import { profiles } from '../profiles/index.ts';
import { hiddenName } from '../visibility/index.ts';
import { isChosen, readStored } from './choices.ts';
import { heldUntil } from './hold.ts';
import { notificationCan } from './policy.ts';
import { oneLine, planChatPath } from './present.ts';
import { type ListedItem, type PushContext, type PushItem, type PushTry, pushItems } from './push.ts';
import { pushTag } from './push-tags.ts';
import { deliveryState, readRecipient } from './recipient.ts';
import { notificationRequests } from './tables.ts';
import { holdChats } from './undelivered.ts';

/** A chat and the member who is to hear of its messages. */
interface ChatReader {
  chatId: string;
  profileId: string;
}

/** Whether a member has an open socket on any node, also where its client is gone and this is not noticed yet. */
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

/** When a socket that is open now is closed, if its client is gone. */
export const secondLookAt = (): Date => new Date(nowMs() + deadSocketMs);

/**
 * Begins the pushes of a chat to the devices of its reader, unless the reader has an open socket by now. What is unread of it then
 * is looked at once more, by when a dead socket is closed; of several messages once after the last.
 */
export async function pushChat(
  context: Pick<Platform, 'database' | 'isOnline'>,
  { isSecond = false, ...reader }: ChatReader & { isSecond?: boolean | undefined },
): Promise<void> {
  const { database } = context;
  const second = { ...reader, isSecond: true };
  if (await isMemberOnline(context, reader.profileId)) {
    if (!isSecond && (await hasUnread(database, reader)))
      await tasks.pushChat.enqueue(database, second, { runAt: secondLookAt() });
    return;
  }
  // What waits to be looked at again is pushed now.
  if (!isSecond) await tasks.pushChat.cancel(database, second);
  for (const { id: deviceId } of await memberDevices(database, reader.profileId))
    await tasks.pushChatToDevice.enqueue(database, { ...reader, deviceId });
}

/** Chats and the member who is to hear of their messages. */
interface ChatsReader {
  chatIds: readonly string[];
  profileId: string;
}

/** Which of a reader's chats have unread messages, that are not message requests and were not ignored. */
const areUnread = ({ chatIds, profileId }: ChatsReader) =>
  and(
    eq(chatEntries.memberId, profileId),
    inArray(chatEntries.chatId, [...chatIds]),
    gt(chatEntries.incoming, chatEntries.incomingRead),
    inArray(chatEntries.listedIn, ['conversations', 'receipts']),
    or(isNull(chatEntries.expiresAt), gt(chatEntries.expiresAt, sql`now()`)),
  );

const hasUnread = async (database: Database, { chatId, profileId }: ChatReader): Promise<boolean> =>
  (await database.$count(chatEntries, areUnread({ chatIds: [chatId], profileId }))) > 0;

/** Which messages of a chat its reader has not seen: lines of Tara are notifications of their own. */
const isUnseen = ({ chatId, otherId, seen }: { chatId: string; otherId: string; seen: number }) =>
  and(
    eq(messages.chatId, chatId),
    gt(messages.sequence, seen),
    eq(messages.userId, otherId),
    isNull(messages.unsentAt),
  );

/** A chat that has messages for its reader. */
type UnreadChat = Awaited<ReturnType<typeof readUnread>>[number];

/** Which of a reader's chats have unread messages of the other, in their order; not those that may not be delivered. */
async function readUnread(database: Database, { chatIds, profileId }: ChatsReader) {
  const seen = sql<number>`greatest(${chatEntries.read}, ${chatEntries.hiddenThrough})`;
  const entries = await database
    .select({
      chatId: chatEntries.chatId,
      kind: chatEntries.kind,
      mixId: chatEntries.mixId,
      otherId: chatEntries.otherId,
      name: profiles.name,
      otherAccountId: profiles.accountId,
      hiddenName: hiddenName(sql`${profileId}`, profiles.id),
      lastSequence: chatEntries.lastSequence,
      seen,
    })
    .from(chatEntries)
    .innerJoin(profiles, eq(profiles.id, chatEntries.otherId))
    .where(areUnread({ chatIds, profileId }));
  if (entries.length === 0) return [];
  const recipient = await readRecipient(
    database,
    profileId,
    entries.map(({ otherId }) => otherId),
  );
  if (recipient === null) return [];
  const deliverable = entries.filter(({ otherId: actorId, hiddenName: hidden }) =>
    notificationCan.pushMessages(deliveryState(recipient, { actorId, isFromHidden: hidden !== null })),
  );
  if (deliverable.length === 0) return [];
  // Of the newest alone: somebody can have left very many unread.
  const newest = deliverable.map((chat) =>
    isUnseen({ ...chat, seen: Math.max(chat.seen, chat.lastSequence - countLimit) }),
  );
  const rows = await database
    .selectDistinct({ chatId: messages.chatId })
    .from(messages)
    .where(or(...newest));
  const unread = new Set(rows.map(({ chatId }) => chatId));
  return deliverable
    .filter(({ chatId }) => unread.has(chatId))
    .toSorted((one, other) => chatIds.indexOf(one.chatId) - chatIds.indexOf(other.chatId));
}

/** Characters of a message that a push shows at most. */
const textLength = 300;

/** What a push says of a chat: that its reader has unread messages, once for all of them. */
export async function presentChat(database: Database, chat: UnreadChat): Promise<PushItem> {
  const { chatId, kind, mixId, name, otherAccountId } = chat;
  const unread = await database
    .select({ body: sql<string>`left(${messages.body}, ${textLength})` })
    .from(messages)
    .where(isUnseen(chat))
    .orderBy(desc(messages.sequence))
    .limit(countLimit);
  const [request] =
    kind === 'conversation'
      ? []
      : await database
          .select({ id: notificationRequests.id, planTitle: notificationRequests.planTitle })
          .from(notificationRequests)
          .where(eq(notificationRequests.chatId, chatId));
  const count = unread.length < countLimit ? unread.length : `more than ${countLimit - 1}`;
  const what = unread.length > 1 ? `${count} messages` : request ? '' : 'to you';
  const about = request ? `about ${request.planTitle}` : '';
  return {
    ...listedChat(chat),
    title: oneLine(`${name} wrote ${what} ${about}`),
    text: unread[0]?.body || picturePreview,
    url: request
      ? planChatPath(chatId, request.id)
      : `/chats/${otherAccountId}?${new URLSearchParams({ id: chatId, mixId })}`,
  };
}

/** A chat that a push counts beside others. */
export const listedChat = ({ chatId, kind }: Pick<UnreadChat, 'chatId' | 'kind'>): ListedItem => ({
  tag: pushTag.chat(chatId),
  url: kind === 'conversation' ? '/chats' : '/manage-plans',
  urgency: 'high',
});

/**
 * Of which chats a device is pushed now: those of which its reader has unread messages, in their order. None when the member
 * switched these pushes off. What quiet hours or a pause hold up is not pushed, and waits for their end.
 */
export async function readDueChats(database: Database, reader: ChatsReader): Promise<UnreadChat[]> {
  if (reader.chatIds.length === 0) return [];
  const unread = await readUnread(database, reader);
  if (unread.length === 0) return [];
  const { profileId } = reader;
  const settings = await readStored(database, profileId);
  if (!isChosen(settings, chatMessages.group, 'push')) return [];
  if (heldUntil(settings, chatMessages, nowDate()) === null) return unread;
  await holdChats(database, { profileId, chatIds: unread.map(({ chatId }) => chatId).toReversed() });
  return [];
}

/** Pushes that a member has unread messages of a chat: a later push takes its place. */
export async function pushChatToDevice(
  context: PushContext,
  { deviceId, chatId, profileId }: ChatReader & { deviceId: string },
  helpers: PushTry,
): Promise<void> {
  const { database } = context;
  const [chat] = await readDueChats(database, { chatIds: [chatId], profileId });
  if (chat === undefined) return;
  await pushItems(context, { first: await presentChat(database, chat), profileId, deviceId }, helpers);
}
