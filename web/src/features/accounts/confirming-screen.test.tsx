import { account, accounts } from '@tara/contract/accounts/accounts';
import type { OwnProfile } from '@tara/contract/members/profiles';
import { posts } from '@tara/contract/posts/posts';
import { problemNotice } from '@tara/contract/problems';
import { rememberDestination } from '../../lib/url.ts';
import { samplePage, samplePost, sampleSession } from '../../testing/samples.ts';
import { describeScreen, fill, press, refusal, reply } from '../../testing/screen.tsx';

const home = reply(posts.feed, samplePage([]));
const unconfirmed = sampleSession('Ana', { account: { emailVerification: false } });
const secret = '/confirming?userId=Ana&secret=s&username=ana';
const signedUp = { name: 'Ana Cruz', username: 'ana', email: 'ana@example.com' } as const;
const noSession = refusal(accounts.session, 'general_unauthorized_scope');
const opened = reply(accounts.readConfirmation, { ...signedUp, proof: 'password', claimable: true });
/** The link is opened where nobody is signed in; the stub server refuses a confirmation that no state names. */
const elsewhere = {
  viewer: null,
  path: secret,
  replies: [noSession, opened],
};
/** Somebody who signed up just now. */
const signedUpNow = (part: Partial<OwnProfile> = {}) =>
  sampleSession('Ana', { profile: { verified: null, createdAt: new Date().toISOString(), ...part } });
const newMember = signedUpNow();
const namedCity = signedUpNow({ city: 'Cebu' });
const newPassword = { 'New password': 'kape at pandesal 7', 'New password again': 'kape at pandesal 7' };

describeScreen('/confirming', {
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
    shows: [
      ['heading', 'Check your inbox'],
      'ana@example.com',
      /^Only verified members offer and request plans\./,
      ['button', 'Log out'],
    ],
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
      ['button', /^Resend email in (20|1\d) s$/],
      ['link', 'Back to Home'],
    ],
  },
  more: {
    'a member whose email is not verified is sent to /confirming (§2-confirming)': {
      path: '/',
      endsAt: '/confirming',
      shows: [['heading', 'Check your inbox']],
    },
    'an email can be resent 20 s after a link that failed (§9-resend-initial-confirming)': {
      path: secret,
      replies: [refusal(account.confirmVerification, 'user_invalid_token')],
      shows: [['button', /^Resend email in (20|1\d) s$/]],
    },
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
    'a link that was used, opened where nobody is signed in': {
      ...elsewhere,
      replies: [noSession, refusal(accounts.readConfirmation, 'user_invalid_token')],
      shows: [
        ['heading', 'This link was opened before, or is too old'],
        'If you opened it before, your email is confirmed: sign in. If not, have a new link sent.',
        ['link', 'Sign in', '/sign-in'],
        ['button', /Resend/],
      ],
    },
    'a link that could not be read': {
      ...elsewhere,
      replies: [noSession, refusal(accounts.readConfirmation, 'general_rate_limit_exceeded')],
      shows: [['button', 'Try again']],
    },
    'a link of an email that is confirmed': {
      ...elsewhere,
      replies: [noSession, refusal(accounts.readConfirmation, 'user_email_already_verified')],
      shows: [
        ['heading', problemNotice('user_email_already_verified').title],
        ['link', 'Back to sign in'],
      ],
      hides: [['button', 'Try again']],
    },
    'a link opened where its account is not signed in asks whose account it is (§2-confirming-query)': {
      ...elsewhere,
      shows: [
        ['heading', 'Did you sign up?'],
        'Ana Cruz',
        'ana',
        ['button', 'Yes, confirm my email'],
        ['button', 'I did not sign up'],
      ],
    },
    'a link opened where another account is signed in': {
      ...elsewhere,
      viewer: sampleSession('Ben'),
      replies: [reply(accounts.session, sampleSession('Ben')), opened],
      shows: [['heading', 'Did you sign up?']],
    },
    'a link confirmed with a wrong password': {
      ...elsewhere,
      replies: [...elsewhere.replies, refusal(account.createEmailSession, 'user_invalid_credentials')],
      steps: async (user) => {
        await fill(user, { 'Your password': 'kape at pandesal 9' });
        await press(user, 'Yes, confirm my email');
      },
      shows: ['This is not the password of this account.', ['button', 'I did not sign up']],
      hides: [/Sign in failed/],
    },
    'a link confirmed with the password': {
      ...elsewhere,
      replies: [
        ...elsewhere.replies,
        reply(account.createEmailSession, undefined as never),
        reply(account.confirmVerification, undefined as never),
        home,
      ],
      steps: async (user, answer) => {
        await fill(user, { 'Your password': 'kape at pandesal 7' });
        answer([reply(accounts.session, sampleSession('Ana'))]);
        await press(user, 'Yes, confirm my email');
      },
      endsAt: '/',
      shows: ['No current post'],
    },
    'a new member goes on to the first steps once the email is confirmed': {
      path: secret,
      viewer: newMember,
      replies: [reply(accounts.session, newMember), reply(account.confirmVerification, undefined as never)],
      endsAt: '/welcome',
      shows: [['heading', 'Add your photo']],
    },
    'the first steps come once on a device': {
      path: secret,
      viewer: newMember,
      replies: [
        reply(accounts.session, newMember),
        reply(account.confirmVerification, undefined as never),
        home,
      ],
      prepare: () => localStorage.setItem('tara-welcome-Ana', 'shown'),
      endsAt: '/',
      shows: ['No current post'],
    },
    'a new member who has named the city already goes to where they wanted to go': {
      path: secret,
      viewer: namedCity,
      replies: [
        reply(accounts.session, namedCity),
        reply(account.confirmVerification, undefined as never),
        reply(posts.get, samplePost({ id: 'p9' }), { params: { id: 'p9' } }),
      ],
      prepare: () => rememberDestination('/post/p9'),
      endsAt: '/post/p9',
      shows: [['heading', /.+/]],
    },
    'a link whose reader did not sign up': {
      ...elsewhere,
      steps: async (user) => {
        await press(user, 'I did not sign up');
      },
      shows: [
        ['heading', 'Your email, your account'],
        ['button', 'Make it mine'],
        ['button', 'Back'],
      ],
      hides: [['button', 'Yes, confirm my email']],
    },
    'an account claimed with a common password': {
      ...elsewhere,
      replies: [...elsewhere.replies, refusal(accounts.claim, 'user_password_common')],
      steps: async (user) => {
        await press(user, 'I did not sign up');
        await fill(user, newPassword);
        await press(user, 'Make it mine');
      },
      shows: [new RegExp(problemNotice('user_password_common').title)],
    },
    'an account claimed': {
      ...elsewhere,
      replies: [
        ...elsewhere.replies,
        reply(accounts.claim, undefined as never),
        reply(account.createEmailSession, undefined as never),
        home,
      ],
      steps: async (user, answer) => {
        await press(user, 'I did not sign up');
        answer([reply(accounts.session, sampleSession('Ana'))]);
        await fill(user, newPassword);
        await press(user, 'Make it mine');
      },
      endsAt: '/',
      shows: ['No current post', 'The account is yours'],
    },
    'an account without a password': {
      ...elsewhere,
      replies: [
        noSession,
        reply(accounts.readConfirmation, { ...signedUp, name: '', proof: 'signIn', claimable: true }),
      ],
      shows: ['No name yet', /on which you are signed in/, ['button', 'I did not sign up']],
      hides: [['button', 'Yes, confirm my email']],
    },
    'a new email of an account that is confirmed': {
      ...elsewhere,
      replies: [
        noSession,
        reply(accounts.readConfirmation, { ...signedUp, proof: 'signIn', claimable: false }),
      ],
      shows: [
        ['heading', 'Sign in first'],
        ['link', 'Sign in'],
      ],
      hides: [['button', 'I did not sign up']],
    },
    'a new email where another account is signed in': {
      ...elsewhere,
      viewer: sampleSession('Ben'),
      replies: [
        reply(accounts.session, sampleSession('Ben')),
        reply(accounts.readConfirmation, { ...signedUp, proof: 'signIn', claimable: false }),
      ],
      shows: [['button', 'Log out and sign in to it']],
    },
    confirmed: {
      viewer: sampleSession('Ana'),
      replies: [reply(accounts.session, sampleSession('Ana')), home],
      endsAt: '/',
      shows: ['No current post'],
    },
  },
});
