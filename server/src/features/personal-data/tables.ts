import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../platform/database/columns.ts';

export const dataExports = pgTable('data_exports', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  sealedKey: text('sealed_key'),
  sizeBytes: bigint('size_bytes', { mode: 'number' }),
  readyAt: moment('ready_at'),
  expiresAt: moment('expires_at'),
  createdAt: createdAt(),
});
