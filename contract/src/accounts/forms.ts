import * as z from 'zod/mini';
import { Id } from '../fields.ts';
import { nameLength, passwordLength, usernameLength } from '../limits.ts';

/** What identifies an account, and the forms that take it. */

const nameRules = (name: string, min: number, max: number) =>
  [
    z.trim(),
    z.minLength(min, 'Too short'),
    z.maxLength(max, 'Too long'),
    z.regex(/^[\p{L}\p{N} ]*$/u, `${name} must contain only letters and numbers`),
    // Such as the Hangul filler, which counts as a letter and shows nothing.
    z.regex(
      /^\P{Default_Ignorable_Code_Point}*$/u,
      `${name} must not contain characters that cannot be seen`,
    ),
  ] as const;

/** A letter may come in two characters, itself and its accent, as some keyboards write it: they are made one first. */
export const Name = z
  .string()
  .check(z.normalize('NFC'), ...nameRules('Name', nameLength.min, nameLength.max));

/** A name without what it must not contain, such as `Zoë ONeil` for `Zoë O'Neil`; empty where that is no name. */
export function allowedName(text: string): string {
  const name = text
    .normalize('NFC')
    .replaceAll(/[-‐‑–—/_.]+(?=[\p{L}\p{N}])/gu, ' ')
    .replaceAll(/[^\p{L}\p{N} ]|\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return Name.safeParse(name).success ? name : '';
}

/** A username as members of before have it: what they are looked up by. */
export const KnownUsername = z
  .string()
  .check(...nameRules('Username', usernameLength.min, usernameLength.max));
/** Usernames are compared in lower case, so only letters that no other character becomes then are taken. */
export const Username = KnownUsername.check(
  z.regex(/^[\x20-\x7e]*$/, 'Username must contain only the letters a to z and numbers'),
);

/** Checked before it is lower-cased: some characters, such as the Kelvin sign, become ASCII letters then. */
export const Email = z.pipe(
  z
    .string()
    .check(
      z.trim(),
      z.regex(/^\p{ASCII}*$/u, { error: 'Email must not contain characters such as ñ or é', abort: true }),
      z.toLowerCase(),
      z.maxLength(254, 'Too long'),
    ),
  z.email('Invalid email'),
);

export const Password = z
  .string()
  .check(
    z.minLength(passwordLength.min, `Password must be at least ${passwordLength.min} characters.`),
    z.maxLength(passwordLength.max, `Password must be at most ${passwordLength.max} characters.`),
  );

/** The password of the session's account, which proves that its owner is acting. */
export const CurrentPassword = z
  .string()
  .check(z.minLength(1, 'Enter your password.'), z.maxLength(passwordLength.max, 'Too long'));

/** Digits as dialled from abroad: without spaces and signs, and a Philippine mobile number with its country and without its zero. */
const toInternational = (text: string) =>
  text.replace(/[\s().-]/g, '').replace(/^(\+63)?0(?=9\d{9}$)/, '+63');

/** A phone number to sign in with, E.164 once read (decisions §1); empty for none. */
export const Phone = z
  .string()
  .check(
    z.maxLength(40, 'Too long'),
    z.overwrite(toInternational),
    z.regex(/^(\+[1-9]\d{6,14})?$/, 'Must be a phone number, such as +63 917 123 4567'),
  );

/** A secret of a mail or text, with the account that it was sent to. */
export const SentSecret = z.object({
  userId: Id,
  secret: z.string().check(z.minLength(1), z.maxLength(256)),
});

/** A form that changes how one signs in: the new value with the current password. */
export const ChangeEmail = z.strictObject({ email: Email, password: CurrentPassword });
export const ChangePhone = z.strictObject({ phone: Phone, password: CurrentPassword });
export const ChangeName = z.strictObject({ name: Name });
export const ChangeUsername = z.strictObject({ username: Username });

/** A box that has to be ticked. */
const ticked = (message: string) => z.boolean().check(z.refine((value) => value, message));

/** What every member agrees to once, and again when the terms change (`termsVersion`). */
export const Consent = z.strictObject({
  isAdult: ticked('Tara is for people of 18 years and older.'),
  acceptsTerms: ticked('Please agree to both to go on.'),
});

/** The form of /consent, with the name of an account that has none, such as one that a sign-in at a provider made. */
export const GiveConsent = z.strictObject({ ...Consent.shape, name: z.optional(Name) });

/** The form of /sign-up (§5). */
export const SignUp = z.strictObject({
  name: Name,
  username: Username,
  email: Email,
  password: Password,
  ...Consent.shape,
});
export type SignUp = z.infer<typeof SignUp>;

/** The form of /sign-in (§5). */
export const SignIn = z.strictObject({ email: Email, password: Password });
export type SignIn = z.infer<typeof SignIn>;
