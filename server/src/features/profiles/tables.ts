import { defaultUsername, startLimitedPlan } from '@tara/contract/limits';
import { eachAboutText } from '@tara/contract/members/profiles';
import type { DeclineReason } from '@tara/contract/members/verification-declines';
import { sql } from 'drizzle-orm';
import { boolean, date, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { createdAt, moment, recordNumber, searchWords, updatedAt } from '../../platform/database/columns.ts';

const columnName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const profiles = pgTable('profiles', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  name: text('name').notNull(),
  username: text('username').notNull().default(defaultUsername),
  phoneNumber: text('phone_number').notNull().default(''),
  payoutNumberFrom: moment('payout_number_from'),
  imageId: text('image_id'),
  ...eachAboutText((name) => text(columnName(name)).notNull().default('')),
  birthDate: date('birth_date', { mode: 'string' }),
  sharesPosts: boolean('shares_posts').notNull().default(false),
  sentVerifiedReq: boolean('sent_verified_req').notNull().default(false),
  verified: boolean('verified'),
  declineReason: text('decline_reason').$type<DeclineReason>(),
  declineNote: text('decline_note'),
  verifiedName: text('verified_name'),
  limitedPlan: integer('limited_plan').notNull().default(startLimitedPlan),
  totalPlan: integer('total_plan').notNull().default(0),
  totalInteraction: integer('total_interaction').notNull().default(0),
  totalReviews: integer('total_reviews').notNull().default(0),
  totalStars: integer('total_stars').notNull().default(0),
  cityKey: text('city_key').notNull().generatedAlwaysAs(sql`null`),
  completeness: smallint('completeness').notNull().generatedAlwaysAs(sql`null`),
  friendsRemovedAt: moment('friends_removed_at'),
  deletedAt: moment('deleted_at'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  number: recordNumber(),
  words: searchWords(),
});

export const friends = pgTable(
  'friends',
  { ownerId: text('owner_id').notNull(), friendId: text('friend_id').notNull(), createdAt: createdAt() },
  (table) => [primaryKey({ columns: [table.ownerId, table.friendId] })],
);
