import type { ChatEvent, ChatKind, Message } from '@tara/contract/messages/messages';
import { type CollectionId, channel } from '@tara/contract/wire/realtime';
import { noOwners } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ChatRow } from './present.ts';

type Members = Pick<ChatRow, 'kind' | 'firstId' | 'secondId' | 'firstAccountId' | 'secondAccountId'>;

const collections: Record<ChatKind, { chat: CollectionId; message: CollectionId }> = {
  conversation: { chat: 'conversations', message: 'chats' },
  receipt: { chat: 'conversationReceipts', message: 'chatReceipts' },
};

/** The channel of a chat's own page: its messages and passing events. */
export const chatChannel = ({ id, kind }: Pick<ChatRow, 'id' | 'kind'>): string =>
  channel.document(collections[kind].chat, id);

/** The names that §3 gives the chat of a message, by kind. */
const chatFields = ({ kind, firstAccountId, secondAccountId }: Members, message: Message) =>
  kind === 'receipt'
    ? { conversationReceiptId: message.chatId }
    : { convoId: message.chatId, creator: message.userId, mixId: firstAccountId + secondAccountId };

/** Further channels of a message: its chat's, and of a conversation those of both members' lists (§7). */
const messageChannels = ({ kind, firstId, secondId }: Members, { chatId }: Message): string[] => [
  chatChannel({ kind, id: chatId }),
  ...(kind === 'receipt' ? [] : [firstId, secondId].map((id) => channel.document('conversationOwners', id))),
];

/**
 * Announces a stored or changed message to both members: as a document, and on the channel of its chat (§7). Members of
 * whom one is hidden from the other get it while their request is open, as they read its chat (`findChat`).
 */
export function announceMessage(
  { bus }: Pick<Platform, 'bus'>,
  chat: Members & Pick<ChatRow, 'closedAt'>,
  message: Message,
  change: 'create' | 'update' = 'create',
): void {
  const { kind, firstId, secondId, firstAccountId, secondAccountId } = chat;
  const isReadableHidden = kind === 'receipt' && chat.closedAt === null;
  bus.publish('document', {
    collection: collections[kind].message,
    id: message.id,
    change,
    document: { ...message, ...chatFields(chat, message) },
    audience: [firstAccountId, secondAccountId],
    owners: isReadableHidden ? noOwners : { profileIds: [firstId, secondId], authorId: null },
    alsoOn: messageChannels(chat, message),
  });
}

/**
 * Sends a passing event of a chat to our own web: a mark, typing. It does not reach those from whom `memberId`, whom it
 * shows, is hidden.
 */
export function announceChatEvent(
  { bus }: { bus: Pick<Platform['bus'], 'publish'> },
  { id, kind }: Pick<ChatRow, 'id' | 'kind'>,
  event: ChatEvent,
  { accountIds, memberId }: { accountIds: readonly string[]; memberId?: string },
): void {
  bus.publish('document', {
    collection: collections[kind].chat,
    id,
    change: 'update',
    document: event,
    clients: 'web',
    audience: accountIds,
    owners: { profileIds: memberId === undefined ? [] : [memberId], authorId: null },
  });
}

/** Announces to a member's own tabs and devices that their list of chats changed in another way than by a message. */
export function announceEntry(
  { bus }: Pick<Platform, 'bus'>,
  { accountId, profileId }: { accountId: string; profileId: string },
  document: { chatId: string } & Record<string, unknown>,
): void {
  bus.publish('document', {
    collection: 'conversationOwners',
    id: profileId,
    change: 'update',
    document,
    audience: [accountId],
    owners: noOwners,
  });
}
