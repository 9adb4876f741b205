import { bigint, integer, pgTable, pgView, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { createdAt, moment, recordNumber, searchWords, updatedAt } from '../../platform/database/columns.ts';

export const plans = pgTable('plans', {
  id: text('id').primaryKey(),
  creatorId: text('creator_id').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull().default(''),
  time: text('time').notNull().default(''),
  durationMinutes: integer('duration_minutes').notNull().default(120),
  place: text('place').notNull().default(''),
  priceCentavos: bigint('price_centavos', { mode: 'number' }).notNull(),
  imageId: text('image_id'),
  terms: text('terms').notNull(),
  totalReviews: integer('total_reviews').notNull().default(0),
  totalStars: integer('total_stars').notNull().default(0),
  totalMeetings: integer('total_meetings').notNull().default(0),
  removedAt: moment('removed_at'),
  /** Since when it takes no new requests. */
  closedAt: moment('closed_at'),
  editedAt: moment('edited_at'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  number: recordNumber(),
  words: searchWords(),
});

/** The photos of a plan beside its cover, in their order. */
export const planPhotos = pgTable(
  'plan_photos',
  {
    planId: text('plan_id').notNull(),
    position: smallint('position').notNull(),
    imageId: text('image_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.planId, table.position] })],
);

/** The requests of each plan, as far as plans show them: their feature builds on this one. */
export const planRequests = pgView('plan_requests', {
  id: text('id').notNull(),
  planId: text('plan_id').notNull(),
  clientId: text('client_id').notNull(),
  stage: text('stage').notNull(),
  priceCentavos: bigint('price_centavos', { mode: 'number' }).notNull(),
  adminSetDoneAt: moment('admin_set_done_at'),
  /** Released less the platform fee. */
  earnedCentavos: bigint('earned_centavos', { mode: 'number' }).notNull(),
}).existing();

/** When creators are booked (migration 0197): requests build on this feature. */
export const bookedTimes = pgView('booked_times', {
  creatorId: text('creator_id').notNull(),
  meetsAt: moment('meets_at').notNull(),
  meetsUntil: moment('meets_until').notNull(),
}).existing();

/** The reviews of each plan, as far as plans show them: their feature builds on this one. */
export const planReviews = pgView('plan_reviews', {
  id: text('id').notNull(),
  planId: text('plan_id').notNull(),
  creatorId: text('creator_id').notNull(),
  stars: smallint('stars').notNull(),
  caption: text('caption').notNull(),
  createdAt: moment('created_at').notNull(),
}).existing();
