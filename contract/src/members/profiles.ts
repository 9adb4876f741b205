import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { nowMs } from '../clock.ts';
import { Day, Id, Picture, Rating, Time, text } from '../fields.ts';
import { adultAge, birthDate, profileLength, search, searchLength, timeZone } from '../limits.ts';
import { getPage, Page } from '../page.ts';
import { VerificationDecline } from './verification-declines.ts';

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

/** A text of the About section: its field of the form, and where a profile shows it. */
interface AboutText {
  label: string;
  hint?: string;
  autoComplete?: string;
  /** Lines of a field of several. */
  rows?: number;
  /** Its place among the facts of a profile; without one it stands above them. */
  place?: number;
  /** Callers of §7 do not send it: it may be left out, and then stays. */
  added?: true;
  /** A report of the member does not copy it. */
  unreported?: true;
}

/**
 * The texts that members write about themselves (§5), which every member sees, in the order of the form. Columns, replies,
 * documents, forms, reports, exports and deletions follow from this table; their lengths are `profileLength`.
 */
export const aboutTexts = {
  bio: { label: 'Bio', rows: 3 },
  city: {
    label: 'City',
    hint: 'People and plans of your city come first.',
    autoComplete: 'address-level2',
    place: 0,
    added: true,
  },
  gender: { label: 'Gender', hint: 'Male / Female', autoComplete: 'sex', place: 5, unreported: true },
  lookingFor: { label: 'Looking for', hint: 'Who would you like to meet?', place: 3 },
  hobby: { label: 'Hobby', hint: 'Separate several with commas.', place: 4 },
  workingAs: {
    label: 'Working as',
    hint: 'For example nurse, barista or student.',
    autoComplete: 'organization-title',
    place: 1,
    added: true,
  },
  education: { label: 'Education', place: 2 },
} as const satisfies Partial<Record<keyof typeof profileLength, AboutText>>;
export type AboutTextName = keyof typeof aboutTexts;

/** The same for reading by any name. */
const aboutTable: Readonly<Record<AboutTextName, AboutText>> = aboutTexts;
/** Every text with its name, in the order of the form. */
export const aboutFields = Object.entries(aboutTable).map(([name, field]) => ({
  name: name as AboutTextName,
  ...field,
}));
/** The texts as a profile shows them: what stands above the facts, then the facts by their place. */
export const shownAboutFields = aboutFields.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));

/** What two spellings of a city have in common; empty for none. */
export const cityKey = (city: string): string => city.trim().toLowerCase();

/** The interests of the field `hobby`, which are separated by commas. */
export const hobbiesOf = ({ hobby }: { hobby: string }): string[] => [
  ...new Map(
    hobby
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => [name.toLowerCase(), name]),
  ).values(),
];

/** Something for each text. */
export const eachAboutText = <Value>(make: (name: AboutTextName) => Value) =>
  Object.fromEntries(aboutFields.map(({ name }) => [name, make(name)])) as Record<AboutTextName, Value>;

export const Profile = z.extend(Person, {
  /** Empty until set; of the facts shown as 'Not set yet.' (decisions §2). */
  ...eachAboutText(() => z.string()),
  /** Reviews about the member, and meetings on both sides. */
  rating: Rating,
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
  /** Why the latest verification request was declined, until the next one is sent. */
  verificationDecline: z.nullable(VerificationDecline),
  /** Whether people who are not signed in see the member's posts behind shared links. */
  sharesPosts: z.boolean(),
  limitedPlan: z.int(),
  totalPlan: z.int(),
  totalInteraction: z.int(),
});
export type OwnProfile = z.infer<typeof OwnProfile>;

/** Made when it is first needed: the first use of Intl takes a tenth of a second of a phone's first screen. */
let isoDay: Intl.DateTimeFormat | undefined;

/** The day of a time, `YYYY-MM-DD`, in the product's time zone. */
export function philippineDay(at: number | Date): string {
  isoDay ??= new Intl.DateTimeFormat('sv-SE', { timeZone });
  return isoDay.format(at);
}

/** The present day, as `philippineDay`. */
export const today = (): string => philippineDay(nowMs());

/** The rules of a birth date, for every text that is not `exempt`. */
const birthDateRules = (exempt?: string) => {
  const rule = (isMet: (day: string) => boolean, error: string) =>
    z.refine<string>((day) => day === exempt || isMet(day), { error, abort: true });
  return [
    rule((day) => z.safeParse(Day, day).success, 'Must be a date'),
    rule((day) => day >= birthDate.earliest, 'Must be on or after 1900-01-01.'),
    rule((day) => day <= today(), 'Must not be in the future.'),
  ];
};

/** A day between 1900-01-01 and today (§5). */
export const BirthDate = z.string().check(...birthDateRules());

/** Why a member of this birth date may not buy or sell plans, or true (decisions §2). */
export function adultVerdict(bDay: string | null): true | 'plan_birth_date_missing' | 'plan_under_age' {
  if (bDay === null) return 'plan_birth_date_missing';
  return bDay <= latestAdultBirthDate() ? true : 'plan_under_age';
}

/** The last birth date, `YYYY-MM-DD`, of people who are 18 years old today. */
export function latestAdultBirthDate(): string {
  const now = today();
  return `${Number(now.slice(0, 4)) - adultAge}${now.slice(4)}`;
}

/**
 * Whether a member can no longer change the birth date: from the verification request on, so that an admin verifies the
 * date that stays. A date that is missing can be added.
 */
export function isBirthDateFixed({
  bDay,
  sentVerifiedReq,
  verified,
}: Pick<OwnProfile, 'bDay' | 'sentVerifiedReq' | 'verified'>): boolean {
  return bDay !== null && (sentVerifiedReq || verified === true);
}

/** The form 'About Section' (§5). */
export const About = z.strictObject({
  ...eachAboutText((name) => text(profileLength[name])),
  /** Empty for none. */
  birthDate: z.string().check(...birthDateRules('')),
  /** Any text (§5); payouts need a mobile number in it, see `mobileNumber`. */
  phoneNumber: text(profileLength.phoneNumber),
});
export type About = z.infer<typeof About>;

type AddedName = {
  [Name in AboutTextName]: (typeof aboutTexts)[Name] extends { added: true } ? Name : never;
}[AboutTextName];
const added = Object.fromEntries(
  aboutFields.filter((field) => field.added).map(({ name }) => [name, z.optional(About.shape[name])]),
) as { [Name in AddedName]: z.ZodMiniOptional<(typeof About.shape)[Name]> };
/** What a caller of §7 sends of it: what was added may be left out, and then stays. */
export const AboutChange = z.extend(About, added);
export type AboutChange = z.infer<typeof AboutChange>;

/**
 * The e-wallet number of a phone number: digits as dialled in the Philippines, empty without digits. It is the same
 * for each spelling of a number: `+63 917 …` and `0917 …`.
 */
export function payoutNumber(phoneNumber: string): string {
  const digits = phoneNumber.replace(/\D/g, '');
  return /^63\d{10}$/.test(digits) ? `0${digits.slice(2)}` : digits;
}

/** The digits of such a number, as a regular expression of JavaScript and of Postgres. */
export const mobileDigits = '^((0|63)9[0-9]{9}|99999999000[0-9])$';
const mobilePattern = new RegExp(mobileDigits);

/**
 * The number of a mobile phone in the Philippines, as e-wallets know it (`0917…`), or one of the accounts that the
 * provider has for tests; null for any other text.
 */
export function mobileNumber(phoneNumber: string): string | null {
  return mobilePattern.test(phoneNumber.replace(/\D/g, '')) ? payoutNumber(phoneNumber) : null;
}

/** The name of a search box for `profiles.people`. */
export const peopleSearchLabel = 'Search people by name or hobby';

const ProfileId = z.object({ id: Id });

export const profiles = calls('/api/profile', {
  get: get('/one/:id', {
    summary: 'A member’s profile, with its private fields for its owner.',
    params: ProfileId,
    reply: z.union([OwnProfile, Profile]),
    errors: ['profile_not_found'],
  }),
  people: getPage('/people', Profile, {
    summary: `Other members, 20 a page: those of your city, then the others, each with those first who have a photo, a bio, a verified identity and meetings (decision 0002). \`search\`: the best ${search.results} of the newest ${search.newestHits} that have all words in name, username or hobby.`,
    query: z.extend(Page, { search: z.optional(text(searchLength)) }),
  }),
  friends: getPage('/friends', Profile, {
    summary: 'Your friend list, the newest first, 20 a page. Nobody else reads it (§6).',
  }),
  removeFriend: post('/removeFriend', {
    whileDiskFull: true,
    summary: 'Removes a member from your friend list; theirs stays as it is, and they are not told.',
    body: z.strictObject({ friendId: Id }),
    errors: ['friend_not_found'],
  }),
  updateAbout: post('/updateAbout', {
    summary:
      'Changes your About section. A new phone number requires a recent password, because payouts go to it; the birth date is fixed from the verification request on.',
    recentPassword: 'sometimes',
    body: AboutChange,
    reply: OwnProfile,
    errors: ['profile_not_found', 'profile_birth_date_fixed'],
  }),
  updatePicture: post('/updatePicture', {
    summary: 'Sets an uploaded picture as your profile picture.',
    body: z.strictObject({ imageId: Id }),
    reply: OwnProfile,
    errors: ['profile_not_found', 'storage_file_not_found'],
  }),
  updateSharing: post('/updateSharing', {
    summary: 'Sets whether people who are not signed in see your posts behind shared links.',
    body: z.strictObject({ sharesPosts: z.boolean() }),
    reply: OwnProfile,
    errors: ['profile_not_found'],
  }),
});
