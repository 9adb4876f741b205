import { type SharedPlan, sharedPlans } from '@tara/contract/plans/shared-plans';
import { longWord, sampleSession } from '../../testing/samples.ts';
import { describeScreen, refusal, reply } from '../../testing/screen.tsx';

const where = { query: { token: 'secret' } };
const plan: SharedPlan = {
  planTitle: 'Coffee in Makati',
  sharer: 'Ben',
  other: 'Ana',
  otherVerified: true,
  meetsAt: '2026-12-05T07:00:00.000Z',
  meetsUntil: '2026-12-05T09:00:00.000Z',
  place: 'Legazpi Village',
  state: 'agreed',
  endsAt: '2026-12-06T09:00:00.000Z',
};
const opened = (part: Partial<SharedPlan> = {}) => reply(sharedPlans.open, { ...plan, ...part }, where);

describeScreen('/shared-plan', {
  path: '/shared-plan?token=secret',
  viewer: null,
  replies: [opened()],
  loading: 'Loading the plan',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Ben shares a plan with you'],
      ['heading', 'Coffee in Makati'],
      'agreed',
      'Tara compared the name of Ana with an ID.',
      /Saturday, 5 December 2026 at 3:00.*5:00.*PM \(Philippine time\)/,
      'Legazpi Village',
      /ends on 6 December 2026/,
      ['link', 'Meeting safely'],
    ],
  },
  empty: {
    replies: [opened({ meetsAt: null, meetsUntil: null, place: '', otherVerified: false })],
    shows: [
      'No day agreed yet.',
      'No place agreed yet.',
      'Tara has not compared the name of Ana with an ID.',
    ],
  },
  longTexts: { replies: [opened({ planTitle: longWord, place: longWord })], shows: [['heading', longWord]] },
  forbidden: {
    replies: [refusal(sharedPlans.open, 'shared_plan_not_found', where)],
    shows: ['This link has ended', 'it was taken back, or the plan is over'],
    hides: ['Coffee in Makati'],
  },
  more: {
    'a member': { viewer: sampleSession('Lia'), shows: [['heading', 'Ben shares a plan with you']] },
    cancelled: { replies: [opened({ state: 'cancelled' })], shows: ['cancelled'] },
    fulfilled: { replies: [opened({ state: 'fulfilled' })], shows: ['they have met'] },
  },
});
