import { expect, it } from 'vitest';
import { areYouSure, empty, invalidFileSize, notices, unsentBody } from './notices.ts';
import { problemMessage, problemNotice } from './problems.ts';

it.each([
  ['§8-account-created', notices.accountCreated, 'check your email to confirm your account'],
  ['§8-account-failed', notices.accountCreationFailed, 'Failed to create account', 'please try again later'],
  ['§8-generic', notices.generic, 'Something went wrong', 'please try again later'],
  ['§8-generic', problemNotice('general_unknown'), 'Something went wrong', 'please try again later'],
  ['§8-sign-in-failed', problemNotice('user_invalid_credentials'), 'Sign in failed. Please try again'],
  ['§8-sign-up-failed', notices.signUpFailed, 'Sign up failed. Please try again'],
  ['§8-sign-in-unverified', notices.signInUnverified, 'Sign in Failed. Are you verified?.'],
  [
    '§8-unverified-action',
    problemNotice('plan_creator_unverified'),
    'You cannot perform this action',
    'please verified your account to continue',
  ],
  ['§8-request-sent', notices.requestSent, 'Request sent!', 'Please wait for the person to respond'],
  [
    '§8-plan-limit',
    problemNotice('plan_limit_reached'),
    "You can't add more plans.",
    'to add more plans, you can continue to use your current plan by helping your friends!',
  ],
  ['§8-plan-confirm-failed', notices.planConfirmFailed, 'Failed to confirm plan', 'please try again later'],
  ['§8-plan-created', notices.planCreated, 'You added a plan. 😎'],
  ['§8-profile-updated', notices.profileUpdated, 'Your About Information has been updated.'],
  ['§8-profile-updated', notices.profileFailed, 'Something went wrong.', 'please try again later'],
  ['§8-email-resend', notices.emailResent, 'Request sent', 'Please check your email to confirm your account'],
  ['§8-email-resend', notices.emailResendFailed, 'Something went wrong', 'Please try again later'],
  [
    '§8-email-resend',
    notices.usernameMissing,
    'Please enter your username',
    'this is important so that friends can easily find you',
  ],
  [
    '§8-verification-request',
    notices.verificationSent,
    'Your request has been sent.',
    'please wait for the admin to confirm it.',
  ],
  [
    '§8-verification-request',
    notices.verificationFailed,
    'Attempt to verify has failed',
    'please try again later.',
  ],
  ['§8-review-failed', notices.reviewFailed, 'Something went wrong', 'please try again later'],
  ['§8-review-failed', notices.reviewWithoutInteraction, 'please try again'],
  ['§8-post-failed', notices.postFailed, 'Please try again'],
  ['§8-duplicate-request', notices.duplicateRequest, 'You already made a request'],
  ['§8-duplicate-save', notices.duplicateSave, 'You already saved this post'],
  ['§8-receipt-forbidden', notices.receiptForbidden, 'You are not allowed to view this'],
  ['§8-unknown-route', notices.pageNotFound, 'Page Not Found'],
  [
    '§8-expired-chat',
    notices.expiredConversation,
    'Expired Conversation',
    'if you want to continue chatting with your friends get one of their plan',
  ],
  [
    '§8-file-errors',
    notices.unsupportedFileType,
    'Unsupported File Type',
    'Only JPG, JPEG, and PNG files are allowed.',
  ],
  [
    '§8-file-errors',
    invalidFileSize(5_242_880),
    'Invalid File Size',
    'File size exceeds the maximum allowed size (5 MB).',
  ],
  ['the fallback of an error', notices.unexpectedError, 'Something went wrong.'],
  [
    'the question before a post is deleted',
    areYouSure.deletePost,
    'Are you sure?',
    'You will not be able to change it after',
  ],
] as const)('the notice of %s has its words: %o', (_row, notice, title, text?: string) => {
  expect({ text: undefined, ...notice }).toEqual({ title, text });
});

it('a changed payout number is told with the words of every change of the profile (§8-profile-updated)', () => {
  expect(notices.payoutNumberChanged.title).toBe('Your About Information has been updated.');
});

it('a message that was taken back reads ‘message unsent’ (§4-unsend)', () => {
  expect(unsentBody).toBe('message unsent');
});

it('a chat and the list of chats have the words of their empty states (§8-empty-chats)', () => {
  expect([empty.chats, empty.messages, empty.olderMessages]).toEqual([
    'No Chats',
    'No messages.',
    'No more conversation.',
  ]);
});

it('a date that is not set has its words (§5-date-display)', () => {
  expect(empty.date).toBe('Not set yet.');
});

it('the empty states have their words (§8-empty-lists)', () => {
  expect(empty).toMatchObject({
    requests: 'No Current Request',
    plans: 'No current plan is posted',
    adminList: 'List is clean good job 👍',
    posts: 'No current post',
    reviews: 'No current Reviews',
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
