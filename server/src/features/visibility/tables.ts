import { pgTable, pgView, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../platform/database/columns.ts';

/** Who blocked whom, with their names at that time. */
export const blocks = pgTable(
  'blocks',
  {
    blockerId: text('blocker_id').notNull(),
    blockedId: text('blocked_id').notNull(),
    blockerName: text('blocker_name').notNull(),
    blockedName: text('blocked_name').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.blockerId, table.blockedId] })],
);

/** Who muted whom. */
export const mutes = pgTable(
  'mutes',
  { muterId: text('muter_id').notNull(), mutedId: text('muted_id').notNull(), createdAt: createdAt() },
  (table) => [primaryKey({ columns: [table.muterId, table.mutedId] })],
);

/** The members hidden from a viewer by a block in either direction, with their accounts and last known names. */
export const hiddenMembers = pgView('hidden_members', {
  viewerId: text('viewer_id').notNull(),
  profileId: text('profile_id').notNull(),
  accountId: text('account_id').notNull(),
  name: text('name').notNull(),
  createdAt: moment('created_at').notNull(),
}).existing();

/** The members about whom a report waits for an admin: nothing of them is shown outside (decisions §2). */
export const reportedMembers = pgView('reported_members', {
  profileId: text('profile_id').notNull(),
}).existing();
