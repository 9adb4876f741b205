import { accounts } from '@tara/contract/accounts/accounts';
import { personalData } from '@tara/contract/accounts/personal-data';
import { posts } from '@tara/contract/posts/posts';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { longWord, samplePage, sampleSession } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, press, refusal, reply, tickAll } from '../../testing/screen.tsx';

const home = reply(posts.feed, samplePage([]));
const agree = async (user: UserEvent) => {
  await tickAll(user);
  await press(user, 'Agree and go on');
};

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
