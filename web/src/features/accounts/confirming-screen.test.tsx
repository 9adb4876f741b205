import { account, accounts } from '@tara/contract/accounts';
import { posts } from '@tara/contract/posts';
import { problemNotice } from '@tara/contract/problems';
import { samplePage, sampleSession } from '../../testing/samples.ts';
import { describeScreen, fill, press, refusal, reply } from '../../testing/screen.tsx';

const home = reply(posts.feed, samplePage([]));
const unconfirmed = sampleSession('Ana', { account: { emailVerification: false } });
const secret = '/confirming?userId=Ana&secret=s&username=ana';

describeScreen('/confirming', {
  rows: '§2-confirming',
  path: '/confirming',
  viewer: unconfirmed,
  replies: [reply(accounts.session, unconfirmed)],
  loading: 'Loading',
  // A failed check counts as a guest (§8).
  error: {
    replies: [refusal(accounts.session, 'general_unknown')],
    shows: [['heading', 'Looking for your account...']],
  },
  full: {
    shows: [['heading', 'Check your inbox'], 'ana@example.com', ['button', 'Log out']],
  },
  empty: {
    viewer: null,
    replies: [refusal(accounts.session, 'general_unauthorized_scope')],
    shows: [
      ['heading', 'Looking for your account...'],
      ['link', 'Sign in'],
    ],
  },
  longTexts: { none: 'It shows no text of members.' },
  forbidden: {
    path: secret,
    replies: [refusal(account.confirmVerification, 'user_invalid_token')],
    shows: [
      ['heading', problemNotice('user_invalid_token').title],
      ['link', 'Back to sign in'],
    ],
  },
  more: {
    'an email that was wrong': {
      replies: [reply(account.updateEmail, undefined as never)],
      steps: async (user, answer) => {
        await press(user, 'Wrong address?');
        await fill(user, { 'Your email': 'ana@example.org', Password: 'kape at pandesal 7' });
        answer([
          reply(
            accounts.session,
            sampleSession('Ana', { account: { email: 'ana@example.org', emailVerification: false } }),
          ),
        ]);
        await press(user, 'Correct my email');
      },
      shows: ['ana@example.org', ['button', 'Wrong address?']],
      hides: [['textbox', 'Your email']],
    },
    'an email corrected with a wrong password': {
      replies: [refusal(account.updateEmail, 'user_invalid_credentials')],
      steps: async (user) => {
        await press(user, 'Wrong address?');
        await fill(user, { 'Your email': 'ana@example.org', Password: 'kape at pandesal 9' });
        await press(user, 'Correct my email');
      },
      shows: ['Sign in failed. Please try again', ['textbox', 'Your email']],
    },
    'an email corrected to none': {
      steps: async (user) => {
        await press(user, 'Wrong address?');
        await fill(user, { 'Your email': 'ana' });
        await press(user, 'Correct my email');
      },
      shows: ['Invalid email'],
    },
    // The link is still good, so it can be tried again.
    'a confirmation that could not be made': {
      path: secret,
      replies: [refusal(account.confirmVerification, 'general_rate_limit_exceeded')],
      steps: async (user) => {
        await press(user, 'Try again');
      },
      shows: [['button', 'Try again']],
      hides: [['button', /Resend/]],
    },
    confirmed: {
      viewer: sampleSession('Ana'),
      replies: [reply(accounts.session, sampleSession('Ana')), home],
      endsAt: '/',
      shows: ['No current post'],
    },
  },
});
