import { type PublicPlan, publicLinks } from '@tara/contract/members/public-links';
import { plans } from '@tara/contract/plans/plans';
import { longWord, samplePicture, samplePlanDetail, sampleSession } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const where = { params: { id: 'link' } };
const unconfirmed = sampleSession('Lia', { account: { emailVerification: false } });

const invited = (picture: typeof samplePicture | null, firstName = 'Ana') =>
  reply(publicLinks.invitation, { firstName, picture }, where);

describeScreen('/invite/$id', {
  path: '/invite/link',
  viewer: null,
  replies: [invited(samplePicture)],
  loading: 'Loading the invitation',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Ana invites you to Tara'],
      ['link', 'Join Tara', '/sign-up'],
      ['link', 'Sign in', '/sign-in'],
      ['link', 'Meeting safely'],
    ],
    hides: [['link', 'Open Tara']],
  },
  empty: { replies: [invited(null)], shows: [['heading', 'Ana invites you to Tara'], 'A'] },
  longTexts: { replies: [invited(null, longWord)], shows: [['heading', `${longWord} invites you to Tara`]] },
  forbidden: {
    replies: [refusal(publicLinks.invitation, 'invitation_not_found', where)],
    shows: [
      ['heading', 'This invitation has ended'],
      ['link', 'Join Tara', '/sign-up'],
    ],
    hides: [['heading', 'Ana invites you to Tara']],
  },
  more: {
    'a member': {
      viewer: sampleSession('Lia'),
      shows: [['link', 'Open Tara', '/']],
      hides: [['link', 'Join Tara']],
    },
  },
});

const plan: PublicPlan = {
  ...{ title: 'Sunset walk', firstName: 'Ana', cover: samplePicture, price: 250 },
  rating: { stars: 9, totalReviews: 2, totalMeetings: 3 },
};
const shown = (part: Partial<PublicPlan> = {}) => reply(publicLinks.plan, { ...plan, ...part }, where);
const ended = [refusal(publicLinks.plan, 'plan_link_not_found', where)];

describeScreen('/plan/$id', {
  path: '/plan/link',
  viewer: null,
  replies: [shown()],
  loading: 'Loading the plan',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Sunset walk'],
      /^A plan by Ana/,
      '2 reviews',
      '₱250.00',
      'Tara holds the money until you have met.',
      ['link', 'Join to book', '/sign-up?redirect=%2Fopen-plan%2Flink'],
      ['link', 'Sign in', '/sign-in?redirect=%2Fopen-plan%2Flink'],
      ['region', 'How a plan works'],
    ],
  },
  empty: {
    replies: [shown({ cover: null, price: 0, rating: { stars: null, totalReviews: 0, totalMeetings: 0 } })],
    shows: ['Free', 'New, without meetings so far'],
    hides: ['Tara holds the money until you have met.'],
  },
  longTexts: { replies: [shown({ title: longWord })], shows: [['heading', longWord]] },
  forbidden: {
    replies: ended,
    shows: [
      ['heading', 'This plan is no longer shown here'],
      ['link', 'Join Tara', '/sign-up'],
    ],
    hides: [['heading', 'Sunset walk']],
  },
  more: {
    'a member goes on to the plan': {
      viewer: sampleSession('Lia'),
      shows: [['link', 'See this plan', '/open-plan/link']],
      hides: [['link', 'Join to book']],
    },
    'a member, once it has ended': {
      viewer: sampleSession('Lia'),
      replies: ended,
      shows: [['link', 'See other plans', '/explore?show=plans']],
    },
  },
});

const planRead = { params: { id: 'plan' } };

describeScreen('/_main/open-plan/$id', {
  path: '/open-plan/link',
  replies: [
    reply(publicLinks.planId, { planId: 'plan' }, where),
    reply(plans.get, samplePlanDetail(), planRead),
  ],
  loading: 'Loading the plan',
  error: 'retry',
  full: { shows: [['heading', 'Coffee in Makati']], endsAt: '/profile/plan-details/plan' },
  empty: { none: 'It leads to the plan.' },
  longTexts: { none: 'It leads to the plan.' },
  forbidden: guestsSignIn,
  more: {
    'a link that has ended': {
      replies: [refusal(publicLinks.planId, 'plan_link_not_found', where)],
      shows: ['This plan is no longer shown here'],
    },
    'a member with an unconfirmed email confirms it first': {
      viewer: unconfirmed,
      shows: [['heading', /./]],
      endsAt: '/confirming',
    },
  },
});
