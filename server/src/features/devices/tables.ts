import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../platform/database/columns.ts';

export const devices = pgTable('devices', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  sessionId: text('session_id').notNull(),
  endpoint: text('endpoint').notNull(),
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  userAgent: text('user_agent').notNull().default(''),
  showsText: boolean('shows_text').notNull().default(false),
  createdAt: createdAt(),
  renewedAt: moment('renewed_at').notNull().defaultNow(),
});
