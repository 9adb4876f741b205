import { expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { CurrentPassword, Email, Password, Phone } from './accounts/forms.ts';
import { SecondFactorCode } from './accounts/second-factor.ts';
import { nowMs } from './clock.ts';
import { interactions } from './interactions/interactions.ts';
import { MeetingForm, MeetingPlace, MeetingTime } from './interactions/meetings.ts';
import { firstPages } from './limits.ts';
import { About, adultVerdict, BirthDate, latestAdultBirthDate } from './members/profiles.ts';
import { ReportFormFields, SuspensionFields, WarningFields } from './members/reports.ts';
import { SendMessage } from './messages/conversations.ts';
import { MessagesQuery } from './messages/messages.ts';
import { SendReceiptMessage } from './messages/receipts.ts';
import {
  AssignmentFields,
  CaseReason,
  PayoutReference,
  SendingReference,
  SettledTransfer,
} from './money/admin-money.ts';
import {
  AnswerFormFields,
  DisputeFormFields,
  isSplit,
  NewAnswer,
  NewDispute,
  NewRequestDecision,
} from './money/disputes.ts';
import { notifications } from './notifications/notifications.ts';
import { NewPlan, PlanFilter } from './plans/plans.ts';
import { NewReview, NewReviewComment, reviewCan } from './plans/reviews.ts';
import { NewPost, PostChange, QuickPost, SearchText } from './posts/posts.ts';
import { account } from './wire/account.ts';
import { storage } from './wire/storage.ts';

const accepts = (schema: z.core.$ZodType, value: unknown) => z.core.safeParse(schema, value).success;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `id${index}`);

const texts: [string, z.core.$ZodType, number][] = [
  ['a password', Password, 256],
  ['the password that is entered again', CurrentPassword, 256],
  ['the caption of a post', NewPost.shape.caption, 5000],
  ['the caption of a quick post', QuickPost.shape.caption, 5000],
  ['the location of a post', NewPost.shape.location, 100],
  ['the tags of a post', NewPost.shape.tags, 300],
  ['the description of a new picture', NewPost.shape.alt, 300],
  ['the description of a picture', PostChange.shape.alt, 300],
  ['what a member works as', About.shape.workingAs, 30],
  ['the place of a plan', NewPlan.shape.place, 100],
  ['the place of a meeting', MeetingPlace, 100],
  ['the words of a search for plans', PlanFilter.shape.search, 100],
  ['a message', SendMessage.shape.body, 5000],
  ['a message of a plan chat', SendReceiptMessage.shape.message, 5000],
  ['the caption of a review', NewReview.shape.caption, 5000],
  ['the location of a review', NewReview.shape.location, 100],
  ['the tags of a review', NewReview.shape.tags, 300],
  ['a comment', NewReviewComment.shape.body, 1000],
  ['the text of a report', ReportFormFields.shape.detail, 1000],
  ['a warning', WarningFields.shape.note, 1000],
  ['the reason of a decision', NewRequestDecision.shape.note, 1000],
  ['the story of a dispute', DisputeFormFields.shape.story, 2000],
];

it.each(texts)('%s has at most its characters', (_what, schema, max) => {
  expect(accepts(schema, 'x'.repeat(max))).toBe(true);
  expect(accepts(schema, 'x'.repeat(max + 1))).toBe(false);
});

const atMost = (length: number) => `Must be at most ${length} characters.`;
/** Null for an accepted value, else what its sender reads. */
const refusalOf = (schema: z.core.$ZodType, value: unknown) => {
  const { error } = z.core.safeParse(schema, value);
  return error ? error.issues.map(({ message }) => message) : null;
};
const filled = (start: string, end: string) => (length: number) =>
  `${start}${'-'.repeat(length - start.length - end.length)}${end}`;
const letters = (length: number) => 'x'.repeat(length);
const renaming = storage.update.body.shape.name;
const nameRule = 'Must be 1 to 255 characters.';

it.each([
  ['an email', 254, Email, (length: number) => `${letters(length - 12)}@example.com`, 'Too long'],
  ['a phone number', 40, Phone, filled('+63', '9171234567'), 'Too long'],
  ['the code of an app', 40, SecondFactorCode.shape.code, filled('12345', '6'), 'Too long'],
  ['the name of a file', 255, renaming, letters, nameRule],
  ['the reference of a payout by hand', 100, PayoutReference.shape.reference, letters, atMost(100)],
  ['the reference of a sending', 100, SendingReference.shape.reference, letters, atMost(100)],
  ['the reference of a transfer', 100, SettledTransfer.shape.reference, letters, atMost(100)],
  ['the payment of a dispute', 100, AssignmentFields.shape.paymentId, letters, atMost(100)],
] as const)('%s has at most %i characters', (_what, max, schema, make, message) => {
  expect(refusalOf(schema, make(max))).toBeNull();
  expect(refusalOf(schema, make(max + 1))).toContain(message);
});

it('the password before has at most 256 characters', () => {
  const { oldPassword } = account.updatePassword.body.shape;
  expect([256, 257].map((length) => accepts(oldPassword, 'x'.repeat(length)))).toEqual([true, false]);
});

it.each([
  ['the current password', CurrentPassword, 'Enter your password.'],
  ['the title of a plan', NewPlan.shape.title, 'Please give the plan a title.'],
  ['a quick post', QuickPost.shape.caption, 'Please write something.'],
  ['a search for posts', SearchText, 'Must not be empty.'],
  ['the caption of a review', NewReview.shape.caption, 'Please write a few words.'],
  ['a comment', NewReviewComment.shape.body, 'Please write something.'],
  ['the story of a dispute', DisputeFormFields.shape.story, 'Please say what happened.'],
  ['the reason of a decision', NewRequestDecision.shape.note, 'Please give a reason. Both parties read it.'],
  ['a warning', WarningFields.shape.note, 'Please write the warning.'],
  ['the place of a day', MeetingForm.shape.place, 'Please say where you want to meet.'],
  ['the reason of an admin', CaseReason.shape.reason, 'Please give a reason.'],
  [
    'the reference of a payout by hand',
    PayoutReference.shape.reference,
    'Please enter the reference of the transfer.',
  ],
  ['the reference of a sending', SendingReference.shape.reference, 'Please enter its id in the dashboard.'],
  [
    'the payment of a dispute',
    AssignmentFields.shape.paymentId,
    'Please enter the payment, such as pay_a1b2c3.',
  ],
  ['the name of a file', renaming, nameRule],
] as const)('%s has at least one character', (_what, schema, message) => {
  expect(refusalOf(schema, 'x')).toBeNull();
  expect(refusalOf(schema, '')).toContain(message);
});

it('the code of an app that is left empty is asked for, and one of a digit has a wrong form', () => {
  const { code } = SecondFactorCode.shape;
  expect(refusalOf(code, '')).toContain('Enter the code.');
  expect(refusalOf(code, '1')).toEqual([expect.stringContaining('A code has 6 digits')]);
});

it('why a request is cancelled has at most 500 characters', () => {
  const cancel = (length: number) =>
    accepts(interactions.cancelRequest.body, { interactionId: 'i1', reason: 'x'.repeat(length) });
  expect([500, 501].map(cancel)).toEqual([true, false]);
});

it.each([
  ['a plan beside its cover', NewPlan.shape.imageIds],
  ['a review', NewReview.shape.imageIds],
  ['a dispute', DisputeFormFields.shape.imageIds],
] as const)('the photos of %s are at most five', (_what, schema) => {
  expect([5, 6].map((count) => accepts(schema, ids(count)))).toEqual([true, false]);
});

it.each([
  ['marks', notifications.markRead.body.shape.ids],
  ['asks about', notifications.findRead.body.shape.tags],
] as const)('a call %s at most 100 notifications', (_what, schema) => {
  expect([100, 101].map((count) => accepts(schema, ids(count)))).toEqual([true, false]);
});

it.each([
  ['opened', DisputeFormFields, NewDispute],
  ['answered', AnswerFormFields, NewAnswer],
] as const)('a dispute that is %s has at most ten messages, each once', (_what, form, body) => {
  for (const { messageIds } of [form.shape, body.shape]) {
    expect([10, 11].map((count) => accepts(messageIds, ids(count)))).toEqual([true, false]);
    expect(accepts(messageIds, ['one', 'one'])).toBe(false);
  }
});

it.each([
  ['a plan takes half an hour to a day', NewPlan.shape.durationMinutes, 30, 1440],
  ['a suspension takes one day to a year', SuspensionFields.shape.days, 1, 365],
  ['a review has 0 to 10 stars (§3-review-stars)', NewReview.shape.stars, 0, 10],
  ['a JSON web token lives an hour at most', account.createJwt.body.shape.duration, 0, 3600],
  ['a call asks for 1 to 20 pages of messages', MessagesQuery.shape.pages, 1, 20],
] as const)('%s', (_what, schema, min, max) => {
  expect([min - 1, min, max, max + 1].map((value) => accepts(schema, value))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it('a plan costs nothing, or ₱100.00 to ₱9,999,999.99', () => {
  const prices = [0, 0.01, 99.99, 100, 9_999_999.99, 10_000_000];
  expect(prices.map((price) => accepts(NewPlan.shape.price, price))).toEqual([
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
});

it('a split leaves each side ₱1.00', () => {
  expect([99, 100, 400, 401].map((refund) => isSplit(refund, 500))).toEqual([false, true, true, false]);
  const refund = NewRequestDecision.shape.refundCentavos;
  expect([99, 100].map((centavos) => accepts(refund, centavos))).toEqual([false, true]);
});

it('a review is changed for 24 hours', () => {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const edit = (afterMs: number) =>
    reviewCan.edit('ana', { creatorId: 'ana', createdAt }, Date.parse(createdAt) + afterMs);
  expect([86_399_999, 86_400_000].map(edit)).toEqual([true, 'review_edit_closed']);
  expect(reviewCan.edit('ben', { creatorId: 'ana', createdAt }, Date.parse(createdAt))).toBe(
    'user_unauthorized',
  );
});

it.each([
  [
    'a millisecond before midnight in the Philippines (§5-birth-date-future)',
    ...['2026-11-23T15:59:59.999Z', '2026-11-23', '2026-11-24'],
  ],
  [
    'at midnight in the Philippines (§5-birth-date-future)',
    ...['2026-11-23T16:00:00Z', '2026-11-24', '2026-11-25'],
  ],
] as const)('a birth date is never in the future, %s', (_when, now, today, tomorrow) => {
  vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
  try {
    expect([today, tomorrow].map((day) => accepts(BirthDate, day))).toEqual([true, false]);
  } finally {
    vi.useRealTimers();
  }
});

it('plans are for people of 18 years, from the midnight in the Philippines in which their birthday begins', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-23T15:59:59.999Z'), toFake: ['Date'] });
  try {
    expect(adultVerdict('2008-11-24')).toBe('plan_under_age');
    vi.setSystemTime(Date.parse('2026-11-23T16:00:00Z'));
    expect(latestAdultBirthDate()).toBe('2008-11-24');
    expect(['2008-11-24', '2008-11-25', null].map(adultVerdict)).toEqual([
      true,
      'plan_under_age',
      'plan_birth_date_missing',
    ]);
  } finally {
    vi.useRealTimers();
  }
});

it('a meeting is at most 365 days ahead', () => {
  const ahead = (days: number) => accepts(MeetingTime, new Date(nowMs() + days * 86_400_000).toISOString());
  expect([-0.01, 0.01, 364.99, 365.01].map(ahead)).toEqual([false, true, true, false]);
});

it('a chat opens with the 30 newest messages: 10 pages of a conversation, 3 of a plan chat', () => {
  expect([firstPages('conversation').pages, firstPages('receipt').pages]).toEqual([10, 3]);
});
