import { account, accounts } from '@tara/contract/accounts/accounts';
import { notices } from '@tara/contract/notices';
import { posts } from '@tara/contract/posts/posts';
import { problemMessage, problemNotice } from '@tara/contract/problems';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { samplePage, sampleSession } from '../../testing/samples.ts';
import { describeScreen, fill, press, refusal, reply, tickAll } from '../../testing/screen.tsx';
import { useToasts } from '../../ui/feedback.ts';

const readsNothing = { none: 'It reads nothing.' };
const home = reply(posts.feed, samplePage([]));
/** Who is signed in has no business on a page for guests. */
const membersGoHome = {
  viewer: sampleSession('Ana'),
  replies: [home],
  endsAt: '/',
  shows: ['No current post'],
};
const ana = {
  ...{ name: 'Ana Cruz', email: 'ana@demo.tara', password: 'demo', about: 'A creator' },
  ...{ portrait: '/demo/portrait/ana', code: null },
};
const demo = [ana];
const providers = [{ name: 'google', title: 'Google' }];
/** What the stub server answers changes with it. */
const demoWorld = { accounts: [...demo], isFilling: true, providers: [] };

describeScreen('/_public/sign-in', {
  path: '/sign-in',
  viewer: null,
  replies: [reply(accounts.demo, { accounts: demo, isFilling: false, providers })],
  loading: { none: 'The form is there before the demo accounts.' },
  error: {
    replies: [refusal(account.createEmailSession, 'user_invalid_credentials')],
    steps: async (user) => {
      await fill(user, { Email: 'ana@example.com', Password: 'kape at pandesal 7' });
      await press(user, 'Sign In');
      await screen.findByText('Sign in failed. Please try again');
      expect(useToasts.getState().queue).toEqual([]);
    },
    shows: ['Sign in failed. Please try again', ['button', 'Sign In']],
  },
  full: {
    shows: [
      ['heading', 'Login in to your account.'],
      ['textbox', 'Email'],
      ['button', 'Sign In'],
      ['button', /Ana Cruz/],
      ['link', 'Continue with Google'],
      /Tara is a place to make friends/,
      ['link', 'No email from us yet?'],
    ],
  },
  empty: {
    replies: [reply(accounts.demo, { accounts: [], isFilling: false, providers: [] })],
    steps: (user) => press(user, 'Sign In'),
    shows: ['Invalid email', 'Password must be at least 8 characters.'],
    hides: [
      ['button', /Ana Cruz/],
      ['link', /Continue with/],
    ],
  },
  longTexts: {
    steps: async (user) => {
      await fill(user, { Email: `${'x'.repeat(255)}@example.com`, Password: 'kape at pandesal 7' });
      await press(user, 'Sign In');
    },
    shows: ['Too long'],
  },
  forbidden: membersGoHome,
  more: {
    '/sign-in is a form of email and password (§2-sign-in-form)': {
      shows: [['textbox', 'Email'], 'Password'],
    },
    'the heading of /sign-in is ‘Login in to your account.’ (§2-sign-in)': {
      shows: [['heading', 'Login in to your account.']],
    },
    'the button of /sign-in is ‘Sign In’ (§2-sign-in-button)': { shows: [['button', 'Sign In']] },
    '/sign-in links to /sign-up (§2-sign-in-link)': { shows: [['link', 'Sign up', '/sign-up']] },
    'who signs in goes to / (§2-sign-in-success)': {
      replies: [reply(account.createEmailSession, undefined as never), home],
      steps: async (user, answer) => {
        await fill(user, { Email: 'ana@example.com', Password: 'kape at pandesal 7' });
        answer([reply(accounts.session, sampleSession('Ana'))]);
        await press(user, 'Sign In');
      },
      endsAt: '/',
      shows: ['No current post'],
    },
    'a sign-in without a valid email is refused at its field (§5-sign-in)': {
      steps: async (user) => {
        await fill(user, { Email: 'ana@', Password: 'kape at pandesal 7' });
        await press(user, 'Sign In');
      },
      shows: ['Invalid email'],
      hides: ['Password must be at least 8 characters.'],
    },
    'a sign-in with a password of 7 characters is refused at its field (§5-sign-in-password)': {
      steps: async (user) => {
        await fill(user, { Email: 'ana@example.com', Password: '1234567' });
        await press(user, 'Sign In');
      },
      shows: ['Password must be at least 8 characters.'],
      hides: ['Invalid email'],
    },
    'a sign-in that is refused reads ‘Sign in failed. Please try again’ (§8-sign-in-failed)': {
      replies: [refusal(account.createEmailSession, 'user_invalid_credentials')],
      steps: async (user) => {
        await fill(user, { Email: 'ana@example.com', Password: 'kape at pandesal 7' });
        await press(user, 'Sign In');
      },
      shows: ['Sign in failed. Please try again'],
    },
    'a signed-in member is sent from /sign-in to / (§2-guard-members)': membersGoHome,
    'a demo world that is being created: its accounts are offered as they come': {
      replies: [reply(accounts.demo, demoWorld)],
      steps: async () => {
        await screen.findByRole('button', { name: /Ana Cruz/ });
        await screen.findByText(/The demo world is being created/);
        demoWorld.accounts.push({ ...ana, name: 'Bea Reyes', email: 'bea@demo.tara' });
        demoWorld.isFilling = false;
        await screen.findByRole('button', { name: /Bea Reyes/ });
      },
      shows: [['button', /Ana Cruz/]],
      hides: [/The demo world is being created/],
    },
    'four demo accounts are in sight, the others are folded': {
      replies: [
        reply(accounts.demo, {
          accounts: ['Ana', 'Ben', 'Cara', 'Dan', 'Eva', 'Fe'].map((name) => ({
            ...{ ...ana, name, email: `${name}@demo.tara` },
          })),
          isFilling: false,
          providers: [],
        }),
      ],
      steps: async (user) => {
        const folded = await screen.findByText('2 more');
        const list = within(folded.closest('details') ?? document.body);
        expect(list.getAllByRole('listitem', { hidden: true })).toHaveLength(2);
        expect(folded.closest('details')).toHaveProperty('open', false);
        await user.click(folded);
        expect(folded.closest('details')).toHaveProperty('open', true);
        expect(document.querySelectorAll('img[src="/demo/portrait/ana"]')).toHaveLength(6);
      },
      shows: [
        ['button', /Dan/],
        ['button', /Fe/],
      ],
    },
    'a sign-in followed by a failing auth check shows ‘Sign in Failed. Are you verified?.’ (§4-sign-in-unverified, §8-sign-in-unverified)':
      {
        replies: [reply(account.createEmailSession, undefined as never), home],
        steps: async (user) => {
          await fill(user, { Email: 'ana@example.com', Password: 'kape at pandesal 7' });
          await press(user, 'Sign In');
        },
        shows: ['Sign in Failed. Are you verified?.'],
      },
    'a demo account that cannot sign in is said in a toast': {
      replies: [refusal(account.createEmailSession, 'user_blocked')],
      steps: async (user) => user.click(await screen.findByRole('button', { name: /Ana Cruz/ })),
      shows: [problemNotice('user_blocked').title],
    },
    'a provider whose email has an account': {
      path: '/sign-in?error={"message":"Call 0917","type":"user_email_already_exists"}',
      shows: [/This email already has an account/],
      hides: [/Call 0917/],
    },
    'a provider that refused': {
      path: '/sign-in?error={"message":"Call 0917"}',
      shows: ['Signing in at the other site did not work. Please try again.'],
      hides: [/Call 0917/],
    },
  },
});

const unconfirmed = sampleSession('Ana', { account: { emailVerification: false } });
const person = { Name: 'Ana', Username: 'ana', Email: 'ana@example.com', Password: 'kape at pandesal 7' };
/** Fills the form of /sign-up with these values and sends it. */
const submit = (values: typeof person) => async (user: UserEvent) => {
  await fill(user, values);
  await tickAll(user);
  await press(user, 'Submit');
};

describeScreen('/_public/sign-up', {
  path: '/sign-up',
  viewer: null,
  loading: readsNothing,
  error: {
    replies: [refusal(accounts.signUp, 'user_already_exists')],
    steps: submit(person),
    shows: ['Failed to create account', ['button', 'Submit']],
  },
  full: {
    shows: [
      ['button', 'Submit'],
      ['heading', 'Create your account'],
      ['textbox', 'Name'],
      ['textbox', 'Username'],
      ['textbox', 'Email'],
      ['checkbox', 'I am 18 or older'],
      ['checkbox', 'I agree to the terms and the privacy policy'],
      ['link', 'Meeting safely'],
      ['link', 'Sign in'],
      /Tara is a place to make friends/,
    ],
  },
  empty: {
    steps: (user) => press(user, 'Submit'),
    shows: [
      ...['Too short', 'Invalid email', 'Password must be at least 8 characters.'],
      'Tara is for people of 18 years and older.',
      'Please agree to both to go on.',
    ],
  },
  longTexts: {
    steps: async (user) => {
      await fill(user, { ...person, Name: 'x'.repeat(100) });
      await press(user, 'Submit');
    },
    shows: ['Too long'],
  },
  forbidden: membersGoHome,
  more: {
    'a sign-up whose email cannot be sent says that it failed (§8-sign-up-failed)': {
      replies: [
        reply(accounts.signUp, { id: 'ana' } as never),
        reply(account.createEmailSession, {} as never),
        refusal(account.createVerification, 'general_unavailable'),
      ],
      steps: submit(person),
      shows: ['Sign up failed. Please try again'],
    },
    'a sign-up that is refused reads ‘Failed to create account’ / ‘please try again later’ (§8-account-failed)':
      {
        replies: [refusal(accounts.signUp, 'general_unknown')],
        steps: submit(person),
        shows: ['Failed to create account', 'please try again later'],
      },
    'a name of one letter is ‘Too short’ (§5-name-too-short)': {
      steps: submit({ ...person, Name: 'A' }),
      shows: ['Too short'],
    },
    'a name of 21 letters is ‘Too long’ (§5-name-too-long)': {
      steps: submit({ ...person, Name: 'x'.repeat(21) }),
      shows: ['Too long'],
    },
    'a name with another character is refused at its field (§5-name-characters)': {
      steps: submit({ ...person, Name: 'Ana_1' }),
      shows: ['Name must contain only letters and numbers'],
    },
    'a username of 16 letters is ‘Too long’ (§5-username-too-long)': {
      steps: submit({ ...person, Username: 'x'.repeat(16) }),
      shows: ['Too long'],
    },
    'a username with another character is refused at its field (§5-username-characters)': {
      steps: submit({ ...person, Username: 'ana_1' }),
      shows: ['Username must contain only letters and numbers'],
    },
    'a sign-up without a valid email is refused at its field (§5-sign-up)': {
      steps: submit({ ...person, Email: 'ana@' }),
      shows: ['Invalid email'],
    },
    'a password of 7 characters is refused at its field (§5-password-too-short)': {
      steps: submit({ ...person, Password: '1234567' }),
      shows: ['Password must be at least 8 characters.'],
    },
    '/sign-up is a form of name, username, email and password (§2-sign-up)': {
      shows: [['textbox', 'Name'], ['textbox', 'Username'], ['textbox', 'Email'], 'Password'],
    },
    'a name with characters that it must not contain: the hint says so, and the error offers the name without them':
      {
        steps: async (user) => {
          const field = await screen.findByRole('textbox', {
            name: 'Name',
            description: /without apostrophes/,
          });
          await user.type(field, "Zoë O'Neil");
          await press(user, 'Submit');
          await screen.findByText('Name must contain only letters and numbers');
          await press(user, 'Use ‘Zoë ONeil’');
          await waitFor(() => expect(field).toHaveProperty('value', 'Zoë ONeil'));
        },
        shows: [['textbox', 'Name']],
        hides: ['Name must contain only letters and numbers'],
      },
    'the button of /sign-up is ‘Submit’ (§2-sign-up-button)': { shows: [['button', 'Submit']] },
    '/sign-up links to /sign-in (§2-sign-up-link)': { shows: [['link', 'Sign in', '/sign-in']] },
    'who has signed up is asked to check the email, until that is dismissed (§8-account-created, §8-account-created-stays, §9-toast-account-created)':
      {
        replies: [
          reply(accounts.signUp, { id: 'ana' }),
          reply(account.createEmailSession, undefined as never),
          reply(account.createVerification, undefined as never),
        ],
        steps: async (user, answer) => {
          await fill(user, person);
          await tickAll(user);
          answer([reply(accounts.session, unconfirmed)]);
          await press(user, 'Submit');
          // Until it is dismissed.
          const stays = [{ title: notices.accountCreated.title, durationMs: Number.POSITIVE_INFINITY }];
          await waitFor(() => expect(useToasts.getState().queue).toMatchObject(stays));
        },
        endsAt: '/confirming',
        shows: [
          ['heading', 'Check your inbox'],
          'ana@example.com',
          ['button', /^Resend email in/],
          'check your email to confirm your account',
        ],
      },
  },
});

describeScreen('/_public/verification-message', {
  path: '/verification-message',
  viewer: null,
  loading: readsNothing,
  error: readsNothing,
  full: {
    shows: [
      ['heading', 'check your email for a verification link'],
      ['link', 'Back to sign in'],
    ],
  },
  empty: { none: 'Its one field starts empty.' },
  longTexts: { none: 'It shows no text of members.' },
  forbidden: membersGoHome,
  more: {
    '/verification-message says ‘check your email for a verification link’ (§2-verification-message)': {
      shows: ['check your email for a verification link'],
    },
    'the resend box of /verification-message requires a username (§2-verification-message-username)': {
      steps: async (user) => press(user, 'Resend email'),
      shows: [['textbox', 'Username'], /^Please enter your username/],
    },
  },
});

describeScreen('/_public/recovery', {
  path: '/recovery',
  viewer: null,
  loading: readsNothing,
  error: {
    replies: [refusal(account.createRecovery, 'general_unavailable')],
    steps: async (user) => {
      await fill(user, { Email: 'ana@example.com' });
      await press(user, 'Send the link');
    },
    shows: [problemNotice('general_unavailable').title],
  },
  full: {
    shows: [
      ['heading', 'Forgot your password?'],
      ['textbox', 'Email'],
      ['button', 'Send the link'],
    ],
  },
  empty: { steps: (user) => press(user, 'Send the link'), shows: ['Invalid email'] },
  longTexts: { none: 'It shows no text of members.' },
  forbidden: membersGoHome,
  more: {
    sent: {
      replies: [
        reply(account.createRecovery, {
          $id: 't',
          $createdAt: '',
          userId: '',
          secret: '',
          expire: '',
          phrase: '',
        }),
      ],
      steps: async (user) => {
        await fill(user, { Email: 'ana@example.com' });
        await press(user, 'Send the link');
      },
      shows: [['heading', 'Check your email'], /If ana@example.com has an account here/],
    },
  },
});

describeScreen('/reset-password', {
  path: '/reset-password?userId=Ana&secret=s',
  viewer: null,
  loading: readsNothing,
  error: {
    replies: [refusal(account.confirmRecovery, 'user_invalid_token')],
    steps: async (user) => {
      await fill(user, { 'New password': 'kape at pandesal 8', 'New password again': 'kape at pandesal 8' });
      await press(user, 'Save');
    },
    shows: [
      ['heading', problemNotice('user_invalid_token').title],
      ['link', 'Request a new link'],
    ],
  },
  full: {
    shows: [
      ['heading', 'Set a new password'],
      ['button', 'Save'],
    ],
  },
  empty: { steps: (user) => press(user, 'Save'), shows: ['Password must be at least 8 characters.'] },
  longTexts: { none: 'It shows no text of members.' },
  forbidden: {
    path: '/reset-password',
    shows: [
      ['heading', problemNotice('user_invalid_token').title],
      ['link', 'Request a new link'],
    ],
    hides: [['button', 'Save']],
  },
  more: {
    'two passwords that differ': {
      steps: async (user) => {
        await fill(user, {
          'New password': 'kape at pandesal 8',
          'New password again': 'kape at pandesal 9',
        });
        await press(user, 'Save');
      },
      shows: [problemMessage('user_password_mismatch')],
    },
  },
});
