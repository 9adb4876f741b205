import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { Name, Password, SignIn, SignUp } from './account-forms.ts';
import { accounts } from './accounts.ts';
import type { Schema } from './calls.ts';
import { fileProblem, urlAtWidth } from './files.ts';
import { NewInteraction } from './interactions.ts';
import { birthDate, previewQuality, upload } from './limits.ts';
import { MeetingForm, meetingFields, meetingTime } from './meetings.ts';
import { invalidFileSize, notices } from './notices.ts';
import { NewPlan, PlanFormFields, WrittenPrice } from './plans.ts';
import { NewPost, PostChange, PostFormFields, parseTags, QuickPost } from './posts.ts';
import { problemMessage } from './problems.ts';
import { About } from './profiles.ts';
import { SendReceiptMessage } from './receipts.ts';
import { NewReview, ReviewFormFields } from './reviews.ts';
import { VerificationForm } from './verification.ts';

/** A text of `count` characters that breaks no rule but one about length. */
const long = (count: number) => 'x'.repeat(count);
const today = () => new Date().toISOString().slice(0, 10);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const tomorrow = () => inDays(1);

/** One form of §5 with a valid input, and the values that break its rules: field, value, message. */
interface Form {
  schema: Schema;
  good: Record<string, unknown>;
  /** Values at the limit of a rule that are still valid. */
  edges: Array<[field: string, value: unknown]>;
  wrong: Array<[field: string, value: unknown, message: string]>;
}

const nameRules: Form['wrong'] = [
  ['name', 'A', 'Too short'],
  ['name', '  A  ', 'Too short'],
  ['name', long(21), 'Too long'],
  ['name', 'Ana!', 'Name must contain only letters and numbers'],
  ['username', 'a', 'Too short'],
  ['username', long(16), 'Too long'],
  ['username', 'ana_1', 'Username must contain only letters and numbers'],
];
const signInRules: Form['wrong'] = [
  ['email', '', 'Invalid email'],
  ['email', 'ana', 'Invalid email'],
  ['email', 'ana@', 'Invalid email'],
  ['email', 'ana@example', 'Invalid email'],
  ['password', '', 'Password must be at least 8 characters.'],
  ['password', long(7), 'Password must be at least 8 characters.'],
  ['password', long(257), 'Password must be at most 256 characters.'],
];
const postRules: Form['wrong'] = [
  ['caption', long(5001), 'Must be at most 5000 characters.'],
  ['location', long(101), 'Must be at most 100 characters.'],
  ['tags', long(301), 'Must be at most 300 characters.'],
];
const postEdges: Form['edges'] = [
  ['caption', ''],
  ['caption', long(5000)],
  ['location', long(100)],
  ['tags', long(300)],
];
const noId = 'Must be an id of 1 to 36 characters';

const post = { caption: 'A day', location: 'Cebu', tags: 'sea, sun' };
const place = { durationMinutes: 90, place: 'Luneta Park' };
const plan = { title: 'Island day', desc: '', time: '6-9 pm', price: 100, terms: long(20), ...place };
const review = { caption: 'Good', location: '', stars: 10 };

const forms: Record<string, Form> = {
  'Sign-up (§5-sign-up, §9-lengths)': {
    schema: SignUp,
    good: {
      ...{ name: 'Ana Cruz', username: 'Ana 1', email: 'ana@example.com', password: long(8) },
      ...{ isAdult: true, acceptsTerms: true },
    },
    edges: [
      ['name', 'Al'],
      ['name', long(20)],
      ['name', 'Peña Ñ 3'],
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
  'Sign-in (§5-sign-in)': {
    schema: SignIn,
    good: { email: 'ana@example.com', password: long(8) },
    edges: [['email', '  ANA@example.com ']],
    wrong: signInRules,
  },
  'Resend e-mail': {
    schema: accounts.resendVerification.body,
    good: { username: 'Ana 1' },
    edges: [['username', 'Al']],
    wrong: [['username', '', 'Too short']],
  },
  'Post, the text fields (§5-post, §9-lengths)': {
    schema: PostFormFields,
    good: post,
    edges: postEdges,
    wrong: postRules,
  },
  'Post, the call (§5-post)': {
    schema: NewPost,
    good: { ...post, imageId: 'picture' },
    edges: [...postEdges, ['alt', long(300)]],
    wrong: [...postRules, ['imageId', '', noId], ['alt', long(301), 'Must be at most 300 characters.']],
  },
  'Post, edit (§5-post)': {
    schema: PostChange,
    good: { ...post, postId: 'post' },
    edges: [...postEdges, ['imageId', undefined]],
    wrong: [...postRules, ['postId', '', noId]],
  },
  'Post, quick (§5-post)': {
    schema: QuickPost,
    good: { caption: 'Hello' },
    edges: [['caption', long(5000)]],
    wrong: [
      ['caption', '   ', 'Please write something.'],
      ['caption', long(5001), 'Must be at most 5000 characters.'],
    ],
  },
  'Profile (§5-profile, §9-lengths, §9-profile-defaults)': {
    schema: About,
    good: {
      ...{ bio: '', gender: '', lookingFor: '', hobby: '', workingAs: '', education: '', phoneNumber: '' },
      birthDate: birthDate.pickerStart,
    },
    edges: [
      ['bio', long(255)],
      ['gender', long(15)],
      ['lookingFor', long(100)],
      ['hobby', long(80)],
      ['workingAs', long(30)],
      ['education', long(30)],
      ['phoneNumber', '+63 (917) 555-1000'],
      ['birthDate', '1900-01-01'],
      ['birthDate', today()],
      ['birthDate', '2000-02-29'],
      ['birthDate', ''],
    ],
    wrong: [
      ['bio', long(256), 'Must be at most 255 characters.'],
      ['gender', long(16), 'Must be at most 15 characters.'],
      ['lookingFor', long(101), 'Must be at most 100 characters.'],
      ['hobby', long(81), 'Must be at most 80 characters.'],
      ['workingAs', long(31), 'Must be at most 30 characters.'],
      ['education', long(31), 'Must be at most 30 characters.'],
      ['phoneNumber', '1'.repeat(31), 'Must be at most 30 characters.'],
      ['birthDate', '1899-12-31', 'Must be on or after 1900-01-01.'],
      ['birthDate', tomorrow(), 'Must not be in the future.'],
      ['birthDate', ' ', 'Must be a date'],
      ['birthDate', '01/02/2001', 'Must be a date'],
      ['birthDate', '2001-02-31', 'Must be a date'],
      ['birthDate', '2001-02-29', 'Must be a date'],
      ['birthDate', '2001-13-01', 'Must be a date'],
    ],
  },
  'Plan (§5-plan, §9-lengths)': {
    schema: PlanFormFields,
    good: plan,
    edges: [
      ['title', long(30)],
      ['desc', long(5000)],
      ['time', ''],
      ['time', long(10)],
      ['durationMinutes', 30],
      ['durationMinutes', 1440],
      ['place', long(100)],
      ['price', 0],
      ['price', '150.50'],
      ['price', 9_999_999.99],
      ['terms', long(5000)],
    ],
    wrong: [
      ['title', ' ', 'Please give the plan a title.'],
      ['title', long(31), 'Must be at most 30 characters.'],
      ['desc', long(5001), 'Must be at most 5000 characters.'],
      ['time', long(11), 'Must be at most 10 characters.'],
      ['durationMinutes', 29, 'Must be 30 to 1440.'],
      ['durationMinutes', 1441, 'Must be 30 to 1440.'],
      ['durationMinutes', 45.5, 'Must be a whole number.'],
      ['place', long(101), 'Must be at most 100 characters.'],
      ['price', -1, 'The price cannot be negative.'],
      ['price', 99.99, 'The price must be at least ₱100.00, or 0 for a free plan.'],
      ['price', 100.001, 'The price has at most two decimals.'],
      ['price', 10_000_000, 'The price must be at most ₱9,999,999.99.'],
      ['terms', long(19), 'Terms must be at least 20 characters.'],
      ['terms', long(5001), 'Terms must be at most 5000 characters.'],
    ],
  },
  'Plan, cover (§5-plan)': {
    schema: NewPlan,
    good: { ...plan, imageId: 'cover' },
    edges: [['imageIds', ['1', '2', '3', '4', '5']]],
    wrong: [
      ['imageId', '', noId],
      ['imageIds', ['1', '2', '3', '4', '5', '6'], 'At most 5 photos beside the cover.'],
      ['imageIds', ['1', '1'], 'Each photo only once.'],
    ],
  },
  'Verification (§5-verification, §9-lengths)': {
    schema: VerificationForm,
    good: { idFrontId: 'front', idBackId: 'back', photoId: 'photo', address: '12345' },
    edges: [['address', long(100)]],
    wrong: [
      ['address', '1234', 'Address must be at least 5 characters.'],
      ['address', '  1234  ', 'Address must be at least 5 characters.'],
      ['address', long(101), 'Address must be at most 100 characters.'],
      ['idFrontId', '', noId],
      ['idBackId', '', noId],
      ['photoId', '', noId],
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
  'Chat messages (§5-chat-messages)': {
    schema: SendReceiptMessage,
    good: { conversation: 'chat', message: 'Hi', clientKey: long(8) },
    edges: [['message', long(5000)]],
    wrong: [
      ['message', '', 'Please write something.'],
      ['message', ' \n ', 'Please write something.'],
      ['message', long(5001), 'Must be at most 5000 characters.'],
    ],
  },
};

/** The messages for one field of an input, one per broken rule. */
function messagesFor(schema: Schema, input: unknown, field: string): string[] {
  const { error } = z.safeParse(schema, input);
  return (error?.issues ?? []).filter(({ path }) => path[0] === field).map(({ message }) => message);
}

describe.each(Object.entries(forms))('%s', (_row, { schema, good, edges, wrong }) => {
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

describe('the value read from an input (§5-post, §5-chat-messages)', () => {
  it.each([
    ['a name without the spaces around it', Name, '  Ana  ', 'Ana'],
    ['a password unchanged', Password, '  eight  ', '  eight  '],
    ['an email in lower case', SignIn.shape.email, ' ANA@Example.com ', 'ana@example.com'],
    ['a message trimmed', SendReceiptMessage.shape.message, ' hi \n', 'hi'],
    ['a price that is not a number as 0', PlanFormFields.shape.price, 'much', 0],
    ['an empty price as 0', PlanFormFields.shape.price, ' ', 0],
    ['a written price as a number', PlanFormFields.shape.price, '150.50', 150.5],
  ])('%s', (_case, schema: Schema, input, expected) => {
    expect(z.parse(schema, input)).toBe(expected);
  });

  it('tags split on commas, each once', () => {
    expect(parseTags('beach, sun set,,#sea, beach , ')).toEqual(['beach', 'sunset', 'sea']);
  });
});

it.each([
  ['2026-12-01', '18:30', '2026-12-01T18:30:00+08:00', '2026-12-01T10:30:00.000Z'],
  ['2026-12-01', '02:00', '2026-12-01T02:00:00+08:00', '2026-11-30T18:00:00.000Z'],
])('%s %s is Philippine time, written and read', (day, time, written, stored) => {
  expect(meetingTime(day, time)).toBe(written);
  expect(meetingFields(stored)).toEqual({ day, time });
});

describe('the price of the form: free only when it is chosen (decisions §2)', () => {
  const choose = 'Please enter a price, or choose that the plan is free.';
  const number = 'Please write a number, such as 1,000 or 750.50.';
  it.each([
    ['1,000', 1000],
    ['₱750.50', 750.5],
    [' PHP 9,999,999.99 ', 9_999_999.99],
    ['500 pesos', 500],
    ['100.', 100],
    ['free', 0],
  ])('%j is %d', (written, pesos) => expect(z.parse(WrittenPrice, written)).toBe(pesos));

  it.each([
    ['', choose],
    ['  ', choose],
    ['0', 'A plan without a price is free: please choose that it is free.'],
    ['much', number],
    ['1,5', number],
    ['1.000,50', number],
    ['1,0000', number],
    ['-100', number],
    ['1e3', number],
    ['9'.repeat(400), number],
    ['99', 'The price must be at least ₱100.00.'],
    ['100.001', 'The price has at most two decimals.'],
    ['10,000,000', 'The price must be at most ₱9,999,999.99.'],
  ])('%.20j is refused: %s', (written, message) =>
    expect(z.safeParse(WrittenPrice, written).error?.issues[0]?.message).toBe(message),
  );
});

describe('Images (§5-images)', () => {
  const megabyte = 1024 * 1024;
  it.each([
    ['image/jpeg', 20 * megabyte, 'images', null],
    ['image/png', 1, 'images', null],
    ['image/jpeg', 20 * megabyte + 1, 'images', 'storage_invalid_file_size'],
    ['image/jpeg', 5 * megabyte, 'messageFiles', null],
    ['image/jpeg', 5 * megabyte + 1, 'messageFiles', 'storage_invalid_file_size'],
    ['image/png', 20 * megabyte + 1, 'verificationFiles', 'storage_invalid_file_size'],
    ['image/webp', 1, 'images', 'storage_file_type_unsupported'],
    ['image/svg+xml', 1, 'images', 'storage_file_type_unsupported'],
    ['application/pdf', 1, 'verificationFiles', 'storage_file_type_unsupported'],
    ['', 1, 'messageFiles', 'storage_file_type_unsupported'],
  ] as const)('%s of %i bytes in %s: %s', (type, size, bucket, problem) => {
    expect(fileProblem({ type, size }, bucket)).toBe(problem);
  });

  it('has the texts of the specification', () => {
    expect(problemMessage('storage_file_type_unsupported')).toBe(
      'Unsupported File Type - Only JPG, JPEG, and PNG files are allowed.',
    );
    expect(notices.unsupportedFileType).toEqual({
      title: 'Unsupported File Type',
      text: 'Only JPG, JPEG, and PNG files are allowed.',
    });
    const size = (text: string) => ({ title: 'Invalid File Size', text });
    expect(invalidFileSize(upload.images)).toEqual(
      size('File size exceeds the maximum allowed size (20 MB).'),
    );
    expect(invalidFileSize(upload.messageFiles)).toEqual(
      size('File size exceeds the maximum allowed size (5 MB).'),
    );
  });
});

it.each([
  ['a second save', problemMessage('post_already_saved'), 'You already saved this post'],
  ['a second request', problemMessage('interaction_already_requested'), 'You already made a request'],
  ['another’s receipt', problemMessage('receipt_not_found'), 'You are not allowed to view this'],
  ['no username to resend to', notices.usernameMissing.title, 'Please enter your username'],
  [
    'why the username is needed',
    notices.usernameMissing.text,
    'this is important so that friends can easily find you',
  ],
])('the text for %s is: %s (§5-resend, §5-duplicate-save, §5-one-request)', (_case, text, specified) => {
  expect(text).toBe(specified);
});

it('pictures of posts and grids have the quality 30, what was uploaded 100 (§9-preview-quality)', () => {
  expect(urlAtWidth('/picture?project=tara', 640)).toBe('/picture?project=tara&width=640&quality=30');
  expect(previewQuality.uploaded).toBe(100);
});
