import { addressLength } from '@tara/contract/limits';
import { profiles } from '@tara/contract/members/profiles';
import { posts } from '@tara/contract/posts/posts';
import { screen } from '@testing-library/react';
import { sampleOwnProfile, samplePage, sampleSession } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, reply } from '../../testing/screen.tsx';

const ana = { params: { id: 'Ana' } };
const terms = /^I accept the terms and conditions/;

describeScreen('/_main/verifying-identity', {
  path: '/verifying-identity',
  viewer: sampleSession('Ana', { profile: { verified: null } }),
  loading: { none: 'The session has the profile.' },
  error: { none: 'The session has the profile.' },
  full: {
    shows: [
      ['heading', 'Get Verified'],
      ['textbox', 'Address'],
      ['checkbox', terms],
      'They are stored encrypted.',
    ],
  },
  empty: {
    rows: '§5-verification',
    steps: async (user) => {
      await user.click(await screen.findByRole('checkbox', { name: terms }));
      await user.click(screen.getByRole('button', { name: 'Send request' }));
    },
    shows: ['Please add a picture.', `Address must be at least ${addressLength.min} characters.`],
  },
  longTexts: {
    steps: async (user) => {
      await user.click(await screen.findByRole('textbox', { name: 'Address' }));
      await user.paste('x'.repeat(addressLength.max + 1));
      await user.click(screen.getByRole('checkbox', { name: terms }));
      await user.click(screen.getByRole('button', { name: 'Send request' }));
    },
    shows: [`Address must be at most ${addressLength.max} characters.`],
  },
  forbidden: guestsSignIn,
  more: {
    'the form ‘Get Verified’ (§2-verifying-identity)': {
      shows: [
        ['heading', 'Get Verified'],
        ['textbox', 'Address'],
      ],
    },
    'of a verified member': {
      viewer: sampleSession('Ana'),
      shows: ['You are verified', ['link', 'Go to your profile']],
      hides: [['button', 'Send request']],
    },
    'already sent': {
      viewer: sampleSession('Ana', { profile: { verified: null, sentVerifiedReq: true } }),
      replies: [
        reply(profiles.get, sampleOwnProfile('Ana'), ana),
        reply(posts.byCreator, samplePage([]), ana),
      ],
      endsAt: '/profile/Ana',
      shows: ['You already sent a request'],
    },
  },
});
