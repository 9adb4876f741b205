import { planLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { type Plan, plans } from '@tara/contract/plans/plans';
import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { longText, longWord, samplePlan, samplePlanDetail, sampleSession } from '../../testing/samples.ts';
import { describeScreen, refusal, reply } from '../../testing/screen.tsx';

const one = { params: { id: 'plan' } };

const own = (part: Partial<Plan> = {}) => samplePlanDetail({ isCreator: true, plan: samplePlan(part) });

async function expectDisabled(name: string): Promise<void> {
  const button = await screen.findByRole('button', { name });
  expect(button.getAttribute('aria-disabled')).toBe('true');
}

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
  path: '/profile/create-plans/Ana',
  loading: { none: 'The session has what decides.' },
  error: { none: 'The session has what decides.' },
  full: {
    shows: [
      ['heading', 'Create a plan'],
      ['textbox', 'Title'],
      ['checkbox', 'Accept terms and conditions'],
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
    shows: [
      'You cannot perform this action',
      'please verified your account to continue',
      ['link', 'Get Verified'],
    ],
    hides: [['button', 'Create plan']],
  },
  more: {
    'without accepted terms no plan is sent (§5-plan-terms-checkbox)': {
      steps: async (user) => user.click(await screen.findByRole('button', { name: 'Create plan' })),
      shows: ['Please accept the terms and conditions.'],
    },
    'the button of an unverified member reads ‘Not Verified!’, and is disabled (§5-plan-not-verified)': {
      viewer: sampleSession('Ana', { profile: { verified: null } }),
      steps: () => expectDisabled('Not Verified!'),
      shows: [['button', 'Not Verified!'], 'You cannot perform this action'],
      hides: [['button', 'Create plan']],
    },
    'an unverified member reads ‘You cannot perform this action’ and what to do (§8-unverified-action)': {
      viewer: sampleSession('Ana', { profile: { verified: null } }),
      shows: ['You cannot perform this action', 'please verified your account to continue'],
    },
    'a member whose verification waits reads that it waits': {
      viewer: sampleSession('Ana', { profile: { verified: null, sentVerifiedReq: true } }),
      shows: [
        ['button', 'Not Verified!'],
        notices.verificationSent.title,
        notices.verificationSent.text ?? '',
      ],
      hides: [
        ['link', 'Get Verified'],
        ['button', 'Create plan'],
      ],
    },
    'with one plan less than allowed a plan can be created (§5-plan-limit)': {
      viewer: sampleSession('Ana', { profile: { totalPlan: 4, limitedPlan: 5 } }),
      shows: [['button', 'Create plan']],
      hides: [['button', 'Limited reach!']],
    },
    'with as many plans as allowed the button reads ‘Limited reach!’, and is disabled (§5-plan-limit)': {
      viewer: sampleSession('Ana', { profile: { totalPlan: 5, limitedPlan: 5 } }),
      steps: () => expectDisabled('Limited reach!'),
      shows: [['button', 'Limited reach!'], "You can't add more plans."],
      hides: [['button', 'Create plan']],
    },
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
    '/profile/create-plans/{id} creates a plan (§2-create-plans)': {
      shows: [
        ['heading', 'Create a plan'],
        ['button', 'Create plan'],
      ],
    },
    'as many plans as allowed (§8-plan-limit)': {
      viewer: sampleSession('Ana', { profile: { totalPlan: 3 } }),
      shows: [
        "You can't add more plans.",
        'to add more plans, you can continue to use your current plan by helping your friends!',
      ],
    },
    'those of somebody else': {
      path: '/profile/create-plans/Ben',
      endsAt: '/profile/create-plans/Ana',
      shows: [['heading', 'Create a plan']],
    },
  },
});
