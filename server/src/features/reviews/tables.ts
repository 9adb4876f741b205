import { integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { createdAt, moment, updatedAt } from '../../platform/database/columns.ts';

export const reviews = pgTable('reviews', {
  id: text('id').primaryKey(),
  interactionId: text('interaction_id').notNull(),
  creatorId: text('creator_id').notNull(),
  ownerId: text('owner_id').notNull(),
  planId: text('plan_id').notNull(),
  caption: text('caption').notNull(),
  location: text('location').notNull().default(''),
  stars: smallint('stars').notNull(),
  tags: text('tags').array().notNull().default([]),
  totalLikes: integer('total_likes').notNull().default(0),
  totalComments: integer('total_comments').notNull().default(0),
  editedAt: moment('edited_at'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const reviewPhotos = pgTable(
  'review_photos',
  {
    reviewId: text('review_id').notNull(),
    position: smallint('position').notNull(),
    imageId: text('image_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.reviewId, table.position] })],
);

export const reviewLikes = pgTable(
  'review_likes',
  {
    id: text('id').notNull(),
    whoLiked: text('who_liked').notNull(),
    reviewId: text('review_id').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.whoLiked, table.reviewId] })],
);

export const reviewComments = pgTable('review_comments', {
  id: text('id').primaryKey(),
  reviewId: text('review_id').notNull(),
  creatorId: text('creator_id').notNull(),
  clientKey: text('client_key').notNull(),
  body: text('body').notNull(),
  createdAt: createdAt(),
});
