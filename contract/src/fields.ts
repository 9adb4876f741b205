import * as z from 'zod/mini';

/** A record's id: random from its first character (decisions §2), the shape the backend service allows. */
export const Id = z
  .string()
  .check(z.regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,35}$/, 'Must be an id of 1 to 36 characters'));

/** ISO time with milliseconds and `+00:00`. */
export const Time = z.string();

/** A calendar day that exists, `YYYY-MM-DD`. */
export const Day = z.iso.date({ error: 'Must be a date', abort: true });

/** Largest value of a whole number's column (Postgres `integer`). */
export const largestInteger = 2_147_483_647;

/** A whole number of a body; its bounds are those of its column unless they are narrower. */
export const wholeNumber = (least = 0, most = largestInteger) =>
  z.int('Must be a whole number.').check(...between(least, most));

/** A whole number of a query: written in digits, or a number where a program calls. */
export const queryNumber = (least = 0, most = largestInteger) =>
  z.pipe(
    z.union([z.int(), z.string().check(z.regex(/^\d{1,16}$/))], 'Must be a whole number.'),
    z.coerce.number<number | string>().check(...between(least, most)),
  );

const between = (least: number, most: number) => {
  const rule = `Must be ${least} to ${most}.`;
  return [z.minimum(least, rule), z.maximum(most, rule)];
};

/** A field that callers of §7 send and the server does not read: whatever it holds is dropped at once. */
export const ignored = z.pipe(
  z.optional(z.unknown()),
  z.transform(() => undefined),
);

/** Text of a form: trimmed, at most `max` characters. */
export const text = (max: number) => z.string().check(z.trim(), z.maxLength(max, tooLong(max)));

export const tooLong = (max: number) => `Must be at most ${max} characters.`;
export const tooShort = (min: number) => `Must be at least ${min} characters.`;

/**
 * A picture as a member sees it. `imageUrl` is without a size; `?width=` picks the stored variant.
 * The first picture of a profile is made of its initials: then `imageId` is null (§3).
 */
export const Picture = z.object({
  imageId: z.nullable(z.string()),
  imageUrl: z.string(),
  width: z.int(),
  height: z.int(),
  /** base64 of a thumbhash, shown until the picture is there. */
  thumbhash: z.nullable(z.string()),
  /** What the picture shows, in the member's words. */
  alt: z.string(),
});
export type Picture = z.infer<typeof Picture>;
