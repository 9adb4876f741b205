import { planLength } from '@tara/contract/limits';
import { plans } from '@tara/contract/plans';
import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import {
  longText,
  longWord,
  samplePage,
  samplePerson,
  samplePlan,
  samplePlanDetail,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const anaParams = { params: { id: 'Ana' } };
const benParams = { params: { id: 'Ben' } };
const one = { params: { id: 'plan' } };
const pausedPlan = samplePlan({ creator: samplePerson('Ana', { verified: null }) });

describeScreen('/_main/profile/plans/$id', {
  rows: '§2-plans, §8-empty-lists',
  path: '/profile/plans/Ben',
  replies: [reply(plans.byCreator, samplePage([samplePlan({ creator: samplePerson('Ben') })]), benParams)],
  loading: 'Loading the plans',
  error: 'retry',
  full: {
    shows: [['heading', 'Plans of Ben'], ['link', /Coffee in Makati/], '6-9 pm'],
    hides: [
      ['link', 'Add Plan'],
      ['link', 'History'],
    ],
  },
  empty: {
    replies: [reply(plans.byCreator, samplePage([]), benParams)],
    shows: ['No current plan is posted', ['link', 'Find other friends']],
  },
  longTexts: {
    replies: [
      reply(plans.byCreator, samplePage([samplePlan({ title: longWord, desc: longText })]), benParams),
    ],
    shows: [['link', /^Salamatpo/]],
    hides: [longText],
  },
  forbidden: guestsSignIn,
  more: {
    'no such member': {
      replies: [refusal(plans.byCreator, 'profile_not_found', benParams)],
      shows: ['There is no such member.'],
    },
    'one’s own, without a phone number': {
      path: '/profile/plans/Ana',
      viewer: sampleSession('Ana', { profile: { phoneNumber: '' } }),
      replies: [reply(plans.byCreator, samplePage([]), anaParams)],
      shows: [
        ['heading', 'Your plans'],
        ['link', 'Create your first plan'],
        ['link', 'Add your phone number'],
        ['link', 'Add Plan'],
      ],
      steps: async () => {
        const link = await screen.findByRole('link', { name: 'Add your phone number' });
        expect(link.getAttribute('href')).toBe('/update-profile?tab=info');
      },
    },
  },
});

describeScreen('/_main/profile/plan-details/$id', {
  rows: '§2-plan-details-route, §2-plan-request, §8-duplicate-request',
  path: '/profile/plan-details/plan',
  viewer: sampleSession('Ben'),
  replies: [reply(plans.get, samplePlanDetail(), one)],
  loading: 'Loading the plan',
  error: 'retry',
  full: {
    shows: [
      'Coffee in Makati',
      'Be on time and be kind.',
      '6-9 pm',
      ['checkbox', 'Accept terms and conditions'],
      ['button', 'Send Request'],
    ],
  },
  empty: {
    replies: [refusal(plans.get, 'plan_not_found', one)],
    shows: ['There is no such plan.'],
    hides: [['button', 'Send Request']],
  },
  longTexts: {
    replies: [
      reply(plans.get, samplePlanDetail({ plan: samplePlan({ title: longWord, desc: longText }) }), one),
    ],
    shows: [longWord, longText],
  },
  forbidden: {
    replies: [reply(plans.get, samplePlanDetail({ viewerVerified: false }), one)],
    shows: ['You cannot perform this action', ['link', 'Get Verified']],
  },
  more: {
    'one’s own': {
      replies: [reply(plans.get, samplePlanDetail({ isCreator: true }), one)],
      shows: [/This is your own plan/, ['link', 'See who requested it']],
      hides: [['button', 'Send Request']],
    },
    'without a birth date (decisions §2)': {
      viewer: sampleSession('Ben', { profile: { bDay: null } }),
      shows: ['Please add your birth date', ['link', 'Go to your birth date']],
    },
    'under 18 (decisions §2)': {
      viewer: sampleSession('Ben', { profile: { bDay: new Date().toISOString().slice(0, 10) } }),
      shows: ['Plans are for members of 18 years and older', ['link', 'Go to your birth date']],
    },
    'of a creator without the verified mark': {
      replies: [reply(plans.get, samplePlanDetail({ plan: pausedPlan }), one)],
      shows: ['This plan takes no requests now', 'its creator is not verified at the moment'],
      hides: [
        ['button', 'Send Request'],
        ['checkbox', 'Accept terms and conditions'],
      ],
    },
    'one’s own, without the verified mark': {
      replies: [reply(plans.get, samplePlanDetail({ plan: pausedPlan, isCreator: true }), one)],
      shows: ['This plan takes no requests now', ['link', 'Get Verified'], ['link', 'See who requested it']],
    },
    'already requested, of a creator without the verified mark': {
      replies: [reply(plans.get, samplePlanDetail({ plan: pausedPlan, openInteractionId: 'request' }), one)],
      shows: ['This plan takes no requests now', ['link', 'Go to your requests']],
    },
    'already requested': {
      replies: [reply(plans.get, samplePlanDetail({ openInteractionId: 'request' }), one)],
      shows: ['You already made a request', ['link', 'Go to your requests']],
    },
  },
});

describeScreen('/_main/profile/create-plans/$id', {
  rows: '§2-create-plans, §8-unverified-action, §8-plan-limit',
  path: '/profile/create-plans/Ana',
  loading: { none: 'The session has what decides.' },
  error: { none: 'The session has what decides.' },
  full: {
    shows: [
      ['heading', 'Create a plan'],
      ['textbox', 'Title'],
      ['button', 'Create plan'],
    ],
  },
  empty: {
    steps: async (user) => user.click(await screen.findByRole('button', { name: 'Create plan' })),
    shows: [
      'Please add a cover photo.',
      'Please give the plan a title.',
      'Please accept the terms and conditions.',
    ],
  },
  longTexts: {
    steps: async (user) => {
      await user.click(await screen.findByRole('textbox', { name: 'Title' }));
      await user.paste(longWord);
      await user.click(screen.getByRole('button', { name: 'Create plan' }));
    },
    shows: [`Must be at most ${planLength.title} characters.`],
  },
  forbidden: {
    viewer: sampleSession('Ana', { profile: { verified: null } }),
    shows: ['You cannot perform this action', ['link', 'Get Verified']],
    hides: [['button', 'Create plan']],
  },
  more: {
    'without a birth date (decisions §2)': {
      viewer: sampleSession('Ana', { profile: { bDay: null } }),
      shows: ['Please add your birth date', ['link', 'Go to your birth date']],
      hides: [['button', 'Create plan']],
    },
    'as many plans as allowed': {
      viewer: sampleSession('Ana', { profile: { totalPlan: 3 } }),
      shows: ["You can't add more plans."],
    },
    'those of somebody else': {
      path: '/profile/create-plans/Ben',
      endsAt: '/profile/create-plans/Ana',
      shows: [['heading', 'Create a plan']],
    },
  },
});
