import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, updatedAt } from '../../platform/database/columns.ts';

export const receipts = pgTable('receipts', {
  id: text('id').primaryKey(),
  interactionId: text('interaction_id').notNull(),
  creatorId: text('creator_id').notNull(),
  clientId: text('client_id').notNull(),
  creatorAccountId: text('creator_account_id').notNull(),
  clientAccountId: text('client_account_id').notNull(),
  lastSequence: integer('last_sequence').notNull().default(0),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const receiptMessages = pgTable(
  'receipt_messages',
  {
    receiptId: text('receipt_id').notNull(),
    sequence: integer('sequence').notNull(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    body: text('body').notNull().default(''),
    imageId: text('image_id'),
    clientKey: text('client_key').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.receiptId, table.sequence] })],
);
