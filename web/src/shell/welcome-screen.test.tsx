import { accounts } from '@tara/contract/accounts/accounts';
import { profiles } from '@tara/contract/members/profiles';
import { publicLinks } from '@tara/contract/members/public-links';
import { verification } from '@tara/contract/members/verification';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { rememberDestination } from '../lib/url.ts';
import {
  longWord,
  samplePage,
  samplePerson,
  samplePicture,
  samplePlan,
  samplePlanDetail,
  sampleProfile,
  sampleSession,
} from '../testing/samples.ts';
import { describeScreen, fill, guestsSignIn, press, refusal, reply } from '../testing/screen.tsx';

const newMember = sampleSession('Ana', { profile: { verified: null } });
const cebuMember = sampleSession('Ana', { profile: { verified: null, city: 'Cebu', hobby: 'diving' } });
const plan = (title: string) => samplePlan({ id: title, title, creator: samplePerson('Ben') });
const look = '/welcome?step=look';
const inCebu = { query: { place: 'Cebu' } };
const planPage = reply(plans.get, samplePlanDetail(), { params: { id: 'plan' } });

describeScreen('/_main/welcome', {
  path: look,
  viewer: newMember,
  replies: [
    reply(profiles.people, samplePage(['Ben', 'Cara', 'Dan', 'Eva'].map((name) => sampleProfile(name)))),
    reply(plans.search, samplePage(['Coffee', 'Diving', 'Hiking', 'Karaoke'].map(plan))),
    reply(verification.usualTime, { minutes: 200 }),
  ],
  loading: 'Loading the first steps',
  error: {
    replies: [
      refusal(profiles.people, 'general_unknown'),
      refusal(plans.search, 'general_unknown'),
      refusal(verification.usualTime, 'general_unknown'),
    ],
    shows: ['Only verified people request plans.', ['link', 'Get verified', '/verifying-identity']],
    hides: [/An admin usually answers/],
  },
  full: {
    shows: [
      ['heading', 'Look around'],
      ['link', 'Coffee'],
      ['link', 'Hiking'],
      ['link', /^Dan/],
      /^Only verified people request plans\. An admin usually answers within 4 hours\./,
      ['link', 'Get verified', '/verifying-identity'],
      ['button', 'Go to Home'],
    ],
    hides: [
      ['link', 'Karaoke'],
      ['link', /^Eva/],
    ],
  },
  empty: {
    replies: [reply(profiles.people, samplePage([])), reply(plans.search, samplePage([]))],
    shows: [
      ['region', 'How a plan works'],
      ['button', 'Go to Home'],
    ],
    hides: [['heading', 'People to meet']],
  },
  longTexts: {
    replies: [reply(plans.search, samplePage([plan(longWord)]))],
    shows: [['link', longWord]],
  },
  forbidden: guestsSignIn,
  more: {
    'the photo comes first, and can be skipped': {
      path: '/welcome',
      steps: async (user) => {
        expect(screen.queryByText('This is how people see you now.')).toBeNull();
        await press(user, 'Save and go on');
        await screen.findByText('Please choose a file.');
        await press(user, 'Skip', 'link');
      },
      shows: [
        ['heading', 'Your city and hobbies'],
        ['textbox', 'City'],
      ],
    },
    'a step that is done is gone on from': {
      path: '/welcome',
      viewer: sampleSession('Ana', { profile: { picture: samplePicture } }),
      shows: ['This is how people see you now.', ['link', 'Next', '/welcome?step=about']],
      hides: [['link', 'Skip']],
    },
    'each step can be gone to': {
      path: '/welcome',
      shows: [
        ['link', '1 Photo', '/welcome'],
        ['link', '2 About you', '/welcome?step=about'],
        ['link', '3 Look around', '/welcome?step=look'],
      ],
    },
    'city and hobbies are saved, and the rest of the profile stays': {
      path: '/welcome?step=about',
      replies: [
        reply(profiles.updateAbout, cebuMember.profile),
        reply(plans.search, samplePage([plan('Sunset')]), inCebu),
      ],
      steps: async (user, answer) => {
        await fill(user, { City: 'Cebu', Hobbies: 'diving' });
        answer([reply(accounts.session, cebuMember)]);
        await press(user, 'Save and go on');
      },
      shows: [
        ['heading', 'Look around'],
        ['link', 'Sunset'],
      ],
    },
    'what is filled in stays when the step is skipped': {
      path: '/welcome?step=about',
      steps: async (user) => {
        await fill(user, { City: 'Cebu' });
        await press(user, 'Skip', 'link');
        await screen.findByRole('heading', { name: 'Look around' });
        await press(user, '2 About you', 'link');
        expect(await screen.findByDisplayValue('Cebu')).toBeTruthy();
      },
      shows: [['heading', 'Your city and hobbies']],
    },
    'plans of the own city come first': {
      viewer: cebuMember,
      replies: [reply(plans.search, samplePage([plan('Sunset'), plan('Hiking')]), inCebu)],
      shows: [
        ['link', 'Sunset'],
        ['link', 'Hiking'],
        ['link', 'Coffee'],
      ],
      hides: [['link', 'Diving']],
    },
    'the last step leads home, and does not come again': {
      replies: [reply(posts.feed, samplePage([]))],
      steps: async (user) => {
        await press(user, 'Go to Home');
        expect(localStorage.getItem('tara-welcome-Ana')).toBe('shown');
      },
      endsAt: '/',
      shows: [['heading', /^Your first steps/]],
    },
    'who came for a plan is led back to it, also by the verification': {
      prepare: () => rememberDestination('/profile/plan-details/plan'),
      replies: [planPage],
      steps: async (user) => {
        const link = await screen.findByRole('link', { name: 'Get verified' });
        expect(link.getAttribute('href')).toBe('/verifying-identity?plan=plan');
        await press(user, 'Go on to the plan');
      },
      endsAt: '/profile/plan-details/plan',
      shows: [['heading', 'Coffee in Makati']],
    },
    'who came by the public page of a plan is led to that plan': {
      prepare: () => rememberDestination('/open-plan/link'),
      replies: [planPage, reply(publicLinks.planId, { planId: 'plan' }, { params: { id: 'link' } })],
      steps: async (user) => {
        const link = await screen.findByRole('link', { name: 'Get verified' });
        expect(link.getAttribute('href')).toBe('/verifying-identity?plan=plan');
        await press(user, 'Go on to the plan');
      },
      endsAt: '/profile/plan-details/plan',
      shows: [['heading', 'Coffee in Makati']],
    },
    'whose documents wait is not asked for them again': {
      viewer: sampleSession('Ana', { profile: { verified: null, sentVerifiedReq: true } }),
      shows: [/An admin usually answers/, ['button', 'Go to Home']],
      hides: [['link', 'Get verified']],
    },
  },
});
