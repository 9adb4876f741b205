import { bigint, jsonb, pgTable, pgView, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../platform/database/columns.ts';

/** Each event of a request once for each person who is notified of it. */
export const notices = pgTable(
  'notices',
  {
    interactionId: text('interaction_id').notNull(),
    event: text('event').notNull(),
    occasion: text('occasion').notNull().default(''),
    profileId: text('profile_id').notNull(),
    details: jsonb('details').$type<Record<string, string>>().notNull().default({}),
    createdAt: createdAt(),
    deliveredAt: moment('delivered_at'),
  },
  ({ interactionId, event, occasion, profileId }) => [
    primaryKey({ columns: [interactionId, event, occasion, profileId] }),
  ],
);

/** What notices say of a request, and its plan chat: the features of those build on this one. */
export const noticeRequests = pgView('notice_requests', {
  id: text('id').notNull(),
  planTitle: text('plan_title').notNull(),
  priceCentavos: bigint('price_centavos', { mode: 'number' }).notNull(),
  clientId: text('client_id').notNull(),
  creatorId: text('creator_id').notNull(),
  paidAt: moment('paid_at'),
  chatId: text('chat_id'),
}).existing();
