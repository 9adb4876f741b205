import type { ChatSettings } from '@tara/contract/messages/conversations';
import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../platform/database/columns.ts';

/** A one-to-one chat (§3); its messages are those of the chat of the same id. */
export const conversations = pgTable('conversations', {
  id: text('id').primaryKey(),
  mixId: text('mix_id').notNull(),
  /** Who began it. */
  firstId: text('first_id').notNull(),
  secondId: text('second_id').notNull(),
  firstAccountId: text('first_account_id').notNull(),
  secondAccountId: text('second_account_id').notNull(),
  /** Begun with somebody whom the member did not know. */
  isRequest: boolean('is_request').notNull().default(false),
  removeExpired: boolean('remove_expired').notNull().default(false),
  createdAt: createdAt(),
});

/** When a member was last here, at most 5 minutes too early. */
export const memberPresence = pgTable('member_presence', {
  profileId: text('profile_id').primaryKey(),
  lastSeenAt: moment('last_seen_at').notNull(),
});

/** What a member chose about chats; without a row the defaults hold. */
export const chatSettings = pgTable('chat_settings', {
  profileId: text('profile_id').primaryKey(),
  messagesFrom: text('messages_from').$type<ChatSettings['messagesFrom']>().notNull().default('everyone'),
  showReadMarks: boolean('show_read_marks').notNull().default(true),
  showLastSeen: boolean('show_last_seen').notNull().default(true),
});
