import {
  type Interaction,
  type InteractionList,
  interactions,
} from '@tara/contract/interactions/interactions';
import { plans } from '@tara/contract/plans/plans';
import {
  longWord,
  samplePage,
  samplePerson,
  samplePlan,
  sampleRequest,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, reply, type Sight } from '../../testing/screen.tsx';

const list = (name: InteractionList) => ({ params: { list: name } });
const none = samplePage<never>([]);
const arrived: NonNullable<Interaction['money']['payout']> = {
  ...{ state: 'arrived', amount: 250, way: 'provider', until: null, problem: null },
};

const noRequests = {
  replies: [reply(interactions.interactionList, none, list('friendRequest'))],
  shows: ['No Current Request', ['link', 'Your plans']] satisfies Sight[],
};

describeScreen('/_main/profile/friend-request/$id', {
  path: '/profile/friend-request/Ana',
  replies: [reply(interactions.interactionList, samplePage([sampleRequest()]), list('friendRequest'))],
  loading: 'Loading the requests',
  error: 'retry',
  full: {
    shows: [['heading', 'Friend Request'], 'Coffee in Makati', 'Ben', ['button', 'Accept']],
  },
  empty: noRequests,
  longTexts: {
    replies: [
      reply(
        interactions.interactionList,
        samplePage([sampleRequest({ planTitle: longWord })]),
        list('friendRequest'),
      ),
    ],
    shows: [/^Salamatpo/],
  },
  forbidden: {
    path: '/profile/friend-request/Ben',
    replies: [
      reply(plans.byCreator, samplePage([samplePlan({ creator: samplePerson('Ben') })]), {
        params: { id: 'Ben' },
      }),
    ],
    endsAt: '/profile/plans/Ben',
    shows: [['heading', 'Plans of Ben']],
  },
  more: {
    'the friend requests list (§2-friend-request)': {
      shows: [['heading', 'Friend Request'], 'Coffee in Makati', 'Ben'],
    },
    'an empty friend requests list reads ‘No Current Request’ (§8-empty-requests)': noRequests,
  },
});

describeScreen('/_main/profile/history/$id', {
  path: '/profile/history/Ben',
  viewer: sampleSession('Ben'),
  replies: [
    reply(
      interactions.interactionList,
      samplePage([
        sampleRequest({
          id: 'done',
          paid: true,
          accepted: true,
          userSetDone: true,
          adminSetDone: true,
          completed: true,
        }),
        sampleRequest({ id: 'cancelled', cancelled: true, planTitle: 'Rained off' }),
      ]),
      list('history'),
    ),
  ],
  loading: 'Loading the requests',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'History'],
      'Coffee in Makati',
      ['link', 'Write a review'],
      'Rained off',
      'cancelled',
      'Nothing was paid',
    ],
  },
  empty: {
    replies: [reply(interactions.interactionList, none, list('history'))],
    shows: ['No Current Request', ['link', 'Find friends and their plans']],
  },
  longTexts: {
    replies: [
      reply(
        interactions.interactionList,
        samplePage([sampleRequest({ cancelled: true, planTitle: longWord })]),
        list('history'),
      ),
    ],
    shows: [/^Salamatpo/],
  },
  forbidden: {
    path: '/profile/history/Ana',
    replies: [reply(plans.byCreator, samplePage([samplePlan()]), { params: { id: 'Ana' } })],
    endsAt: '/profile/plans/Ana',
    shows: [['heading', 'Plans of Ana']],
  },
  more: {
    'the history list (§2-history)': { shows: [['heading', 'History'], 'Coffee in Makati', 'Rained off'] },
    'after the admin’s confirmation the client can write a review (§4-review-write)': {
      shows: [['link', 'Write a review', '/write-a-review/done']],
    },
    'a request that ended leads its client back to the plan': {
      shows: [['link', 'See the plan again', '/profile/plan-details/plan']],
    },
    'a request that ended does not lead to the plan of somebody who blocked its client': {
      replies: [
        reply(
          interactions.interactionList,
          samplePage([sampleRequest({ cancelled: true, creator: samplePerson('Ana', { id: '' }) })]),
          list('history'),
        ),
      ],
      shows: ['Nothing was paid'],
      hides: [['link', 'See the plan again']],
    },
    'the creator of a confirmed request is not offered a review of it (§4-review-write)': {
      path: '/profile/history/Ana',
      viewer: sampleSession('Ana'),
      shows: ['Coffee in Makati'],
      hides: [['link', 'Write a review']],
    },
    'a request that ended does not lead its creator to the own plan': {
      path: '/profile/history/Ana',
      viewer: sampleSession('Ana'),
      shows: ['Rained off'],
      hides: [['link', 'See the plan again']],
    },
    'the client’s confirmations of a payment and of what went back': {
      replies: [
        reply(
          interactions.interactionList,
          samplePage([
            sampleRequest({
              ...{ id: 'back', paid: true, cancelled: true },
              money: { ...sampleRequest().money, state: 'refunded', refund: arrived },
            }),
          ]),
          list('history'),
        ),
      ],
      shows: [
        ['link', 'Payment confirmation', '/confirmation/payment/back'],
        ['link', 'Refund confirmation', '/confirmation/refund/back'],
      ],
      hides: [['link', 'Payout confirmation']],
    },
    'the creator’s confirmation of a payout': {
      path: '/profile/history/Ana',
      viewer: sampleSession('Ana'),
      replies: [
        reply(
          interactions.interactionList,
          samplePage([
            sampleRequest({
              ...{ id: 'done', paid: true, accepted: true, userSetDone: true, completed: true },
              money: { ...sampleRequest().money, state: 'paid_out', payout: arrived },
            }),
          ]),
          list('history'),
        ),
      ],
      shows: [['link', 'Payout confirmation', '/confirmation/payout/done']],
      hides: [['link', 'Payment confirmation']],
    },
    'decided by an admin': {
      replies: [
        reply(
          interactions.interactionList,
          samplePage([sampleRequest({ paid: true, accepted: true, completed: true, decided: true })]),
          list('history'),
        ),
      ],
      shows: [['link', 'See the decision']],
      hides: [['link', 'See the dispute']],
    },
    'before the admin’s approval the review button says ‘Receipt is not confirm yet by admin’ / ‘come back again later.’, and one that was submitted can be viewed (§4-review-not-confirmed, §4-review-view)':
      {
        replies: [
          reply(
            interactions.interactionList,
            samplePage([
              sampleRequest({ id: 'fulfilled', paid: true, accepted: true, userSetDone: true }),
              sampleRequest({
                id: 'reviewed',
                adminSetDone: true,
                completed: true,
                reviewSubmitted: true,
                reviewId: 'review',
              }),
            ]),
            list('history'),
          ),
        ],
        shows: [
          ['button', 'Receipt is not confirm yet by admin'],
          'come back again later.',
          ['link', 'View review', '/review-details/review'],
        ],
        hides: [['link', 'Write a review']],
      },
  },
});
