import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '../../platform/database/columns.ts';

/** The links of members that anybody may open: an invitation, and one for each plan that is shown in public. */
export const publicLinks = pgTable('public_links', {
  id: text('id').primaryKey(),
  profileId: text('profile_id').notNull(),
  /** Null for the invitation. */
  planId: text('plan_id'),
  createdAt: createdAt(),
});
