import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes } from '../database/columns.ts';

/** By which a node proves that it has the keys that the database was used with. */
export const keyChecks = pgTable(
  'key_checks',
  { name: text('name').notNull(), value: bytes('value').notNull() },
  ({ name, value }) => [primaryKey({ columns: [name, value] })],
);
