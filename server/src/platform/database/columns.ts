import { timestamp } from 'drizzle-orm/pg-core';

/** A moment with milliseconds: what JavaScript can hold, so that a cursor equals the stored value. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const createdAt = () => moment('created_at').notNull().defaultNow();
export const updatedAt = () => moment('updated_at').notNull().defaultNow();
