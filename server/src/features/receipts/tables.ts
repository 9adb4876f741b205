import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '../../platform/database/columns.ts';

/** The chat of one paid request (§3); its messages are those of the chat of the same id. */
export const receipts = pgTable('receipts', {
  id: text('id').primaryKey(),
  interactionId: text('interaction_id').notNull(),
  creatorId: text('creator_id').notNull(),
  clientId: text('client_id').notNull(),
  creatorAccountId: text('creator_account_id').notNull(),
  clientAccountId: text('client_account_id').notNull(),
  createdAt: createdAt(),
});
