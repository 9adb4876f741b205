import { expect, it } from 'vitest';
import { areYouSure, empty, invalidFileSize, notices, unsentBody } from './notices.ts';
import { problemMessage, problemNotice } from './problems.ts';

it.each([
  ['a new account', notices.accountCreated, 'check your email to confirm your account'],
  [
    'a failed creation of an account',
    notices.accountCreationFailed,
    'Failed to create account',
    'please try again later',
  ],
  ['any failure', notices.generic, 'Something went wrong', 'please try again later'],
  [
    'a failure of the server',
    problemNotice('general_unknown'),
    'Something went wrong',
    'please try again later',
  ],
  ['a failed sign-in', problemNotice('user_invalid_credentials'), 'Sign in failed. Please try again'],
  [
    'a failed sign-in after the confirmation',
    notices.confirmedSignInFailed,
    'Sign in Failed. Please try again',
  ],
  ['a failed sign-up', notices.signUpFailed, 'Sign up failed. Please try again'],
  ['a sign-in of an unconfirmed account', notices.signInUnverified, 'Sign in Failed. Are you verified?.'],
  [
    'an action of an unverified member',
    problemNotice('plan_creator_unverified'),
    'You cannot perform this action',
    'please verified your account to continue',
  ],
  ['a sent request', notices.requestSent, 'Request sent!', 'Please wait for the person to respond'],
  [
    'the limit of plans',
    problemNotice('plan_limit_reached'),
    "You can't add more plans.",
    'to add more plans, you can continue to use your current plan by helping your friends!',
  ],
  [
    'a failed confirmation of a plan',
    notices.planConfirmFailed,
    'Failed to confirm plan',
    'please try again later',
  ],
  ['a new plan', notices.planCreated, 'You added a plan. 😎'],
  ['a changed profile', notices.profileUpdated, 'Your About Information has been updated.'],
  ['a changed profile', notices.profileFailed, 'Something went wrong.', 'please try again later'],
  [
    'an email sent again',
    notices.emailResent,
    'Request sent',
    'Please check your email to confirm your account',
  ],
  ['an email sent again', notices.emailResendFailed, 'Something went wrong', 'Please try again later'],
  [
    'an email sent again',
    notices.usernameMissing,
    'Please enter your username',
    'this is important so that friends can easily find you',
  ],
  [
    'a request for verification',
    notices.verificationSent,
    'Your request has been sent.',
    'please wait for the admin to confirm it.',
  ],
  [
    'a request for verification',
    notices.verificationFailed,
    'Attempt to verify has failed',
    'please try again later.',
  ],
  ['a failed review', notices.reviewWithoutInteraction, 'please try again'],
  [
    'a review before the admin confirmed the plan',
    notices.reviewNotYet,
    'Receipt is not confirm yet by admin',
    'come back again later.',
  ],
  ['a failed post', notices.postFailed, 'Please try again'],
  ['a second request', notices.duplicateRequest, 'You already made a request'],
  ['a second save', notices.duplicateSave, 'You already saved this post'],
  ['another’s receipt', notices.receiptForbidden, 'You are not allowed to view this'],
  ['an unknown route', notices.pageNotFound, 'Page Not Found'],
  [
    'an expired conversation',
    notices.expiredConversation,
    'Expired Conversation',
    'if you want to continue chatting with your friends get one of their plan',
  ],
  [
    'a refused file',
    notices.unsupportedFileType,
    'Unsupported File Type',
    'Only JPG, JPEG, and PNG files are allowed.',
  ],
  [
    'a refused file of a phone',
    notices.heicPhoto,
    'Unsupported File Type',
    'Only JPG, JPEG, and PNG files are allowed. This is a HEIC photo: share it as JPG first. For new ones choose Settings, Camera, Formats, Most Compatible on your iPhone.',
  ],
  [
    'a refused file',
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
] as const)('the notice of %s has its words: %o', (_case, notice, title, text?: string) => {
  expect({ text: undefined, ...notice }).toEqual({ title, text });
});

it('a changed payout number is told with the words of every change of the profile', () => {
  expect(notices.payoutNumberChanged.title).toBe('Your About Information has been updated.');
});

it('a message that was taken back reads ‘message unsent’', () => {
  expect(unsentBody).toBe('message unsent');
});

it('a chat and the list of chats have the words of their empty states', () => {
  expect([empty.chats, empty.messages, empty.olderMessages]).toEqual([
    'No Chats',
    'No messages.',
    'No more conversation.',
  ]);
});

it('a date that is not set has its words', () => {
  expect(empty.date).toBe('Not set yet.');
});

it('the empty states have their words', () => {
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
])('the text for %s is: %s', (_case, text, specified) => {
  expect(text).toBe(specified);
});
