import { bigint, boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, moment, recordNumber, searchWords, updatedAt } from '../../platform/database/columns.ts';

export const posts = pgTable('posts', {
  id: text('id').primaryKey(),
  creatorId: text('creator_id').notNull(),
  caption: text('caption').notNull().default(''),
  imageId: text('image_id'),
  location: text('location').notNull().default(''),
  tags: text('tags').array().notNull().default([]),
  usedDp: boolean('used_dp').notNull().default(false),
  totalLikes: integer('total_likes').notNull().default(0),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  number: recordNumber(),
});

/** What a search reads of a post; written by triggers (decision 0034). */
export const postSearch = pgTable('post_search', {
  number: bigint('number', { mode: 'number' }).primaryKey(),
  creatorId: text('creator_id').notNull(),
  words: searchWords(),
});

/**
 * The position of a post among the popular ones: `popularAt` moves with its likes, in the same statement (decision
 * 0034).
 */
export const postPopularity = pgTable('post_popularity', {
  postId: text('post_id').primaryKey(),
  popularAt: moment('popular_at').notNull(),
  /** That of the post, here for lists in its order: an index of it in `posts` would make each like write all of its indexes. */
  totalLikes: integer('total_likes').notNull().default(0),
});

export const postLikes = pgTable(
  'post_likes',
  {
    id: text('id').notNull(),
    whoLiked: text('who_liked').notNull(),
    postId: text('post_id').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.whoLiked, table.postId] })],
);

export const saves = pgTable(
  'saves',
  {
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    postId: text('post_id').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.postId] })],
);
