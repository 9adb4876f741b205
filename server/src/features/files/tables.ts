import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment, updatedAt } from '../../platform/database/columns.ts';

export const files = pgTable('files', {
  id: text('id').primaryKey(),
  bucket: text('bucket', { enum: ['images', 'messageFiles', 'verificationFiles'] }).notNull(),
  ownerAccountId: text('owner_account_id'),
  name: text('name').notNull().default(''),
  mimeType: text('mime_type').notNull(),
  size: integer('size').notNull(),
  signature: text('signature').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  thumbhash: text('thumbhash').notNull(),
  alt: text('alt').notNull().default(''),
  variants: integer('variants').array().notNull().default([]),
  usedAt: moment('used_at'),
  readers: text('readers').array(),
  chosenId: text('chosen_id'),
  parts: integer('parts').notNull().default(1),
  path: text('path'),
  checksums: text('checksums').array().notNull().default([]),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** Uploads whose parts are not all there yet. */
export const uploads = pgTable('uploads', {
  id: text('id').primaryKey(),
  ownerAccountId: text('owner_account_id').notNull(),
  bucket: text('bucket', { enum: ['images', 'messageFiles', 'verificationFiles'] }).notNull(),
  chosenId: text('chosen_id'),
  name: text('name').notNull().default(''),
  size: integer('size').notNull(),
  parts: integer('parts').array().notNull().default([]),
  path: text('path'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** Objects of the store that no row refers to: those about to be written, and those to be removed. */
export const objectRemovals = pgTable('object_removals', {
  key: text('key').primaryKey(),
  dueAt: moment('due_at').notNull(),
});
