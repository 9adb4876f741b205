import { timeZone } from '@tara/contract/limits';
import { sql } from 'drizzle-orm';

/** The beginning of a day in the Philippines, and of the day after. */
export const dayStart = (day: string) => sql`${day}::timestamp at time zone ${timeZone}`;
export const dayEnd = (day: string) => sql`(${day}::timestamp + interval '1 day') at time zone ${timeZone}`;
