import type { Conversation, ConversationRow } from '@tara/contract/messages/conversations';
import type { Chat } from '@tara/contract/messages/messages';
import type { Platform } from '../../platform/platform.ts';
import type { PictureRow } from '../files/index.ts';
import { announceEntry, type chatEntries } from '../messages/index.ts';
import { type PersonRow, presentHiddenPerson, presentPerson } from '../profiles/index.ts';
import type { conversations } from './tables.ts';

export type StoredConversation = typeof conversations.$inferSelect;

/** The other member of a conversation. */
export interface OtherRow {
  person: PersonRow;
  picture: PictureRow | null;
  /** By which the viewer knows them; null unless one is hidden from the other. */
  hiddenName: string | null;
}

/** A conversation for one of its members. Of somebody who is hidden only the name is left. */
export function presentConversation(
  conversation: StoredConversation,
  chat: Chat,
  { person, picture, hiddenName }: OtherRow,
  presence: Pick<Conversation, 'online' | 'lastSeenAt'>,
): Conversation {
  return {
    id: conversation.id,
    mixId: conversation.mixId,
    person: hiddenName === null ? presentPerson(person, picture) : presentHiddenPerson(hiddenName),
    chat,
    ...presence,
    removeExpired: conversation.removeExpired,
    createdAt: conversation.createdAt.toISOString(),
  };
}

/** The record of §3 for both members, as a document of the wire. */
function presentDocument(
  { id, mixId, firstId, secondId, firstAccountId, secondAccountId, removeExpired }: StoredConversation,
  expiresAt: Date | null,
): Record<string, unknown> {
  return {
    ...{ id, mixId, removeExpired },
    creators: [firstId, secondId],
    accountIds: [firstAccountId, secondAccountId],
    expiration: expiresAt?.toISOString() ?? null,
  };
}

/** A row of the list of its member. */
export interface ListedRow {
  entry: typeof chatEntries.$inferSelect;
  expired: boolean;
  person: PersonRow;
  picture: PictureRow | null;
}

export function presentRow({ entry, expired, person, picture }: ListedRow): ConversationRow {
  const { mixId, awaitsId } = entry;
  return {
    id: entry.chatId,
    mixId,
    person: presentPerson(person, picture),
    preview: entry.preview,
    previewOwn: entry.previewBy === entry.memberId,
    lastSequence: entry.lastSequence,
    unread: Math.max(0, entry.incoming - entry.incomingRead),
    expired,
    request: awaitsId === null ? null : awaitsId === entry.memberId ? 'received' : 'sent',
    updatedAt: entry.updatedAt.toISOString(),
  };
}

/** Announces a new or changed conversation to both members, and that their lists of chats changed (§7). */
export function announceConversation(
  platform: Pick<Platform, 'bus'>,
  conversation: StoredConversation,
  expiresAt: Date | null,
  change: 'create' | 'update',
): void {
  const { id, firstId, secondId, firstAccountId, secondAccountId } = conversation;
  platform.bus.publish('document', {
    ...{ collection: 'conversations', id, change },
    document: presentDocument(conversation, expiresAt),
    audience: [firstAccountId, secondAccountId],
    owners: { profileIds: [firstId, secondId], authorId: null },
  });
  announceEntry(platform, { profileId: firstId, accountId: firstAccountId }, { chatId: id });
  announceEntry(platform, { profileId: secondId, accountId: secondAccountId }, { chatId: id });
}
