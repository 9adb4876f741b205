import { deletedName } from '@tara/contract/limits';
import { and, eq, or, sql } from 'drizzle-orm';
import { chatSettings, conversations, memberPresence } from '../conversations/index.ts';
import { chatEntries, chatMarks, chats, messages, unsentMessages } from '../messages/index.ts';
import { receipts } from '../receipts/index.ts';
import { deleted, ownRows, type PersonalTable } from './entry.ts';

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
  ownRows(messages, [messages.userId], {
    exported: { without: ['first_count', 'second_count'] },
    deletion: {
      kind: 'emptied',
      set: { name: deletedName, body: 'Deleted message', image_id: null, picture: null },
    },
  }),
  ownRows(chatMarks, [chatMarks.memberId]),
  {
    // The start of the member's messages in the lists of others.
    table: chatEntries,
    members: ['preview_by', 'other_id'],
    own: ({ profileId }) => and(eq(chatEntries.otherId, profileId), eq(chatEntries.previewBy, profileId)),
    exported: { none: 'The messages themselves are exported.' },
    deletion: { kind: 'emptied', set: { preview: 'Deleted message' } },
  },
  ownRows(chatEntries, [chatEntries.memberId], {
    members: ['member_id', 'awaits_id'],
    exported: { none: 'It is made of the messages, which are exported.' },
  }),
  {
    table: chats,
    members: ['preview_by'],
    own: ({ profileId }) =>
      and(or(eq(chats.firstId, profileId), eq(chats.secondId, profileId)), eq(chats.previewBy, profileId)),
    exported: { none: 'The messages themselves are exported.' },
    deletion: { kind: 'emptied', set: { preview: 'Deleted message' } },
  },
  ownRows(chats, [chats.firstId, chats.secondId], {
    members: ['first_id', 'second_id', 'first_account_id', 'second_account_id', 'awaits_id'],
    // It would reveal who blocked the member.
    exported: { without: ['blocked', 'preview', 'preview_by'] },
    deletion: { kind: 'kept', why: 'The other member’s messages are in it.' },
  }),
  ownRows(conversations, [conversations.firstId, conversations.secondId], {
    members: ['first_id', 'second_id', 'first_account_id', 'second_account_id'],
    // It is made of both account ids.
    exported: { without: ['mix_id'] },
    deletion: { kind: 'kept', why: 'The other member’s messages are in it.' },
  }),
  ownRows(memberPresence, [memberPresence.profileId]),
  ownRows(chatSettings, [chatSettings.profileId]),
  ownRows(receipts, [receipts.creatorId, receipts.clientId], {
    members: ['creator_id', 'client_id', 'creator_account_id', 'client_account_id'],
    deletion: { kind: 'kept', why: 'The other party’s messages are in it.' },
  }),
];
