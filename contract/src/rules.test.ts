import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { accounts } from './accounts/accounts.ts';
import { SignIn, SignUp } from './accounts/forms.ts';
import type { Schema } from './calls.ts';
import { nowDate, nowMs } from './clock.ts';
import { NewInteraction } from './interactions/interactions.ts';
import { MeetingForm } from './interactions/meetings.ts';
import { birthDate } from './limits.ts';
import { About, eachAboutText } from './members/profiles.ts';
import { VerificationForm } from './members/verification.ts';
import { DeclineFields } from './members/verification-declines.ts';
import { SendReceiptMessage } from './messages/receipts.ts';
import { NewPlan, PlanFormFields } from './plans/plans.ts';
import { NewReview, ReviewFormFields } from './plans/reviews.ts';
import { NewPost, PostChange, PostFormFields, QuickPost } from './posts/posts.ts';

/** A text of `count` characters that breaks no rule but one about length. */
const long = (count: number) => 'x'.repeat(count);
const today = () => nowDate().toISOString().slice(0, 10);
const inDays = (days: number) => new Date(nowMs() + days * 86_400_000).toISOString().slice(0, 10);
const tomorrow = () => inDays(1);

/** One form of §5 with a valid input, and the values that break its rules and have no row of their own: field, value, message. */
interface Form {
  schema: Schema;
  good: Record<string, unknown>;
  /** Values at the limit of a rule that are still valid. */
  edges: Array<[field: string, value: unknown]>;
  wrong: Array<[field: string, value: unknown, message: string]>;
}

/** Texts of the most characters that these fields take, and of one more. */
const longest = (lengths: Record<string, number>): Form['edges'] =>
  Object.entries(lengths).map(([field, max]) => [field, long(max)]);
const tooLong = (lengths: Record<string, number>): Form['wrong'] =>
  Object.entries(lengths).map(([field, max]) => [field, long(max + 1), `Must be at most ${max} characters.`]);

const nameRules: Form['wrong'] = [
  ['name', '  A  ', 'Too short'],
  ['username', 'a', 'Too short'],
];
const signInRules: Form['wrong'] = [
  ['email', '', 'Invalid email'],
  ['email', 'ana', 'Invalid email'],
  ['email', 'ana@example', 'Invalid email'],
  ['password', '', 'Password must be at least 8 characters.'],
  ['password', long(257), 'Password must be at most 256 characters.'],
];
const postLengths = { caption: 5000, location: 100, tags: 300 };
const postRules = tooLong(postLengths);
const postEdges: Form['edges'] = [['caption', ''], ...longest(postLengths)];
const planLengths = { title: 30, desc: 5000, time: 10, place: 100 };
const aboutLengths = {
  bio: 255,
  city: 40,
  gender: 15,
  lookingFor: 100,
  hobby: 80,
  workingAs: 30,
  education: 30,
};
const noId = 'Must be an id of 1 to 36 characters';

const post = { caption: 'A day', location: 'Cebu', tags: 'sea, sun' };
const place = { durationMinutes: 90, place: 'Luneta Park' };
const plan = { title: 'Island day', desc: '', time: '6-9 pm', price: 100, terms: long(20), ...place };
const review = { caption: 'Good', location: '', stars: 10 };

const forms: Record<string, Form> = {
  'Sign-up': {
    schema: SignUp,
    good: {
      ...{ name: 'Ana Cruz', username: 'Ana 1', email: 'ana@example.com', password: long(8) },
      ...{ isAdult: true, acceptsTerms: true },
    },
    edges: [
      ['name', 'Al'],
      ['name', long(20)],
      ['name', 'Peña Ñ 3'],
      ['name', 'Zoe\u0308'],
      ['username', 'Al'],
      ['username', long(15)],
      ['password', long(256)],
    ],
    wrong: [
      ...nameRules,
      ...signInRules,
      ['isAdult', false, 'Tara is for people of 18 years and older.'],
      ['acceptsTerms', false, 'Please agree to both to go on.'],
    ],
  },
  'Sign-in': {
    schema: SignIn,
    good: { email: 'ana@example.com', password: long(8) },
    edges: [['email', '  ANA@example.com ']],
    wrong: signInRules,
  },
  'Resend email': {
    schema: accounts.resendVerification.body,
    good: { username: 'Ana 1' },
    edges: [['username', 'Al']],
    wrong: [['username', '', 'Too short']],
  },
  'Post, the text fields': {
    schema: PostFormFields,
    good: post,
    edges: postEdges,
    wrong: postRules,
  },
  'Post, the call': {
    schema: NewPost,
    good: { ...post, imageId: 'picture' },
    edges: [...postEdges, ['alt', long(300)]],
    wrong: [...postRules, ['alt', long(301), 'Must be at most 300 characters.']],
  },
  'Post, edit': {
    schema: PostChange,
    good: { ...post, postId: 'post' },
    edges: [...postEdges, ['imageId', undefined]],
    wrong: [...postRules, ['postId', '', noId]],
  },
  'Post, quick': {
    schema: QuickPost,
    good: { caption: 'Hello' },
    edges: [['caption', long(5000)]],
    wrong: [
      ['caption', '   ', 'Please write something.'],
      ['caption', long(5001), 'Must be at most 5000 characters.'],
    ],
  },
  Profile: {
    schema: About,
    good: {
      ...eachAboutText(() => ''),
      phoneNumber: '',
      birthDate: birthDate.pickerStart,
    },
    edges: [
      ...longest(aboutLengths),
      ['phoneNumber', '+63 (917) 555-1000'],
      ['birthDate', '2000-02-29'],
      ['birthDate', ''],
    ],
    wrong: [
      ...tooLong(aboutLengths),
      ['phoneNumber', '1'.repeat(31), 'Must be at most 30 characters.'],
      ['birthDate', inDays(2), 'Must not be in the future.'],
      ['birthDate', ' ', 'Must be a date'],
      ['birthDate', '01/02/2001', 'Must be a date'],
      ['birthDate', '2001-02-31', 'Must be a date'],
      ['birthDate', '2001-02-29', 'Must be a date'],
      ['birthDate', '2001-13-01', 'Must be a date'],
    ],
  },
  Plan: {
    schema: PlanFormFields,
    good: plan,
    edges: [
      ...longest(planLengths),
      ['time', ''],
      ['durationMinutes', 30],
      ['durationMinutes', 1440],
      ['price', 0],
      ['price', '150.50'],
      ['price', 9_999_999.99],
      ['terms', long(5000)],
    ],
    wrong: [
      ['title', ' ', 'Please give the plan a title.'],
      ...tooLong(planLengths),
      ['durationMinutes', 29, 'Must be 30 to 1440.'],
      ['durationMinutes', 1441, 'Must be 30 to 1440.'],
      ['durationMinutes', 45.5, 'Must be a whole number.'],
      ['price', -1, 'The price cannot be negative.'],
      ['price', 99.99, 'The price must be at least ₱100.00, or 0 for a free plan.'],
      ['price', 100.001, 'The price has at most two decimals.'],
      ['price', 10_000_000, 'The price must be at most ₱9,999,999.99.'],
      ['terms', long(19), 'Terms must be at least 20 characters.'],
      ['terms', long(5001), 'Terms must be at most 5000 characters.'],
    ],
  },
  'Plan, cover': {
    schema: NewPlan,
    good: { ...plan, imageId: 'cover' },
    edges: [['imageIds', ['1', '2', '3', '4', '5']]],
    wrong: [
      ['imageIds', ['1', '2', '3', '4', '5', '6'], 'At most 5 photos beside the cover.'],
      ['imageIds', ['1', '1'], 'Each photo only once.'],
    ],
  },
  Verification: {
    schema: VerificationForm,
    good: { idFrontId: 'front', idBackId: 'back', photoId: 'photo', address: '12345' },
    edges: [['address', long(100)]],
    wrong: [
      ['address', '1234', 'Address must be at least 5 characters.'],
      ['address', '  1234  ', 'Address must be at least 5 characters.'],
      ['address', long(101), 'Address must be at most 100 characters.'],
    ],
  },
  'Decline of a verification': {
    schema: DeclineFields,
    good: { reason: 'face', note: '' },
    edges: [['note', long(1000)]],
    wrong: [
      ['reason', '', 'Please choose a reason.'],
      ['note', long(1001), 'Must be at most 1000 characters.'],
    ],
  },
  Review: {
    schema: ReviewFormFields,
    good: review,
    edges: [
      ['stars', 0],
      ['caption', long(5000)],
      ['location', long(100)],
    ],
    wrong: [
      ['caption', ' ', 'Please write a few words.'],
      ['caption', long(5001), 'Must be at most 5000 characters.'],
      ['location', long(101), 'Must be at most 100 characters.'],
      ['stars', -1, 'Must be 0 to 10.'],
      ['stars', 11, 'Must be 0 to 10.'],
      ['stars', 4.5, 'Must be a whole number.'],
    ],
  },
  'Review (the call)': {
    schema: NewReview,
    good: { ...review, interactionId: 'request' },
    edges: [
      ['imageId', null],
      ['imageId', 'picture'],
    ],
    wrong: [['interactionId', '', noId]],
  },
  'Day of a request': {
    schema: MeetingForm,
    good: { day: tomorrow(), time: '18:30', place: 'Luneta Park' },
    edges: [
      ['place', long(100)],
      ['time', '00:00'],
    ],
    wrong: [
      ['day', '', 'Please choose a day.'],
      ['day', '2020-01-01', 'Must be in the future.'],
      ['day', inDays(370), 'Must be at most a year ahead.'],
      ['time', '', 'Please choose a time.'],
      ['time', '24:00', 'Please choose a time.'],
      ['place', '  ', 'Please say where you want to meet.'],
      ['place', long(101), 'Must be at most 100 characters.'],
    ],
  },
  'Day of a request (the call)': {
    schema: NewInteraction,
    good: { planId: 'plan', meetsAt: `${tomorrow()}T18:30:00+08:00`, place: '' },
    edges: [
      ['meetsAt', undefined],
      ['place', undefined],
      ['place', long(100)],
    ],
    wrong: [
      ['meetsAt', tomorrow(), 'Must be a date and time with its offset.'],
      ['meetsAt', '2020-01-01T00:00:00Z', 'Must be in the future.'],
      ['meetsAt', `${inDays(370)}T00:00:00Z`, 'Must be at most a year ahead.'],
      ['place', long(101), 'Must be at most 100 characters.'],
    ],
  },
  'Chat messages': {
    schema: SendReceiptMessage,
    good: { conversation: 'chat', message: 'Hi', clientKey: long(8) },
    edges: [['message', long(5000)]],
    wrong: [
      ['message', '', 'Please write something.'],
      ['message', long(5001), 'Must be at most 5000 characters.'],
    ],
  },
};

/** The messages for one field of an input, one per broken rule. */
function messagesFor(schema: Schema, input: unknown, field: string): string[] {
  const { error } = z.safeParse(schema, input);
  return (error?.issues ?? []).filter(({ path }) => path[0] === field).map(({ message }) => message);
}

describe.each(Object.entries(forms))('%s', (_form, { schema, good, edges, wrong }) => {
  it('accepts a valid input', () => {
    expect(z.safeParse(schema, good)).toMatchObject({ success: true });
  });

  it.each(edges.map((edge) => [...edge] as const))('accepts %s %.20j, at the limit', (field, value) => {
    expect(messagesFor(schema, { ...good, [field]: value }, field)).toEqual([]);
  });

  it.each(wrong)('refuses %s %.20j: %s', (field, value, message) => {
    expect(messagesFor(schema, { ...good, [field]: value }, field)[0]).toBe(message);
  });

  it('refuses an unknown field', () => {
    expect(z.safeParse(schema, { ...good, admin: true })).toMatchObject({ success: false });
  });
});

it.each([
  ['a name of one letter is too short (§5-name-too-short)', 'Sign-up', 'name', 'A', 'Too short'],
  ['a name of 21 letters is too long (§5-name-too-long)', 'Sign-up', 'name', long(21), 'Too long'],
  [
    'a name has letters, digits and spaces only (§5-name-characters)',
    ...['Sign-up', 'name', 'Ana!', 'Name must contain only letters and numbers'],
  ],
  [
    'a username of 16 letters is too long (§5-username-too-long)',
    'Sign-up',
    'username',
    long(16),
    'Too long',
  ],
  [
    'a username has letters, digits and spaces only (§5-username-characters)',
    ...['Sign-up', 'username', 'ana_1', 'Username must contain only letters and numbers'],
  ],
  ['an account has a valid email (§5-sign-up)', 'Sign-up', 'email', 'ana@', 'Invalid email'],
  [
    'a password of 7 characters is too short (§5-password-too-short)',
    ...['Sign-up', 'password', long(7), 'Password must be at least 8 characters.'],
  ],
  ['a sign-in has a valid email (§5-sign-in)', 'Sign-in', 'email', 'ana@', 'Invalid email'],
  [
    'a sign-in has a password of 8 characters (§5-sign-in-password)',
    ...['Sign-in', 'password', long(7), 'Password must be at least 8 characters.'],
  ],
  ['a post has a picture (§5-post-file)', 'Post, the call', 'imageId', '', noId],
  [
    'a birth date is on or after 1900-01-01 (§5-birth-date, §9-birth-dates)',
    ...['Profile', 'birthDate', '1899-12-31', 'Must be on or after 1900-01-01.'],
  ],
  ['a plan has a cover (§5-plan-cover)', 'Plan, cover', 'imageId', '', noId],
  ['a verification has the front of an ID (§5-verification)', 'Verification', 'idFrontId', '', noId],
  ['a verification has the back of an ID (§5-verification)', 'Verification', 'idBackId', '', noId],
  ['a verification has a photo (§5-verification)', 'Verification', 'photoId', '', noId],
  ['a message has a text (§5-chat-messages)', 'Chat messages', 'message', ' \n ', 'Please write something.'],
] as const)('%s', (_rule, name, field, value, message) => {
  const { schema, good } = forms[name] as Form;
  expect(messagesFor(schema, { ...good, [field]: value }, field)).toEqual([message]);
});

it('a post names its picture (§5-post-file)', () => {
  const { schema, good } = forms['Post, the call'] as Form;
  expect(messagesFor(schema, { ...good, imageId: undefined }, 'imageId')).toHaveLength(1);
});

it.each([
  ['1900-01-01 is a birth date (§5-birth-date, §9-birth-dates)', '1900-01-01'],
  ['today is a birth date (§5-birth-date, §9-birth-dates)', today()],
])('%s', (_rule, birthDate) => {
  const { schema, good } = forms.Profile as Form;
  expect(messagesFor(schema, { ...good, birthDate }, 'birthDate')).toEqual([]);
});
