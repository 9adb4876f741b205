import { accounts } from '@tara/contract/accounts/accounts';
import { personalData } from '@tara/contract/accounts/personal-data';
import { posts } from '@tara/contract/posts/posts';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { longWord, samplePage, sampleSession } from '../../testing/samples.ts';
import { describeScreen, fill, guestsSignIn, press, refusal, reply, tickAll } from '../../testing/screen.tsx';

const home = reply(posts.feed, samplePage([]));
const agree = async (user: UserEvent) => {
  await tickAll(user);
  await press(user, 'Agree and go on');
};

const nameless = sampleSession('Ana', { profile: { name: '' } });

describeScreen('/consent', {
  path: '/consent',
  viewer: sampleSession('Ana', { account: { hasConsented: false } }),
  loading: { none: 'Its guard has read the session.' },
  error: {
    replies: [refusal(accounts.consent, 'general_rate_limit_exceeded')],
    steps: agree,
    shows: ['Too many attempts', ['button', 'Agree and go on']],
  },
  full: {
    shows: [
      ['heading', 'Before you go on'],
      ['checkbox', 'I am 18 or older'],
      ['checkbox', 'I agree to the terms and the privacy policy'],
      ['link', 'terms'],
      ['link', 'privacy policy'],
      ['button', 'Log out'],
    ],
  },
  empty: {
    steps: (user) => press(user, 'Agree and go on'),
    shows: ['Tara is for people of 18 years and older.', 'Please agree to both to go on.'],
  },
  longTexts: { none: 'Its texts are its own.' },
  forbidden: guestsSignIn,
  more: {
    'a member who agreed before is redirected home': {
      viewer: sampleSession('Ana'),
      replies: [home],
      endsAt: '/',
      shows: ['No current post'],
    },
    'a screen of members leads here': {
      path: '/',
      endsAt: '/consent',
      shows: [['heading', 'Before you go on']],
    },
    'a member without a name enters one as on /sign-up, and agrees': {
      viewer: sampleSession('Ana', { account: { hasConsented: false }, profile: { name: '' } }),
      steps: async (user) => {
        await tickAll(user);
        await press(user, 'Agree and go on');
        await screen.findByText('Too short');
        await fill(user, { Name: "Zoë O'Neil" });
        await press(user, 'Use ‘Zoë ONeil’');
      },
      shows: [
        /^Please enter the name that others see, and read the terms/,
        ['textbox', 'Name'],
        ['checkbox', 'I am 18 or older'],
        ['button', 'Agree and go on'],
      ],
      hides: ['Too short'],
    },
    'a member who agreed before and has no name is asked for the name alone': {
      viewer: nameless,
      steps: (user) => press(user, 'Save and go on'),
      shows: ['Please enter the name that others see.', ['textbox', 'Name'], 'Too short'],
      hides: [['checkbox']],
    },
    'a screen of members leads here who has no name': {
      path: '/',
      viewer: nameless,
      endsAt: '/consent',
      shows: [['textbox', 'Name']],
    },
    'a member who enters a name continues': {
      viewer: nameless,
      replies: [reply(accounts.consent, { status: 'ok' }), home],
      steps: async (user, answer) => {
        await fill(user, { Name: 'Ana Cruz' });
        answer([reply(accounts.session, sampleSession('Ana'))]);
        await press(user, 'Save and go on');
      },
      endsAt: '/',
      shows: ['No current post'],
    },
    'a member who agrees continues': {
      replies: [reply(accounts.consent, { status: 'ok' }), home],
      steps: async (user, answer) => {
        await screen.findByRole('button', { name: 'Agree and go on' });
        answer([reply(accounts.session, sampleSession('Ana'))]);
        await agree(user);
      },
      endsAt: '/',
      shows: ['No current post'],
    },
  },
});

const time = '2026-01-02T03:04:05.000+00:00';
const leaving = sampleSession('Ana', { account: { deletesAt: time } });

describeScreen('/leaving', {
  path: '/leaving',
  viewer: leaving,
  loading: { none: 'Its guard has read the session.' },
  error: {
    replies: [refusal(personalData.keep, 'account_deletion_begun')],
    steps: (who) => press(who, 'Keep my account'),
    shows: ['This account is being deleted.'],
  },
  full: {
    shows: [
      ['heading', 'Your account is deleted on 2 January 2026'],
      'ana@example.com',
      ['button', 'Keep my account'],
      ['button', 'Log out'],
    ],
  },
  empty: { none: 'It shows one account.' },
  longTexts: {
    viewer: sampleSession('Ana', { account: { deletesAt: time, email: `${longWord}@example.com` } }),
    shows: [`${longWord}@example.com`],
  },
  forbidden: guestsSignIn,
});
