import * as z from 'zod/mini';
import { calls, get, post } from './calls.ts';
import { Day, Id, Picture, Time, text } from './fields.ts';
import { birthDate, profileLength, searchLength } from './limits.ts';
import { Page, pageOf } from './page.ts';

/** A member as shown beside their posts, plans and reviews. */
export const Person = z.object({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  username: z.string(),
  picture: Picture,
  /** true once an admin accepted the identity, otherwise null (§3). */
  verified: z.nullable(z.boolean()),
});
export type Person = z.infer<typeof Person>;

export const Profile = z.extend(Person, {
  bio: z.string(),
  education: z.string(),
  lookingFor: z.string(),
  hobby: z.string(),
  gender: z.string(),
  createdAt: Time,
  /** Whether the reader muted the member; only where one profile is read. */
  muted: z.optional(z.boolean()),
});
export type Profile = z.infer<typeof Profile>;

/** A profile with the fields that only its owner gets (decisions §2). */
export const OwnProfile = z.extend(Profile, {
  email: z.string(),
  phoneNumber: z.string(),
  /** When payouts start to go to a changed phone number; null when no change is pending. */
  payoutNumberFrom: z.nullable(Time),
  bDay: z.nullable(z.string()),
  sentVerifiedReq: z.boolean(),
  limitedPlan: z.int(),
  totalPlan: z.int(),
  totalInteraction: z.int(),
});
export type OwnProfile = z.infer<typeof OwnProfile>;

/** A day between 1900-01-01 and today (§5). */
export const BirthDate = Day.check(
  z.refine((day) => day >= birthDate.earliest, 'Must be on or after 1900-01-01.'),
  z.refine((day) => day <= new Date().toISOString().slice(0, 10), 'Must not be in the future.'),
);

/** The form 'About Section' (§5). */
export const About = z.strictObject({
  bio: text(profileLength.bio),
  gender: text(profileLength.gender),
  lookingFor: text(profileLength.lookingFor),
  hobby: text(profileLength.hobby),
  education: text(profileLength.education),
  birthDate: BirthDate,
  phoneNumber: text(profileLength.phoneNumber).check(z.regex(/^\+?[\d ()-]*$/, 'Must be a phone number')),
});
export type About = z.infer<typeof About>;

/**
 * The e-wallet number of a phone number: digits as dialled in the Philippines, empty without digits. It is the same
 * for each spelling of a number: `+63 917 …` and `0917 …`.
 */
export function payoutNumber(phoneNumber: string): string {
  const digits = phoneNumber.replace(/\D/g, '');
  return /^63\d{10}$/.test(digits) ? `0${digits.slice(2)}` : digits;
}

const ProfileId = z.object({ id: Id });

export const profiles = calls('/api/profile', {
  get: get('/one/:id', {
    summary: 'A member’s profile, with its private fields for its owner.',
    params: ProfileId,
    reply: z.union([OwnProfile, Profile]),
    errors: ['profile_not_found'],
  }),
  people: get('/people', {
    summary: 'Other members, last updated first, 20 a page; `search` filters by name (§7).',
    query: z.extend(Page, { search: z.optional(z.string().check(z.trim(), z.maxLength(searchLength))) }),
    reply: pageOf(Profile),
  }),
  updateAbout: post('/updateAbout', {
    summary:
      'Changes your About section. A new phone number requires a recent password, because payouts go to it.',
    recentPassword: 'sometimes',
    body: About,
    reply: OwnProfile,
    errors: ['profile_not_found'],
  }),
  updatePicture: post('/updatePicture', {
    summary: 'Sets an uploaded picture as your profile picture.',
    body: z.strictObject({ imageId: Id }),
    reply: OwnProfile,
    errors: ['profile_not_found', 'storage_file_not_found'],
  }),
});
