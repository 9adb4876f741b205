import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, updatedAt } from '../../platform/database/columns.ts';

export const plans = pgTable('plans', {
  id: text('id').primaryKey(),
  creatorId: text('creator_id').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull().default(''),
  time: text('time').notNull().default(''),
  priceCentavos: bigint('price_centavos', { mode: 'number' }).notNull(),
  imageId: text('image_id').notNull(),
  terms: text('terms').notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
