import * as z from 'zod/mini';

/** A record's id: random from its first character (decisions §2), in the format the backend service allows. */
export const Id = z
  .string()
  .check(z.regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,35}$/, 'Must be an id of 1 to 36 characters'));

/** The id of a record, or none: as §7 writes it an empty text, also null. */
export const OptionalId = z.pipe(
  z.nullish(z.union([z.literal(''), Id], 'Must be empty or an id of 1 to 36 characters')),
  z.transform((id) => (id === '' ? null : id)),
);

/**
 * Chosen by the device: sending the same again with it stores it once. Without one the server draws one, and sending it
 * again stores it again.
 */
export const ClientKey = z.optional(z.string().check(z.minLength(8), z.maxLength(64)));

/** The id of a new record of the backend service's wire: `unique()` lets the server choose one. */
export const NewId = z.union([z.literal('unique()'), Id]);

/** ISO time with milliseconds and `+00:00`. */
export const Time = z.string();

/** A calendar day that exists, `YYYY-MM-DD`. */
export const Day = z.iso
  .date({ error: 'Must be a date', abort: true })
  // The database knows no year 0.
  .check(z.refine((day) => !day.startsWith('0000'), { error: 'Must be a date', abort: true }));

/** Largest value of a Postgres `integer` column. */
export const largestInteger = 2_147_483_647;

/** A whole number in a request body, by default within the range of an `integer` column. */
export const wholeNumber = (min = 0, max = largestInteger) =>
  z.int('Must be a whole number.').check(...between(min, max));

/** A whole number in a query: a string of digits, or a number when the schema is used in code. */
export const queryNumber = (min = 0, max = largestInteger) =>
  z.pipe(
    z.union([z.int(), z.string().check(z.regex(/^\d{1,16}$/))], 'Must be a whole number.'),
    z.coerce.number<number | string>().check(...between(min, max)),
  );

const between = (min: number, max: number) => {
  const message = `Must be ${min} to ${max}.`;
  return [z.minimum(min, message), z.maximum(max, message)];
};

/** A text field of a form: trimmed, at most `max` characters. */
export const text = (max: number) => z.string().check(z.trim(), z.maxLength(max, tooLong(max)));

export const tooLong = (max: number) => `Must be at most ${max} characters.`;

/**
 * Stars and meetings of a member or a plan. The totals count everybody, also members who are hidden from the viewer.
 */
export const Rating = z.object({
  /** Mean stars of the reviews on their scale of 0 to 10; null without reviews. */
  stars: z.nullable(z.number()),
  totalReviews: z.int(),
  totalMeetings: z.int(),
});
export type Rating = z.infer<typeof Rating>;

/**
 * A picture in a reply. `imageUrl` has no size; `?width=` selects a stored variant.
 * A profile without an uploaded picture shows its initials: then `imageId` is null (§3).
 */
export const Picture = z.object({
  imageId: z.nullable(z.string()),
  imageUrl: z.string(),
  width: z.int(),
  height: z.int(),
  /** Widths in pixels of the stored variants, ascending; none for initials, which are drawn in any size. */
  widths: z.array(z.int()),
  /** Thumbhash in base64, shown until the picture is loaded. */
  thumbhash: z.nullable(z.string()),
  /** Alternative text, written by the member. */
  alt: z.string(),
});
export type Picture = z.infer<typeof Picture>;
