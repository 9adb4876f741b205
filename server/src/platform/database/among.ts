import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** Texts as Postgres reads a text[]. */
export const arrayText = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;

/**
 * Whether a column has one of these texts, however many they are: they are one parameter. `inArray` has one for each, of which a
 * statement takes 65,534, and is for lists with a limit.
 */
export const isAmong = (column: SQLWrapper, texts: readonly string[]): SQL =>
  sql`${column} = any(${arrayText(texts)}::text[])`;

/** Whether a column has none of these texts, as `isAmong`. */
export const isNotAmong = (column: SQLWrapper, texts: readonly string[]): SQL =>
  sql`${column} <> all(${arrayText(texts)}::text[])`;
