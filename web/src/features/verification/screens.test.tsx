import { files } from '@tara/contract/files';
import { addressLength } from '@tara/contract/limits';
import { profiles } from '@tara/contract/members/profiles';
import { verification } from '@tara/contract/members/verification';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { sampleOwnProfile, samplePage, samplePlanDetail, sampleSession } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';
import { usualTimeText } from './UsualTime.tsx';

const ana = { params: { id: 'Ana' } };
const terms = /^I accept the terms and conditions/;
const photo = new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe0])], 'id.jpg', { type: 'image/jpeg' });
const stored = reply(files.create, { $id: 'i1' } as never, { params: { bucketId: 'verificationFiles' } });

/** Adds the three pictures and the address, accepts the terms, and sends. */
async function sendRequest(user: UserEvent): Promise<void> {
  for (const label of ['Front of your ID', 'Back of your ID', 'Photo of yourself'])
    await user.upload(await screen.findByLabelText(label), photo);
  await user.click(await screen.findByRole('textbox', { name: 'Address' }));
  await user.paste('1 Mabini Street, Quezon City');
  await user.click(screen.getByRole('checkbox', { name: terms }));
  await user.click(screen.getByRole('button', { name: 'Send request' }));
}

describeScreen('/_main/verifying-identity', {
  path: '/verifying-identity',
  viewer: sampleSession('Ana', { profile: { verified: null } }),
  replies: [reply(verification.usualTime, { minutes: 200 })],
  loading: 'Loading the form',
  // Without it the form is whole.
  error: {
    replies: [refusal(verification.usualTime, 'general_unknown')],
    shows: [['button', 'Send request']],
    hides: [/An admin usually answers/],
  },
  full: {
    shows: [
      ['heading', 'Get Verified'],
      ['textbox', 'Address'],
      ['checkbox', terms],
      ['heading', 'Which ID is good'],
      'They are stored encrypted.',
      /An admin usually answers within 4 hours\./,
    ],
  },
  empty: {
    steps: async (user) => {
      await user.click(await screen.findByRole('checkbox', { name: terms }));
      await user.click(screen.getByRole('button', { name: 'Send request' }));
      expect(await screen.findAllByText('Please add a picture.')).toHaveLength(3);
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
    'a member whose request was declined reads why, with the admin’s words': {
      viewer: sampleSession('Ana', {
        profile: {
          verified: null,
          verificationDecline: { reason: 'unreadable', note: 'The back is missing.' },
        },
      }),
      shows: [
        ['heading', 'Your last request was declined'],
        /^A picture is too dark, blurred or cut off to be read\./,
        'The back is missing.',
        ['button', 'Send request'],
      ],
    },
    'nothing is said of the usual time while too few were accepted': {
      replies: [reply(verification.usualTime, { minutes: null })],
      shows: [['button', 'Send request']],
      hides: [/An admin usually answers/],
    },
    'the form ‘Get Verified’ (§2-verifying-identity)': {
      shows: [
        ['heading', 'Get Verified'],
        ['textbox', 'Address'],
      ],
    },
    'each of the three pictures is required (§5-verification)': {
      steps: async (user) => {
        await user.click(await screen.findByRole('checkbox', { name: terms }));
        await user.click(screen.getByRole('button', { name: 'Send request' }));
        for (const label of ['Front of your ID', 'Back of your ID', 'Photo of yourself'])
          await screen.findByLabelText(label, { selector: '[aria-invalid=true]' });
      },
      shows: ['Please add a picture.'],
    },
    'a request is not sent before the terms are accepted (§5-verification-terms)': {
      steps: async (user) => {
        const send = await screen.findByRole('button', { name: 'Send request' });
        expect(send.getAttribute('aria-disabled')).toBe('true');
        await user.click(screen.getByRole('checkbox', { name: terms }));
        expect(send.getAttribute('aria-disabled')).toBeNull();
      },
      shows: [['button', 'Send request']],
    },
    'a birth date is required': {
      viewer: sampleSession('Ana', { profile: { verified: null, bDay: null } }),
      replies: [stored],
      steps: sendRequest,
      shows: ['Please choose your birth date.', ['button', 'Send request']],
    },
    'after a request the plan that led here is shown again': {
      path: '/verifying-identity?plan=plan',
      replies: [
        stored,
        reply(verification.send, { id: 'v1' } as never),
        reply(plans.get, samplePlanDetail({ viewerVerified: false }), { params: { id: 'plan' } }),
      ],
      steps: sendRequest,
      endsAt: '/profile/plan-details/plan',
      shows: ['Your request has been sent.'],
    },
    'a request that is sent says so (§8-verification-request)': {
      replies: [
        stored,
        reply(verification.send, { id: 'v1' } as never),
        reply(profiles.get, sampleOwnProfile('Ana'), ana),
        reply(posts.byCreator, samplePage([]), ana),
      ],
      steps: sendRequest,
      endsAt: '/profile/Ana',
      shows: ['Your request has been sent.', 'please wait for the admin to confirm it.'],
    },
    'a request that fails says so (§8-verification-request)': {
      replies: [stored, refusal(verification.send, 'general_unknown')],
      steps: sendRequest,
      shows: ['Attempt to verify has failed', 'please try again later.'],
    },
    'of a verified member': {
      viewer: sampleSession('Ana'),
      shows: [['heading', 'Get Verified'], 'You are verified', ['link', 'Go to your profile']],
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

test.for([
  [1, 'within an hour'],
  [60, 'within an hour'],
  [61, 'within 2 hours'],
  [24 * 60, 'within 24 hours'],
  [24 * 60 + 1, 'within 2 days'],
  [6.5 * 24 * 60, 'within 7 days'],
] as const)('%i minutes are %s', ([minutes, text]) => expect(usualTimeText(minutes)).toBe(text));
