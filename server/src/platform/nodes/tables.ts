import { pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';

/** The nodes that serve this database now. */
export const nodes = pgTable('nodes', {
  id: text('id').primaryKey(),
  role: text('role').notNull(),
  startedAt: moment('started_at').notNull().defaultNow(),
  /** When it last noted that it lives, by the database's clock. */
  seenAt: moment('seen_at').notNull().defaultNow(),
  /** As which it holds jobs. */
  poolId: text('pool_id'),
  /** The Redis and the store of files that it shares (`NodeParts`). */
  bus: text('bus'),
  store: text('store'),
});
