import { expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { accounts } from './accounts/accounts.ts';
import { CurrentPassword, Email, Password, Phone, SentSecret } from './accounts/forms.ts';
import { SecondFactorCode, secondFactor } from './accounts/second-factor.ts';
import { nowMs } from './clock.ts';
import { ClientKey } from './fields.ts';
import { interactions } from './interactions/interactions.ts';
import { MeetingForm, MeetingPlace, MeetingTime } from './interactions/meetings.ts';
import { firstPages } from './limits.ts';
import { About, adultVerdict, BirthDate, latestAdultBirthDate } from './members/profiles.ts';
import { ReportFormFields, reports, SuspensionFields, WarningFields } from './members/reports.ts';
import { verification } from './members/verification.ts';
import { MixId, SendMessage } from './messages/conversations.ts';
import { ChatId, MessagesQuery, messages, ReplyTo } from './messages/messages.ts';
import { SendReceiptMessage } from './messages/receipts.ts';
import {
  AssignmentFields,
  CaseReason,
  NewRetry,
  PayoutReference,
  SendingReference,
  SettledTransfer,
} from './money/admin-money.ts';
import { caseFiles } from './money/case-files.ts';
import {
  AnswerFormFields,
  DisputeFormFields,
  isSplit,
  NewAnswer,
  NewDispute,
  NewRequestDecision,
  requestCases,
} from './money/disputes.ts';
import { payments } from './money/payments.ts';
import { PushSubscription } from './notifications/devices.ts';
import { notifications } from './notifications/notifications.ts';
import { notificationSettings, QuietHours } from './notifications/settings.ts';
import { unsubscribe } from './notifications/unsubscribe.ts';
import { Page } from './page.ts';
import { NewPlan, PlanFilter } from './plans/plans.ts';
import { NewReview, NewReviewComment, reviewCan } from './plans/reviews.ts';
import { sharedPlans } from './plans/shared-plans.ts';
import { NewPost, PostChange, QuickPost, SearchText } from './posts/posts.ts';
import { account } from './wire/account.ts';
import { accountTokens } from './wire/account-tokens.ts';
import { documents, ListQuery, Permissions } from './wire/documents.ts';
import { oauth2 } from './wire/oauth2.ts';
import { storage } from './wire/storage.ts';

const accepts = (schema: z.core.$ZodType, value: unknown) => z.core.safeParse(schema, value).success;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `id${index}`);
const callback = oauth2.callback.query.shape;
const preview = storage.preview.query.shape;
const identityPicture = verification.picture.query.shape;
/** Largest sequence of a message. */
const largest = 2_147_483_647;

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
  ['the password before', account.updatePassword.body.shape.oldPassword, 256],
  ['the secret of a mail or text', SentSecret.shape.secret, 256],
  ['the sealed secret of a second factor', secondFactor.setUp.body.shape.setup, 2000],
  ['the key by which a device sends once', ClientKey, 64],
  ['the cursor of a list', Page.shape.cursor, 400],
  ['the signature of an identity picture', identityPicture.signature, 200],
  ['the two members of a chat', MixId, 72],
  ['the id of a chat', ChatId, 64],
  ['the id of a case', NewRetry.shape.id, 100],
  ['the id of a chargeback', caseFiles.openCaseFile.body.shape.chargebackId, 100],
  ['the id of a confirmation', payments.confirmation.params.shape.id, 100],
  ['the token of an email', unsubscribe.open.params.shape.token, 200],
  ['the token of a shared plan', sharedPlans.open.query.shape.token, 100],
  ['the id of a session', account.getSession.params.shape.sessionId, 36],
  ['the id of a session that is extended', accountTokens.extendSession.params.shape.sessionId, 36],
  ['a query of the log', account.listLogs.query.shape['queries[0]'], 100],
  ['the id of a database', documents.list.params.shape.databaseId, 36],
  ['the id of a collection', documents.list.params.shape.collectionId, 36],
  ['a query of documents', ListQuery.shape['queries[]'], 4096],
  ['whether documents are counted', ListQuery.shape.total, 16],
  ['the state of a callback', callback.state, 256],
  ['the code of a callback', callback.code, 4096],
  ['the error of a callback', callback.error, 256],
  ['the issuer of a callback', callback.iss, 256],
  ['the project of a callback', oauth2.callback.params.shape.projectId, 36],
  ['a query of identities', oauth2.listIdentities.query.shape['queries[]'], 400],
  ['the words of a search for files', storage.list.query.shape.search, 256],
  ['the project of a picture', storage.view.query.shape.project, 36],
  ['the token of a picture', storage.view.query.shape.token, 200],
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
  ['the current password', 256, CurrentPassword, letters, 'Too long'],
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

it.each([
  ['of an email', account.createVerification.body.shape.url],
  ['after a sign-in at a provider', oauth2.startSession.query.shape.success],
  ['of a push service', PushSubscription.shape.endpoint],
] as const)('the address %s has at most 2000 characters', (_what, schema) => {
  const address = filled('https://tara.test/', '');
  expect([2000, 2001].map((length) => accepts(schema, address(length)))).toEqual([true, false]);
});

it.each([
  ['public key', 87, PushSubscription.shape.p256dh],
  ['secret', 22, PushSubscription.shape.auth],
] as const)('the %s of a browser has its %i characters', (_what, length, schema) => {
  const lengths = [length - 1, length, length + 1];
  expect(lengths.map((one) => accepts(schema, letters(one)))).toEqual([false, true, false]);
});

it('the name of a time zone has at most 64 characters', () => {
  const { timeZone } = notificationSettings.update.body.shape;
  // No zone has so long a name: what is too long has one reason more.
  expect([64, 65].map((length) => refusalOf(timeZone, letters(length))?.length)).toEqual([1, 2]);
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

it.each([
  ['the key by which a device sends once', 8, ClientKey],
  ['the two members of a chat', 2, MixId],
  ['the password that is confirmed', 1, accounts.confirmPassword.body.shape.password],
  ['the secret of a mail or text', 1, SentSecret.shape.secret],
  ['the id of a chat', 1, ChatId],
  ['the id of a case', 1, NewRetry.shape.id],
  ['a search for money', 1, caseFiles.findMoney.query.shape.search],
  ['the id of a chargeback', 1, caseFiles.openCaseFile.body.shape.chargebackId],
  ['the id of a confirmation', 1, payments.confirmation.params.shape.id],
] as const)('%s has at least %i characters', (_what, min, schema) => {
  expect([min - 1, min].map((length) => accepts(schema, letters(length)))).toEqual([false, true]);
});

it('a phone number that gets a code is not empty, and one of a digit has a wrong form', () => {
  const { phone } = account.createPhoneCode.body.shape;
  expect(refusalOf(phone, '')).toEqual(['Enter a phone number.']);
  expect(refusalOf(phone, '1')).toEqual(['Must be a phone number, such as +63 917 123 4567']);
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
] as const)('a call %s 1 to 100 notifications', (_what, schema) => {
  const counts = [0, 1, 100, 101];
  expect(counts.map((count) => accepts(schema, ids(count)))).toEqual([false, true, true, false]);
});

it('the tag of a notification has 1 to 100 characters', () => {
  const { tags } = notifications.findRead.body.shape;
  const lengths = [0, 1, 100, 101];
  expect(lengths.map((length) => accepts(tags, [letters(length)]))).toEqual([false, true, true, false]);
});

it.each([
  ['2 queries of the log', account.listLogs.query.shape['queries[]'], 2],
  ['100 queries of documents', ListQuery.shape['queries[]'], 100],
  ['100 permissions', Permissions, 100],
  ['10 queries of identities', oauth2.listIdentities.query.shape['queries[]'], 10],
] as const)('a call of the backend service has at most %s', (_what, schema, max) => {
  expect([max, max + 1].map((count) => accepts(schema, ids(count)))).toEqual([true, false]);
});

it('a permission has at most 200 characters', () => {
  expect([200, 201].map((length) => accepts(Permissions, [letters(length)]))).toEqual([true, false]);
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
  ['messages are older than a sequence of 1 or more', MessagesQuery.shape.before, 1, largest],
  ['messages are newer than a sequence of 0 or more', MessagesQuery.shape.after, 0, largest],
  ['a reply is to a sequence of 1 or more', ReplyTo, 1, largest],
  ['a chat is received up to 0 or more', messages.mark.body.shape.delivered, 0, largest],
  ['a chat is read up to 0 or more', messages.mark.body.shape.read, 0, largest],
  ['a reported chat is shown before 1 or more', reports.planChat.body.shape.before, 1, largest],
  ['a disputed chat is shown before 1 or more', requestCases.planChat.body.shape.before, 1, largest],
  ['an identity picture is shown until a time', identityPicture.until, 0, 8_640_000_000_000_000],
  ['the lowest price of a search is ₱0 to ₱9,999,999', PlanFilter.shape.minPrice, 0, 9_999_999],
  ['the highest price of a search is ₱0 to ₱10,000,000', PlanFilter.shape.maxPrice, 0, 10_000_000],
  ['quiet hours begin at 0 to 23', QuietHours.shape.from, 0, 23],
  ['a pause takes no hour to a week', notificationSettings.pause.body.shape.hours, 0, 168],
  ['a preview is 0 to 4000 wide', preview.width, 0, 4000],
  ['a preview is 0 to 4000 high', preview.height, 0, 4000],
  ['a preview has a quality of 0 to 100', preview.quality, 0, 100],
  ['a preview has a border of 0 to 100', preview.borderWidth, 0, 100],
  ['a preview has corners of 0 to 4000', preview.borderRadius, 0, 4000],
  ['a preview has an opacity of 0 to 1', preview.opacity, 0, 1],
  ['a preview is turned by -360 to 360', preview.rotation, -360, 360],
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
