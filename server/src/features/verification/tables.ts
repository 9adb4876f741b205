import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../platform/database/columns.ts';

export const verifications = pgTable('verifications', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  idFrontId: text('id_front_id'),
  idBackId: text('id_back_id'),
  photoId: text('photo_id'),
  address: text('address').notNull(),
  valid: boolean('valid'),
  acceptedAt: moment('accepted_at'),
  createdAt: createdAt(),
});
