import { interactions } from '@tara/contract/interactions';
import { planLength } from '@tara/contract/limits';
import { type Plan, plans } from '@tara/contract/plans';
import { fireEvent, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import {
  longText,
  longWord,
  samplePage,
  samplePerson,
  samplePlan,
  samplePlanDetail,
  sampleRequest,
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
    shows: [['heading', 'Plans of Ben'], ['link', /Coffee in Makati/], '6-9 pm · 2 h', 'Legazpi Village'],
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

const openRequest = reply(interactions.interaction, sampleRequest(), { params: { id: 'request' } });

async function sendRequest(user: UserEvent): Promise<void> {
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  fireEvent.change(await screen.findByLabelText('Day'), { target: { value: day } });
  fireEvent.change(screen.getByLabelText('Time'), { target: { value: '18:30' } });
  await user.click(screen.getByRole('checkbox', { name: 'Accept terms and conditions' }));
  await user.click(screen.getByRole('button', { name: 'Send Request' }));
}

describeScreen('/_main/profile/plan-details/$id', {
  rows: '§2-plan-details-route, §2-plan-request, §8-duplicate-request',
  path: '/profile/plan-details/plan',
  viewer: sampleSession('Ben'),
  replies: [reply(plans.get, samplePlanDetail(), one)],
  loading: 'Loading the plan',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Coffee in Makati'],
      ['link', /Ana.*identity verified.*20 reviews.*31 meetings/],
      'Be on time and be kind.',
      '6-9 pm',
      '2 h',
      'Legazpi Village',
      'held until you have met',
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
    'one’s own, edited and closed': {
      replies: [
        reply(plans.get, samplePlanDetail({ isCreator: true }), one),
        reply(plans.close, samplePlan({ closedAt: new Date().toISOString() })),
      ],
      steps: async (user) => {
        expect((await screen.findByRole('link', { name: 'Edit plan' })).getAttribute('href')).toBe(
          '/update-plan/plan',
        );
        await user.click(screen.getByRole('button', { name: 'Close plan' }));
        const question = await screen.findByRole('dialog', { name: 'Close this plan?' });
        await user.click(within(question).getByRole('button', { name: 'Close plan' }));
      },
      shows: ['You closed this plan', ['button', 'Open again']],
    },
    'closed by its creator': {
      replies: [
        reply(plans.get, samplePlanDetail({ plan: samplePlan({ closedAt: new Date().toISOString() }) }), one),
      ],
      shows: ['This plan takes no new requests', 'its creator closed it'],
      hides: [['button', 'Send Request']],
    },
    'one’s own, without the verified mark': {
      replies: [reply(plans.get, samplePlanDetail({ plan: pausedPlan, isCreator: true }), one)],
      shows: ['This plan takes no requests now', ['link', 'Get Verified'], ['link', 'See who requested it']],
    },
    'already requested, of a creator without the verified mark': {
      replies: [
        reply(plans.get, samplePlanDetail({ plan: pausedPlan, openInteractionId: 'request' }), one),
        openRequest,
      ],
      shows: ['This plan takes no requests now', ['link', 'See your request']],
    },
    'already requested': {
      replies: [reply(plans.get, samplePlanDetail({ openInteractionId: 'request' }), one), openRequest],
      shows: ['You already made a request', ['link', 'See your request'], ['link', 'Pay ₱250.00']],
      hides: [['button', 'Send Request']],
    },
    'sent without a day': {
      steps: async (user) => {
        await user.click(await screen.findByRole('checkbox', { name: 'Accept terms and conditions' }));
        await user.click(screen.getByRole('button', { name: 'Send Request' }));
      },
      shows: ['Please choose a day.', 'Please choose a time.'],
    },
    'sent: the next step is on the same screen': {
      replies: [
        reply(plans.get, samplePlanDetail(), one),
        reply(interactions.createInteraction, sampleRequest()),
        openRequest,
      ],
      steps: sendRequest,
      shows: [
        'Request sent!',
        'Please wait for the person to respond',
        'Pay to open the chat with Ana.',
        ['link', 'Pay ₱250.00'],
      ],
    },
    'sent for a time that is taken': {
      replies: [
        reply(plans.get, samplePlanDetail(), one),
        refusal(interactions.createInteraction, 'interaction_time_taken'),
      ],
      steps: sendRequest,
      shows: ['The creator is booked at this time. Please choose another.'],
    },
  },
});

const own = (part: Partial<Plan> = {}) => samplePlanDetail({ isCreator: true, plan: samplePlan(part) });

describeScreen('/_main/update-plan/$id', {
  path: '/update-plan/plan',
  viewer: sampleSession('Ana'),
  replies: [reply(plans.get, own({ price: 1500, durationMinutes: 75 }), one)],
  loading: 'Loading the plan',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Edit your plan'],
      'Friends pay ₱1,500.00.',
      ['combobox', 'Duration'],
      ['button', 'Save changes'],
    ],
    hides: ['Accept terms and conditions'],
    steps: async () => {
      const field = (name: string | RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });
      expect((await field('Price in pesos')).value).toBe('1,500');
      expect((await field(/^Place/)).value).toBe('Legazpi Village');
      expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Duration' }).value).toBe('75');
    },
  },
  empty: {
    replies: [refusal(plans.get, 'plan_not_found', one)],
    shows: ['There is no such plan.'],
  },
  longTexts: {
    replies: [reply(plans.get, own({ desc: longText }), one)],
    shows: [longText],
  },
  forbidden: {
    viewer: sampleSession('Ben'),
    replies: [reply(plans.get, samplePlanDetail(), one)],
    shows: ['Only its creator can change a plan.', ['link', 'Go to the plan']],
    hides: [['button', 'Save changes']],
  },
  more: {
    'a free plan': {
      replies: [reply(plans.get, own({ price: 0 }), one)],
      shows: [['checkbox', 'This plan is free'], 'Friends pay nothing.'],
    },
    'another photo as the cover': {
      replies: [reply(plans.get, own({ photos: [{ ...samplePlan().cover, imageId: 'second' }] }), one)],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: /^Make it the cover/ }));
        const covers = screen.getAllByRole<HTMLImageElement>('img', { name: /^(Cover|Photo 2)$/ });
        expect(covers.map(({ src }) => src.includes('/second/'))).toEqual([true, false]);
      },
      shows: [['button', /^Make it the cover/]],
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
      'Please enter a price, or choose that the plan is free.',
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
    'a price as people write it (decisions §2)': {
      steps: async (user) => {
        await user.type(await screen.findByRole('textbox', { name: 'Price in pesos' }), '₱1,750.5');
        await screen.findByText('Friends pay ₱1,750.50.');
        await user.click(screen.getByRole('checkbox', { name: 'This plan is free' }));
        await screen.findByText('Friends pay nothing.');
        await user.click(screen.getByRole('checkbox', { name: 'This plan is free' }));
      },
      shows: ['Friends pay ₱1,750.50.'],
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
