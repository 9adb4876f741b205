import type { ChatKind } from '@tara/contract/messages/messages';
import { sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, moment, updatedAt } from '../../platform/database/columns.ts';
import type { PictureRow } from '../files/index.ts';

/** A chat of two members, with everything that decides whether they can write (migration 0052). */
export const chats = pgTable('chats', {
  id: text('id').primaryKey(),
  kind: text('kind').$type<ChatKind>().notNull(),
  firstId: text('first_id').notNull(),
  secondId: text('second_id').notNull(),
  firstAccountId: text('first_account_id').notNull(),
  secondAccountId: text('second_account_id').notNull(),
  lastSequence: integer('last_sequence').notNull().default(0),
  firstCount: integer('first_count').notNull().default(0),
  secondCount: integer('second_count').notNull().default(0),
  /** Since when its request is over. */
  closedAt: moment('closed_at'),
  blocked: boolean('blocked').notNull().default(false),
  expiresAt: moment('expires_at'),
  awaitsId: text('awaits_id'),
  /** Raised by each change that the lists show. */
  version: integer('version').notNull().default(0),
  /** The start of the newest message; empty of a picture alone. */
  preview: text('preview').notNull().default(''),
  previewBy: text('preview_by'),
  /** Time of the newest message, or of the chat before its first. */
  newestAt: moment('newest_at').notNull().defaultNow(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const messages = pgTable(
  'messages',
  {
    chatId: text('chat_id').notNull(),
    sequence: integer('sequence').notNull(),
    id: text('id').notNull(),
    /** Null: a line of Tara or an admin. */
    userId: text('user_id'),
    name: text('name').notNull(),
    body: text('body').notNull().default(''),
    picture: jsonb('picture').$type<PictureRow>(),
    imageId: text('image_id'),
    replyTo: integer('reply_to'),
    clientKey: text('client_key').notNull(),
    firstCount: integer('first_count').notNull(),
    secondCount: integer('second_count').notNull(),
    unsentAt: moment('unsent_at'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.sequence] })],
);

export const chatMarks = pgTable(
  'chat_marks',
  {
    chatId: text('chat_id').notNull(),
    memberId: text('member_id').notNull(),
    delivered: integer('delivered').notNull().default(0),
    read: integer('read').notNull().default(0),
    incomingRead: integer('incoming_read').notNull().default(0),
    showsRead: boolean('shows_read').notNull().default(true),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.memberId] })],
);

/** What was taken back in plan chats (§4, decisions §2). */
export const unsentMessages = pgTable(
  'unsent_messages',
  {
    chatId: text('chat_id').notNull(),
    sequence: integer('sequence').notNull(),
    body: text('body').notNull(),
    picture: jsonb('picture').$type<PictureRow>(),
    imageId: text('image_id'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.sequence] })],
);

/** Each member's lists of chats: what they show of a chat is a copy of its row, of the version named. */
export const chatEntries = pgTable(
  'chat_entries',
  {
    memberId: text('member_id').notNull(),
    chatId: text('chat_id').notNull(),
    kind: text('kind').$type<ChatKind>().notNull(),
    otherId: text('other_id').notNull(),
    /** The pair key of a conversation; empty of a plan chat. */
    mixId: text('mix_id').notNull().default(''),
    version: integer('version').notNull().default(0),
    lastSequence: integer('last_sequence').notNull(),
    incoming: integer('incoming').notNull(),
    read: integer('read').notNull().default(0),
    incomingRead: integer('incoming_read').notNull().default(0),
    preview: text('preview').notNull(),
    previewBy: text('preview_by'),
    hiddenThrough: integer('hidden_through').notNull().default(0),
    ignored: boolean('ignored').notNull().default(false),
    awaitsId: text('awaits_id'),
    expiresAt: moment('expires_at'),
    /** The list it is in; none when it was hidden or ignored. */
    listedIn: text('listed_in')
      .$type<'conversations' | 'receipts' | 'requests'>()
      .generatedAlwaysAs(sql`null`),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.chatId] })],
);

/** One row: through when the lists are complete. */
export const chatEntryProgress = pgTable('chat_entry_progress', {
  single: boolean('single').primaryKey().default(true),
  savedThrough: moment('saved_through').notNull(),
});
