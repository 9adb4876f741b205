import { deletedName } from '@tara/contract/limits';
import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import { chatSettings, conversations, memberPresence } from '../conversations/index.ts';
import { chatEntries, chatMarks, chats, messages, unsentMessages } from '../messages/index.ts';
import { receipts } from '../receipts/index.ts';
import { deleted, type MemberIds, type PersonalTable, whole } from './entry.ts';

/** Chats and their messages. */
export const messageTables: readonly PersonalTable[] = [
  {
    // Originals of what was taken back, with the chat and sequence of the member's own messages.
    table: unsentMessages,
    members: [],
    own: ({ profileId }) =>
      sql`(${unsentMessages.chatId}, ${unsentMessages.sequence}) in (
        select ${messages.chatId}, ${messages.sequence} from ${messages} where ${eq(messages.userId, profileId)})`,
    exported: { none: 'The member took them back.' },
    deletion: deleted,
  },
  {
    table: messages,
    members: ['user_id'],
    own: ({ profileId }) => eq(messages.userId, profileId),
    exported: { without: ['first_count', 'second_count'] },
    deletion: {
      kind: 'emptied',
      set: { name: deletedName, body: 'Deleted message', image_id: null, picture: null },
    },
  },
  {
    table: chatMarks,
    members: ['member_id'],
    own: ({ profileId }) => eq(chatMarks.memberId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    // The begin of the member's messages in the lists of others.
    table: chatEntries,
    members: ['preview_by', 'other_id'],
    own: ({ profileId }) => and(eq(chatEntries.otherId, profileId), eq(chatEntries.previewBy, profileId)),
    exported: { none: 'The messages themselves are exported.' },
    deletion: { kind: 'emptied', set: { preview: 'Deleted message' } },
  },
  {
    table: chatEntries,
    members: ['member_id', 'awaits_id'],
    own: ({ profileId }) => eq(chatEntries.memberId, profileId),
    exported: { none: 'It is made of the messages, which are exported.' },
    deletion: deleted,
  },
  {
    table: chats,
    members: ['preview_by'],
    own: ({ profileId }) =>
      and(or(eq(chats.firstId, profileId), eq(chats.secondId, profileId)), eq(chats.previewBy, profileId)),
    exported: { none: 'The messages themselves are exported.' },
    deletion: { kind: 'emptied', set: { preview: 'Deleted message' } },
  },
  {
    table: chats,
    members: ['first_id', 'second_id', 'first_account_id', 'second_account_id', 'awaits_id'],
    own: ({ profileId }) => or(eq(chats.firstId, profileId), eq(chats.secondId, profileId)),
    // It would tell who blocked the member.
    exported: { without: ['blocked', 'preview', 'preview_by'] },
    deletion: { kind: 'kept', why: 'The other member’s messages are in it.' },
  },
  {
    table: conversations,
    members: ['first_id', 'second_id', 'first_account_id', 'second_account_id'],
    own: ({ profileId }) => or(eq(conversations.firstId, profileId), eq(conversations.secondId, profileId)),
    exported: whole,
    deletion: { kind: 'kept', why: 'The other member’s messages are in it.' },
  },
  {
    table: memberPresence,
    members: ['profile_id'],
    own: ({ profileId }) => eq(memberPresence.profileId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: chatSettings,
    members: ['profile_id'],
    own: ({ profileId }) => eq(chatSettings.profileId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: receipts,
    members: ['creator_id', 'client_id', 'creator_account_id', 'client_account_id'],
    own: (member) => ownReceipts(member),
    exported: whole,
    deletion: { kind: 'kept', why: 'The other party’s messages are in it.' },
  },
];

function ownReceipts({ profileId }: MemberIds): SQL | undefined {
  return or(eq(receipts.creatorId, profileId), eq(receipts.clientId, profileId));
}
