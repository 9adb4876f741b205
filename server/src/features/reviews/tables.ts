import { pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { createdAt, updatedAt } from '../../platform/database/columns.ts';

export const reviews = pgTable('reviews', {
  id: text('id').primaryKey(),
  interactionId: text('interaction_id').notNull(),
  creatorId: text('creator_id').notNull(),
  ownerId: text('owner_id').notNull(),
  planId: text('plan_id').notNull(),
  caption: text('caption').notNull(),
  imageId: text('image_id'),
  location: text('location').notNull().default(''),
  stars: smallint('stars').notNull(),
  tags: text('tags').array().notNull().default([]),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
