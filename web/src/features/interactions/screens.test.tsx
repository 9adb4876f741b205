import { interactions } from '@tara/contract/interactions/interactions';
import { plans } from '@tara/contract/plans/plans';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { queryClient, queryOf } from '../../lib/queries.ts';
import {
  longWord,
  sampleCan,
  sampleCounts,
  samplePage,
  samplePerson,
  samplePlanDetail,
  sampleRequest,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, press, reply, type Sight } from '../../testing/screen.tsx';
import { firstCalls } from '../accounts/index.ts';

const accepted = sampleRequest({
  ...{ id: 'accepted', planTitle: 'Walk in Cebu', paid: true, accepted: true },
  can: sampleCan('openReceipt'),
});
const meetsAt = '2026-12-05T10:00:00.000Z';
const meetsUntil = '2026-12-05T12:00:00.000Z';
const moved = sampleRequest({
  ...{ paid: true, accepted: true, meetsAt, meetsUntil },
  can: sampleCan('proposeDay'),
  proposal: { id: 'proposal', by: 'client', meetsAt, meetsUntil, place: 'Luneta', createdAt: meetsAt },
});
const none = samplePage<never>([]);
const lists = {
  friendRequest: samplePage([sampleRequest({ can: sampleCan('accept', 'decline') })]),
  yourRequest: none,
  earn: samplePage([accepted]),
  expense: none,
};
const noLists = { friendRequest: none, yourRequest: none, earn: none, expense: none };
/** A request of the client whose day has come, and what marks it as fulfilled. */
const fulfillable = [
  reply(interactions.manager, {
    ...noLists,
    expense: samplePage([{ ...accepted, dayReached: true, can: sampleCan('fulfil') }]),
  }),
  reply(interactions.markDone, sampleRequest({ ...accepted, userSetDone: true })),
];
const tabs = ['Friend Request', 'Your Request', 'Pending Friends'];

const noRequests = {
  replies: [reply(interactions.manager, noLists)],
  shows: ['No Current Request', ['link', 'Find friends and their plans']] satisfies Sight[],
};

describeScreen('/_main/manage-plans/', {
  path: '/manage-plans?tab=pendingFriends',
  replies: [reply(interactions.manager, lists)],
  loading: 'Loading the requests',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Plan Manager'],
      ...tabs.map((name): [string, RegExp] => ['tab', new RegExp(`^${name}`)]),
      ['tab', 'Friend Request'],
      ['tab', 'Your Request'],
      'Walk in Cebu',
      ['button', 'Open the chat'],
      'all set',
      ['heading', 'Schedule You accept (Earn)'],
      ['heading', 'Schedule Others accept (expense)'],
    ],
    hides: ['Coffee in Makati'],
  },
  empty: noRequests,
  longTexts: {
    replies: [
      reply(interactions.manager, {
        ...noLists,
        earn: samplePage([{ ...accepted, planTitle: longWord, whoSentReq: samplePerson(longWord) }]),
      }),
    ],
    shows: [/^Salamatpo/],
  },
  forbidden: guestsSignIn,
  more: {
    'the Plan Manager with three tabs (§2-manage-plans)': {
      steps: async () => expect(await screen.findAllByRole('tab')).toHaveLength(tabs.length),
      shows: [['heading', 'Plan Manager']],
    },
    'Plan Manager without a request reads ‘No Current Request’ (§8-empty-requests)': noRequests,
    'a tab ‘Friend Request’ (§2-manager-tab-friend-request)': { shows: [['tab', 'Friend Request']] },
    'a tab ‘Your Request’ (§2-manager-tab-your-request)': { shows: [['tab', 'Your Request']] },
    'a tab ‘Pending Friends’ (§2-manager-tab-pending-friends)': { shows: [['tab', 'Pending Friends']] },
    'Pending Friends has a list ‘Schedule You accept (Earn)’ (§2-manager-earn)': {
      steps: async () => {
        const list = within(await screen.findByRole('region', { name: 'Schedule You accept (Earn)' }));
        await list.findByText('Walk in Cebu');
      },
      shows: [['heading', 'Schedule You accept (Earn)']],
    },
    'Pending Friends has a list ‘Schedule Others accept (expense)’ (§2-manager-expense)': {
      viewer: sampleSession('Ben'),
      replies: [reply(interactions.manager, { ...noLists, expense: samplePage([accepted]) })],
      steps: async () => {
        const list = within(await screen.findByRole('region', { name: 'Schedule Others accept (expense)' }));
        await list.findByText('Walk in Cebu');
      },
      shows: [['heading', 'Schedule Others accept (expense)']],
    },
    'a friend’s request is accepted or declined by the creator, who does not pay (§6-client-pays)': {
      path: '/manage-plans?tab=friendRequest',
      shows: ['Coffee in Makati', ['button', 'Accept'], ['button', 'Decline'], 'requested'],
      hides: ['Walk in Cebu', ['link', /^Pay/]],
    },
    'opens on the tab where a request waits (§2-manager-tabs)': {
      path: '/manage-plans',
      shows: ['Coffee in Makati'],
      hides: ['Walk in Cebu'],
    },
    'opens on ‘Pending Friends’ where nothing waits (§2-manager-tabs)': {
      path: '/manage-plans',
      replies: [reply(interactions.manager, { ...noLists, earn: samplePage([accepted]) })],
      steps: async () => {
        await screen.findByRole('tab', { name: 'Pending Friends', selected: true });
      },
      shows: ['Walk in Cebu'],
    },
    'the chat of a plan is opened by its id, with the interactionId in the query (§2-receipt-chat)': {
      replies: [
        reply(interactions.manager, {
          ...noLists,
          earn: samplePage([{ ...accepted, haveConvoReceipt: true, conversationReceipt: 'open' }]),
        }),
      ],
      shows: [['link', 'Go to the chat', '/manage-plans/conversation-receipt/open?interactionId=accepted']],
    },
    'what waits in each tab and in the history, and unread messages of a plan chat': {
      replies: [
        reply(interactions.manager, {
          ...noLists,
          earn: samplePage([{ ...accepted, haveConvoReceipt: true, conversationReceipt: 'open' }]),
        }),
      ],
      steps: async () => {
        await screen.findByText('Walk in Cebu');
        act(() =>
          queryClient.setQueryData(
            queryOf(firstCalls.counts).queryKey,
            sampleCounts({
              planLists: { friendRequest: 1, yourRequest: 0, earn: 2, expense: 4, history: 3 },
              planChats: [{ id: 'open', unread: 2 }],
            }),
          ),
        );
      },
      shows: [
        ['link', 'Go to the chat 2 unread'],
        ['link', 'History 3 waiting'],
        ['tab', 'Friend Request 1 waiting'],
        ['tab', 'Your Request'],
        ['tab', 'Pending Friends 6 waiting'],
      ],
    },
    'a free request': {
      path: '/manage-plans?tab=friendRequest',
      replies: [
        reply(interactions.manager, {
          ...noLists,
          friendRequest: samplePage([
            sampleRequest({ price: 0, paid: true, meetsAt, meetsUntil, place: 'Luneta' }),
          ]),
        }),
      ],
      shows: ['Free: accept to meet.', /^Sat, 5 Dec 2026, 6:00 PM to 8:00 PM/, 'Luneta'],
    },
    'a proposal of another day': {
      replies: [reply(interactions.manager, { ...noLists, earn: samplePage([moved]) })],
      shows: [
        'Ben proposes another day',
        'Agree to the day that Ben proposes, or not.',
        'new day',
        ['button', 'Agree to this day'],
        ['button', 'Keep the present day'],
        ['link', 'Add to calendar'],
        ['button', 'Propose another day'],
      ],
    },
    'another day, at a time that is taken beside it': {
      viewer: sampleSession('Ben'),
      replies: [
        reply(interactions.manager, { ...noLists, expense: samplePage([{ ...moved, proposal: null }]) }),
        reply(
          plans.get,
          samplePlanDetail({
            taken: [
              { from: meetsAt, until: meetsUntil },
              { from: '2026-12-06T10:00:00.000Z', until: '2026-12-06T12:00:00.000Z' },
            ],
          }),
          { params: { id: 'plan' } },
        ),
      ],
      steps: async (user) => {
        await press(user, /another day/i);
        const day = await screen.findByLabelText('Day');
        // The own meeting may move within its time.
        expect(screen.queryByText(/is booked/)).toBeNull();
        fireEvent.change(day, { target: { value: '2026-12-06' } });
        await screen.findByText('Ana is booked 6:00 PM to 8:00 PM.');
        await press(user, 'Send proposal');
      },
      shows: ['This time is taken. Please choose another.', 'Ana is booked 6:00 PM to 8:00 PM.'],
    },
    'several to pay: the first one in red': {
      path: '/manage-plans?tab=yourRequest',
      viewer: sampleSession('Ben'),
      replies: [
        reply(interactions.manager, {
          ...noLists,
          yourRequest: samplePage([
            sampleRequest({ id: 'later', price: 100, payUntil: meetsUntil, can: sampleCan('pay') }),
            sampleRequest({ id: 'sooner', price: 200, payUntil: meetsAt, can: sampleCan('pay') }),
          ]),
        }),
      ],
      steps: async () => {
        const red = (await screen.findAllByRole('link', { name: /^Pay/ })).filter((link) =>
          link.className.includes('bg-guava'),
        );
        expect(red.map(({ textContent }) => textContent)).toEqual(['Pay ₱200.00']);
      },
      shows: [['link', 'Pay ₱100.00']],
    },
    'a proposal of one’s own': {
      viewer: sampleSession('Ben'),
      replies: [reply(interactions.manager, { ...noLists, expense: samplePage([moved]) })],
      shows: [
        'You proposed another day',
        'It waits for an answer.',
        /^Waiting for \w+ to answer your proposal of another day\.$/,
      ],
      hides: [['button', 'Agree to this day']],
    },
    'declining, with a reason and what happens to the money': {
      path: '/manage-plans?tab=friendRequest',
      replies: [
        reply(interactions.manager, {
          ...noLists,
          friendRequest: samplePage([sampleRequest({ paid: true, can: sampleCan('decline') })]),
        }),
        reply(interactions.cancelRequest, sampleRequest({ paid: true, cancelled: true })),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Decline' }));
        const question = await screen.findByRole('dialog', { name: 'Decline this request?' });
        within(question).getByText('Ben gets ₱250.00 back in full.');
        await user.type(within(question).getByLabelText(/^Why\?/), 'I am away.');
        await user.click(within(question).getByRole('button', { name: 'Decline' }));
      },
      shows: ['No Current Request'],
    },
    'the client presses ‘Plan is fulfilled’ after the confirmation ‘Are you sure?’ ‘You will not be able to change it after’ (§4-interaction-fulfilled, §4-interaction-user-set-done)':
      {
        viewer: sampleSession('Ben'),
        replies: fulfillable,
        steps: async (user) => {
          await user.click(await screen.findByRole('button', { name: 'Plan is fulfilled' }));
          const question = await screen.findByRole('dialog', { name: 'Are you sure?' });
          within(question).getByText('You will not be able to change it after');
          await user.click(within(question).getByRole('button', { name: 'Plan is fulfilled' }));
          await waitFor(() => expect(screen.queryByText('Walk in Cebu')).toBeNull());
        },
        shows: ['No Current Request'],
        hides: ['Walk in Cebu'],
      },
    'a client who does not confirm it has not marked the plan as fulfilled (§4-interaction-fulfilled)': {
      viewer: sampleSession('Ben'),
      replies: fulfillable,
      steps: async (user) => {
        await press(user, 'Plan is fulfilled');
        const question = within(await screen.findByRole('dialog', { name: 'Are you sure?' }));
        await user.click(question.getByRole('button', { name: 'Cancel' }));
        await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        expect(queryClient.getMutationCache().getAll()).toEqual([]);
      },
      shows: ['Walk in Cebu', ['button', 'Plan is fulfilled']],
    },
    'a client reads before ‘Plan is fulfilled’ what its creator receives': {
      viewer: sampleSession('Ben'),
      replies: fulfillable,
      steps: async (user) => {
        await press(user, 'Plan is fulfilled');
        const question = await screen.findByRole('dialog', { name: 'Are you sure?' });
        expect(question.textContent).toContain('Ana receives ₱250.00 once an admin has confirmed it.');
        await press(user, 'Cancel');
      },
      shows: ['Walk in Cebu'],
    },
    'a client reads before ‘Plan is fulfilled’ what is left for its creator after Tara’s fee': {
      viewer: sampleSession('Ben'),
      replies: [
        reply(interactions.manager, {
          ...noLists,
          expense: samplePage([
            { ...accepted, dayReached: true, platformFeeBasisPoints: 550, can: sampleCan('fulfil') },
          ]),
        }),
      ],
      steps: async (user) => {
        await press(user, 'Plan is fulfilled');
        const question = await screen.findByRole('dialog', { name: 'Are you sure?' });
        expect(question.textContent).toContain(
          'Ana receives ₱236.25, after Tara’s fee, once an admin has confirmed it.',
        );
        await press(user, 'Cancel');
      },
      shows: ['Walk in Cebu'],
    },
    'the day after': {
      replies: [
        reply(interactions.manager, {
          ...noLists,
          earn: samplePage([{ ...accepted, dayReached: true, can: sampleCan('sayMet') }]),
        }),
      ],
      shows: [['button', 'We met'], /^Did you meet Ben\?/],
    },
    'one’s own request is paid by the client (§6-client-pays)': {
      path: '/manage-plans?tab=yourRequest',
      viewer: sampleSession('Ben', { account: { id: 'account2' } }),
      replies: [
        reply(interactions.manager, {
          ...noLists,
          yourRequest: samplePage([sampleRequest({ clientAccountId: 'account2', can: sampleCan('pay') })]),
        }),
      ],
      shows: [['link', 'Pay ₱250.00'], 'Not paid yet'],
      hides: [['button', 'Accept']],
    },
    'a friend’s request of which Tara keeps a share': {
      path: '/manage-plans?tab=friendRequest',
      replies: [
        reply(interactions.manager, {
          ...lists,
          friendRequest: samplePage([sampleRequest({ platformFeeBasisPoints: 550 })]),
        }),
      ],
      shows: ['You receive, after Tara’s fee of 5.5 %', '₱236.25'],
    },
    'a friend’s request whose money the card issuer took back': {
      path: '/manage-plans?tab=friendRequest',
      replies: [
        reply(interactions.manager, {
          ...lists,
          friendRequest: samplePage([
            sampleRequest({
              ...{ platformFeeBasisPoints: 550, paid: true, completed: true, stage: 'completed' },
              money: { ...sampleRequest().money, state: 'charged_back', takenBack: 250 },
            }),
          ]),
        }),
      ],
      shows: [/^Taken back by the card issuer of/, 'Completed. The card issuer took the payment back.'],
      hides: [/^You receive/, 'Your payout stays yours.'],
    },
    'a friend’s request that was paid out before the card issuer took the money back': {
      path: '/manage-plans?tab=friendRequest',
      replies: [
        reply(interactions.manager, {
          ...lists,
          friendRequest: samplePage([
            sampleRequest({
              ...{ platformFeeBasisPoints: 550, paid: true, completed: true, stage: 'completed' },
              money: {
                ...{ ...sampleRequest().money, state: 'paid_out', takenBack: 250 },
                payout: { state: 'arrived', amount: 236.25, way: 'transfer', until: null, problem: null },
              },
            }),
          ]),
        }),
      ],
      shows: ['Paid out to you', /^Taken back by the card issuer of/, 'Your payout stays yours.'],
    },
    'a friend’s request whose payout was refused: it says once what to do, and where': {
      path: '/manage-plans?tab=friendRequest',
      replies: [
        reply(interactions.manager, {
          ...lists,
          friendRequest: samplePage([
            sampleRequest({
              ...{ paid: true, completed: true, stage: 'completed' },
              money: {
                ...{ ...sampleRequest().money, state: 'owed' },
                payout: {
                  state: 'refused',
                  amount: 250,
                  way: 'transfer',
                  until: null,
                  problem: 'Account closed.',
                },
              },
            }),
          ]),
        }),
      ],
      shows: [
        ['link', 'check your GCash number', '/update-profile?tab=info'],
        'Account closed.',
        'Completed. Your payout was refused.',
      ],
      hides: [/Check your GCash number/],
    },
    'a friend’s request whose payout is not answered yet': {
      path: '/manage-plans?tab=friendRequest',
      replies: [
        reply(interactions.manager, {
          ...lists,
          friendRequest: samplePage([
            sampleRequest({
              ...{ paid: true, completed: true, stage: 'completed' },
              money: {
                ...{ ...sampleRequest().money, state: 'owed' },
                payout: {
                  ...{ state: 'sending', amount: 250, way: 'transfer', until: null },
                  problem: 'The provider does not have it.',
                },
              },
            }),
          ]),
        }),
      ],
      shows: ['Sent, on its way to your GCash'],
      hides: ['The provider does not have it.'],
    },
    'one’s own request whose link is not made yet': {
      path: '/manage-plans?tab=yourRequest',
      viewer: sampleSession('Ben'),
      replies: [
        reply(interactions.manager, {
          ...noLists,
          yourRequest: samplePage([sampleRequest({ checkoutUrl: null, can: sampleCan('pay') })]),
        }),
      ],
      shows: [/^Preparing the payment/, 'The payment is being prepared. It takes a moment.'],
      hides: [['link', /^Pay/]],
    },
    'one’s own request that needs a number before it is paid': {
      path: '/manage-plans?tab=yourRequest',
      viewer: sampleSession('Ben'),
      replies: [
        reply(interactions.manager, {
          ...noLists,
          yourRequest: samplePage([
            sampleRequest({ needsRefundNumber: true, checkoutUrl: null, can: sampleCan('pay') }),
          ]),
        }),
      ],
      shows: [
        ['textbox', /^GCash number/],
        ['button', 'Save and pay next'],
        ['button', 'Pay ₱250.00'],
      ],
      hides: [['link', /^Pay/]],
    },
  },
});
