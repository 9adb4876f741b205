import { adminMoney } from '@tara/contract/money/admin-money';
import { type Chargeback, type RequestCase, requestCases } from '@tara/contract/money/disputes';
import { posts } from '@tara/contract/posts/posts';
import { act, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import {
  longText,
  longWord,
  sampleAdminSession,
  sampleCan,
  samplePage,
  sampleRequest,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, refusal, reply } from '../../testing/screen.tsx';
import { stubWidth } from '../../ui/testing/stub-width.ts';

const time = '2026-01-02T03:04:05.000+00:00';
const boss = sampleAdminSession('Boss');
const sample = sampleRequest({ paid: true, accepted: true });
const request = {
  ...sample,
  ...{ disputed: true, stage: 'disputed' as const, conversationReceipt: 'chat' },
  can: sampleCan('decideDispute'),
};
const dispute: RequestCase['dispute'] = {
  reason: 'absent',
  client: { text: 'Nobody came.', photos: [], messages: [], createdAt: time },
  creator: {
    ...{ text: 'I waited.', photos: [], createdAt: time },
    messages: [{ id: 'm1', text: 'I come at six.', sentAt: time }],
  },
};
const disputed: RequestCase = {
  ...{ id: 'request', request, dispute, terms: 'We meet in a public place.' },
  steps: [
    { step: 'paid', at: time },
    { step: 'disputed', at: time },
  ],
};
const silent: RequestCase = {
  ...disputed,
  request: { ...sample, stage: 'ready', creatorMet: true, can: sampleCan('decideNoAnswer') },
  dispute: null,
};
const disputes = (...items: RequestCase[]) => reply(requestCases.disputes, samplePage(items));
const noAnswer = (...items: RequestCase[]) => reply(requestCases.noAnswer, samplePage(items));
const forbidden = {
  viewer: sampleSession('Ana'),
  replies: [reply(posts.feed, samplePage([]))],
  endsAt: '/',
  shows: ['No current post'],
};
const isOwn = 'This is about you. Another admin has to decide it.';
const isClean = 'List is clean good job 👍';

/** Fills the form, and confirms the question. */
const decide = async (user: UserEvent, outcome: string, part?: string) => {
  await user.selectOptions(await screen.findByLabelText('What happens with the money?'), outcome);
  if (part) await user.type(await screen.findByLabelText(/in pesos$/), part);
  await user.type(screen.getByLabelText('Reason'), 'They did not meet.');
  await user.click(screen.getByRole('button', { name: 'Decide' }));
};
const confirmDecision = async (user: UserEvent) => {
  await screen.findByText('Are you sure?');
  const [button] = (await screen.findAllByRole('button', { name: 'Decide' })).slice(-1);
  if (button) await user.click(button);
};

describeScreen('/_main/_admin/disputes', {
  path: '/disputes?open=request',
  viewer: boss,
  replies: [disputes(disputed)],
  loading: 'Loading the list',
  error: 'retry',
  full: {
    shows: [
      ...['Nobody came.', 'I waited.', 'I come at six.', 'What happened when', 'The client paid'],
      ['button', 'Decide'],
      ['button', 'Open the plan chat'],
    ],
  },
  empty: { replies: [disputes()], shows: [isClean] },
  longTexts: {
    replies: [
      disputes({
        ...disputed,
        request: { ...request, planTitle: longWord },
        dispute: dispute && { ...dispute, client: { ...dispute.client, text: longText } },
      }),
    ],
    shows: [longText],
  },
  forbidden,
  more: {
    'asks before a split, and takes the request off the list': {
      replies: [reply(requestCases.decideRequest, { status: 'ok' })],
      steps: async (user) => {
        await decide(user, 'split', '100.50');
        await screen.findByText(/^₱100.50 goes back to .* and ₱149.50 to/);
        await confirmDecision(user);
      },
      shows: ['The request is decided.', isClean],
    },
    'sends no invalid part, and no decision without a reason': {
      steps: async (user) => {
        await user.selectOptions(await screen.findByLabelText('What happens with the money?'), 'split');
        await user.type(await screen.findByLabelText(/in pesos$/), '250');
        await user.click(screen.getByRole('button', { name: 'Decide' }));
      },
      shows: ['Must leave at least ₱1.00 to each of the two.', 'Please give a reason. Both parties read it.'],
      hides: ['Are you sure?'],
    },
    'takes off the list what another admin decided': {
      replies: [refusal(requestCases.decideRequest, 'request_decision_not_possible')],
      steps: async (user) => {
        await decide(user, 'refund');
        await confirmDecision(user);
      },
      shows: ['There is nothing to decide about this request.', isClean],
    },
    'can only give back what the creator never accepted': {
      replies: [disputes({ ...disputed, request: { ...request, accepted: false } })],
      shows: ['The creator never accepted: the money can only go back.'],
      hides: [['option', /A part to each/]],
    },
    'is not decided by one of its parties': {
      replies: [
        disputes({
          ...disputed,
          request: { ...request, clientAccountId: 'Boss', can: { ...sampleCan(), decideDispute: isOwn } },
        }),
      ],
      shows: [isOwn],
      hides: [
        ['button', 'Decide'],
        ['button', 'Open the plan chat'],
      ],
    },
    'opens the plan chat when an admin asks for it': {
      replies: [
        reply(requestCases.planChat, {
          items: [
            {
              ...{
                id: 'm1',
                chatId: 'chat',
                sequence: 1,
                userId: 'ben',
                name: 'Ben',
                body: 'See you at six',
              },
              ...{
                picture: null,
                replyTo: null,
                admin: false,
                unsent: false,
                clientKey: 'k',
                createdAt: time,
              },
            },
          ],
          hasMore: false,
        }),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Open the plan chat' }));
      },
      shows: ['See you at six'],
      hides: [['button', 'Open the plan chat']],
    },
  },
});

describeScreen('/_main/_admin/no-answer', {
  path: '/no-answer?open=request',
  viewer: boss,
  replies: [noAnswer(silent)],
  loading: 'Loading the list',
  error: 'retry',
  full: { shows: [/said that they met\. .* said nothing\.$/, ['button', 'Decide']] },
  empty: { replies: [noAnswer()], shows: [isClean] },
  longTexts: {
    replies: [noAnswer({ ...silent, request: { ...silent.request, planTitle: longWord } })],
    shows: [longWord],
  },
  forbidden,
  more: {
    'releases the money': {
      replies: [reply(requestCases.decideRequest, { status: 'ok' })],
      steps: async (user) => {
        await decide(user, 'release');
        await confirmDecision(user);
      },
      shows: ['The request is decided.', isClean],
    },
  },
});

const chargeback: Chargeback = {
  ...{ id: 'dsp', request: sample, steps: disputed.steps, terms: disputed.terms, paymentId: 'pay_1' },
  ...{ amount: 250, frozen: 250, reason: 'product_not_received', state: 'open', decidedAt: null },
  ...{ createdAt: time, dueOn: '2026-01-09', isUnderReview: false },
};
const taken = (...items: Chargeback[]) => reply(requestCases.chargebacks, samplePage(items));

describeScreen('/_main/_admin/chargebacks', {
  path: '/chargebacks?open=dsp',
  viewer: boss,
  replies: [taken(chargeback)],
  loading: 'Loading the list',
  error: 'retry',
  full: {
    shows: [
      ...['The client did not get what they paid for', 'Times are Philippine.'],
      '2 January 2026 at 11:04 AM',
      ...['dsp', 'pay_1', 'We meet in a public place.', 'The client paid'],
      /^Nothing of it is paid out or refunded until the issuer decides/,
      ...['Evidence is due by 9 January 2026', 'Evidence is due by', '9 January 2026'],
    ],
  },
  empty: { replies: [taken()], shows: [isClean] },
  longTexts: { replies: [taken({ ...chargeback, terms: longText })], shows: [longText] },
  forbidden,
  more: {
    'about another payment': {
      replies: [reply(adminMoney.assignDispute, { status: 'ok' })],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'It is about another payment' }));
        const dialog = within(await screen.findByRole('dialog'));
        await user.type(await dialog.findByLabelText('Payment'), 'pay_2');
        dialog.getByRole('heading', { name: 'Correct the payment' });
        dialog.getByText('dsp');
        await user.type(dialog.getByLabelText('Reason'), 'The day agrees.');
        await user.click(dialog.getByRole('button', { name: 'Assign' }));
      },
      shows: ['The dispute is assigned.'],
    },
    'about no payment of Tara': {
      replies: [reply(adminMoney.assignDispute, { status: 'ok' })],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'It is about no payment of Tara' }));
        const dialog = within(await screen.findByRole('dialog', { name: 'No payment of Tara' }));
        dialog.getByText(/what waited is free again, unless another dispute is about it/);
        await user.type(dialog.getByLabelText('Reason'), 'Of the other shop.');
        await user.click(dialog.getByRole('button', { name: 'Confirm' }));
      },
      shows: ['The dispute is about no payment of Tara.'],
    },
    'of which the evidence was sent': {
      replies: [taken({ ...chargeback, isUnderReview: true })],
      shows: ['The evidence was sent', /^Nothing of it is paid out or refunded until the issuer decides\.$/],
      hides: [/^Evidence is due/],
    },
    'a code of the issuer that is not known': {
      replies: [taken({ ...chargeback, reason: 'code_83' })],
      shows: ['code_83'],
    },
    'what is written stays when the device is turned': {
      steps: async (user) => {
        const resize = stubWidth(1280);
        await user.click(await screen.findByRole('button', { name: 'It is about another payment' }));
        await user.type(await screen.findByLabelText('Payment'), 'pay_2');
        act(() => resize(390));
        expect(screen.getByLabelText<HTMLInputElement>('Payment').value).toBe('pay_2');
      },
      shows: [['heading', 'Correct the payment']],
    },
    'lost after the payout': {
      replies: [taken({ ...chargeback, frozen: 0, state: 'lost', decidedAt: time })],
      shows: [/loss for Tara/],
      hides: ['Held until it is decided', /^Evidence is due/, ['button', 'It is about another payment']],
    },
  },
});
