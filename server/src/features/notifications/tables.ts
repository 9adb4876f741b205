import type { Stage } from '@tara/contract/interactions/stages';
import { sql } from 'drizzle-orm';
import { bigint, boolean, jsonb, pgTable, pgView, smallint, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../platform/database/columns.ts';

/** Each event once for each person who is notified of it. */
export const notifications = pgTable('notifications', {
  id: text('id').primaryKey().default(sql`replace(gen_random_uuid()::text, '-', '')`),
  profileId: text('profile_id').notNull(),
  event: text('event').notNull(),
  groupName: text('group_name').notNull(),
  interactionId: text('interaction_id'),
  recordId: text('record_id').notNull().default(''),
  occasion: text('occasion').notNull().default(''),
  actorId: text('actor_id'),
  details: jsonb('details').$type<Record<string, string>>().notNull().default({}),
  inApp: boolean('in_app').notNull(),
  createdAt: createdAt(),
  readAt: moment('read_at'),
  deliveredAt: moment('delivered_at'),
  mailTo: text('mail_to'),
  pushedAt: moment('pushed_at'),
  /** Until when its email, and its push, are held up. */
  mailHeldUntil: moment('mail_held_until'),
  pushHeldUntil: moment('push_held_until'),
});

/** How notifications reach a member; without a row the defaults hold. */
export const notificationSettings = pgTable('notification_settings', {
  profileId: text('profile_id').primaryKey(),
  /** As `choiceKey` writes them. */
  switchedOff: text('switched_off').array().notNull().default([]),
  quietFrom: smallint('quiet_from'),
  quietUntil: smallint('quiet_until'),
  timeZone: text('time_zone').notNull().default('Asia/Manila'),
  dailyEmail: boolean('daily_email').notNull().default(true),
  pausedUntil: moment('paused_until'),
  /** Chats of whose messages the push is held up. */
  heldChats: text('held_chats').array().notNull().default([]),
});

/** What notifications say of a request, and its plan chat: the features of those build on this one. */
export const notificationRequests = pgView('notification_requests', {
  id: text('id').notNull(),
  planTitle: text('plan_title').notNull(),
  priceCentavos: bigint('price_centavos', { mode: 'number' }).notNull(),
  clientId: text('client_id').notNull(),
  creatorId: text('creator_id').notNull(),
  paidAt: moment('paid_at'),
  chatId: text('chat_id'),
  isOpen: boolean('is_open').notNull(),
  stage: text('stage').$type<Stage>().notNull(),
}).existing();

/** Whom notifications reach: accounts and profiles notify as well. */
export const notificationRecipients = pgView('notification_recipients', {
  profileId: text('profile_id').notNull(),
  accountId: text('account_id').notNull(),
  /** Null while it is not confirmed. */
  email: text('email'),
  isAdmin: boolean('is_admin').notNull(),
  /** Banned, suspended or about to be deleted. */
  isClosed: boolean('is_closed').notNull(),
}).existing();
