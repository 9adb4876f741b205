import type { DisputeReason } from '@tara/contract/money/disputes';
import { pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../platform/database/columns.ts';

export const disputes = pgTable('disputes', {
  interactionId: text('interaction_id').primaryKey(),
  reason: text('reason').$type<DisputeReason>().notNull(),
  /** By the client. */
  story: text('story').notNull(),
  createdAt: createdAt(),
  /** By the creator. */
  answer: text('answer'),
  answeredAt: moment('answered_at'),
});

/** The photos of each side beside its story. */
export const disputePhotos = pgTable(
  'dispute_photos',
  {
    interactionId: text('interaction_id').notNull(),
    profileId: text('profile_id').notNull(),
    position: smallint('position').notNull(),
    imageId: text('image_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.interactionId, table.profileId, table.position] })],
);

/** Messages of the plan chat that a side added to its story, copied as they were then (migration 0300). */
export const disputeMessages = pgTable(
  'dispute_messages',
  {
    interactionId: text('interaction_id').notNull(),
    profileId: text('profile_id').notNull(),
    position: smallint('position').notNull(),
    messageId: text('message_id').notNull(),
    /** Empty once the account of its writer is deleted. */
    body: text('body').notNull(),
    sentAt: moment('sent_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.interactionId, table.profileId, table.position] })],
);
