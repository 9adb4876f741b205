import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes, createdAt } from '../../platform/database/columns.ts';

/** The link of one member to one request, for somebody they trust. */
export const sharedPlans = pgTable(
  'shared_plans',
  {
    interactionId: text('interaction_id').notNull(),
    profileId: text('profile_id').notNull(),
    tokenHash: bytes('token_hash').notNull(),
    createdAt: createdAt(),
  },
  ({ interactionId, profileId }) => [primaryKey({ columns: [interactionId, profileId] })],
);
