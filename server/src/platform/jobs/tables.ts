import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';

/** Items of scheduled jobs whose work failed, with the time of their next attempt. */
export const postponedItems = pgTable(
  'postponed_items',
  {
    work: text('work').notNull(),
    itemId: text('item_id').notNull(),
    attempts: integer('attempts').notNull(),
    retryAt: moment('retry_at').notNull(),
    lastError: text('last_error').notNull(),
  },
  ({ work, itemId }) => [primaryKey({ columns: [work, itemId] })],
);
