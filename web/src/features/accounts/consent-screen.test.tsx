import { accounts } from '@tara/contract/accounts';
import { posts } from '@tara/contract/posts';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { samplePage, sampleSession } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const home = reply(posts.feed, samplePage([]));
const press = async (user: UserEvent, name: string) =>
  user.click(await screen.findByRole('button', { name }));
const agree = async (user: UserEvent) => {
  for (const box of await screen.findAllByRole('checkbox')) await user.click(box);
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
    'who agreed before goes home': {
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
    'who agrees goes on': {
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
