import { secondFactor } from '@tara/contract/accounts/second-factor';
import { type DisputedRequest, disputes } from '@tara/contract/money/disputes';
import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import {
  longText,
  longWord,
  sampleAdminSession,
  sampleCan,
  samplePicture,
  sampleRequest,
  sampleSession,
  sampleTime,
} from '../../testing/samples.ts';
import { describeScreen, refusal, reply } from '../../testing/screen.tsx';

const time = '2026-01-02T03:04:05.000+00:00';
const one = { params: { id: 'request' } };
const request = sampleRequest({ paid: true, accepted: true, can: sampleCan('dispute') });
const { whoSentReq: client, creator } = request;
const asClient = sampleSession(client.name, { account: { id: request.clientAccountId } });
const asCreator = sampleSession(creator.name, { account: { id: request.creatorAccountId } });
const disputedRequest = { ...request, disputed: true, stage: 'disputed' as const, can: sampleCan() };
const answerable = { ...disputedRequest, can: sampleCan('answerDispute') };
const dispute = {
  reason: 'absent' as const,
  client: { text: 'Nobody came.', photos: [], messages: [], createdAt: time },
  creator: null,
};
const answered = { ...dispute, creator: { text: 'I waited.', photos: [], messages: [], createdAt: time } };
const split = {
  outcome: 'split' as const,
  released: 100,
  refunded: 150,
  note: 'Half each.',
  createdAt: time,
};
const ownTexts = [
  { id: 'm2', text: `Where are you? ${longWord}`, sentAt: time },
  { id: 'm1', text: 'I am here.', sentAt: time },
];
const offered = (items = ownTexts) => reply(disputes.ownMessages, { items, hasMore: false }, one);
const shown = (part: Partial<DisputedRequest>) =>
  reply(disputes.get, { request: disputedRequest, dispute, decision: null, ...part }, one);

describeScreen('/_main/dispute/$id', {
  path: '/dispute/request',
  viewer: asClient,
  replies: [shown({}), offered([])],
  loading: 'Loading the request',
  error: 'retry',
  full: {
    shows: ['The creator did not come', 'Nobody came.', /has not answered yet/, /An admin decides next/],
    hides: [['button', 'Send the answer']],
  },
  empty: {
    replies: [shown({ request, dispute: null })],
    shows: [['button', 'Open a dispute'], /Tara holds ₱250/],
  },
  longTexts: {
    replies: [shown({ dispute: { ...answered, client: { ...dispute.client, text: longText + longWord } } })],
    shows: [longText + longWord, 'I waited.'],
  },
  forbidden: {
    replies: [refusal(disputes.get, 'interaction_not_found', one)],
    shows: ['There is no such request.'],
  },
  more: {
    'the creator answers, once': {
      viewer: asCreator,
      replies: [
        shown({ request: answerable }),
        reply(disputes.answer, { request: disputedRequest, dispute: answered, decision: null }),
      ],
      steps: async (user) => {
        await screen.findByText('You have not answered yet.');
        await user.click(await screen.findByRole('button', { name: 'Send the answer' }));
        await screen.findByText('Please say what happened.');
        await user.type(screen.getByLabelText('Your answer'), 'I waited.');
        await user.click(screen.getByRole('button', { name: 'Send the answer' }));
        await user.click(await screen.findByRole('button', { name: 'Send' }));
      },
      shows: ['Your answer is sent', 'I waited.'],
      hides: [['button', 'Send the answer']],
    },
    'a photo over the screen is closed by Back, and nothing is asked about what is written': {
      viewer: asCreator,
      replies: [
        shown({
          request: answerable,
          dispute: { ...dispute, client: { ...dispute.client, photos: [samplePicture, samplePicture] } },
        }),
      ],
      steps: async (user) => {
        await user.type(await screen.findByLabelText('Your answer'), 'I waited.');
        await user.click(screen.getAllByRole('button', { name: 'Sea' })[1] as HTMLElement);
        await screen.findByText('2 of 2');
        await user.click(screen.getByRole('button', { name: 'Close' }));
        await waitFor(() => expect(screen.queryByText('2 of 2')).toBeNull());
        expect(screen.getByLabelText('Your answer')).toHaveProperty('value', 'I waited.');
      },
      shows: [['button', 'Send the answer']],
      hides: ['Leave without saving?'],
    },
    'an admin whose 12 hours are over is asked for a code, and not told that there is nothing': {
      viewer: sampleAdminSession('Boss', { secondFactor: { isSetUp: true, validUntil: sampleTime } }),
      replies: [
        refusal(disputes.get, 'interaction_not_found', one),
        reply(secondFactor.status, { createdAt: sampleTime, recoveryCodesLeft: 9 }),
      ],
      endsAt: '/second-factor',
      shows: [['heading', 'Enter your code']],
      hides: ['There is no such request.'],
    },
    'the client opens one': {
      replies: [
        shown({ request, dispute: null }),
        reply(disputes.open, { request: disputedRequest, dispute, decision: null }),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Open a dispute' }));
        await screen.findByText('Please choose a reason.');
        await user.selectOptions(screen.getByLabelText('What was wrong?'), 'absent');
        await user.type(screen.getByLabelText('What happened?'), 'Nobody came.');
        await user.click(screen.getByRole('button', { name: 'Open a dispute' }));
      },
      shows: ['Your dispute is open', 'Nobody came.', /An admin decides next/],
      hides: [['button', 'Open a dispute']],
    },
    'one that adds messages of the plan chat': {
      replies: [
        shown({ request, dispute: null }),
        offered(),
        reply(disputes.open, {
          ...{ request: disputedRequest, decision: null },
          dispute: { ...dispute, client: { ...dispute.client, messages: ownTexts.slice(1) } },
        }),
      ],
      steps: async (user) => {
        await user.selectOptions(await screen.findByLabelText('What was wrong?'), 'absent');
        await user.type(screen.getByLabelText('What happened?'), 'Nobody came.');
        await user.click(screen.getByText(/^Add your messages/));
        await user.click(screen.getByRole('checkbox', { name: /^I am here/ }));
        await user.click(screen.getByRole('button', { name: 'Open a dispute' }));
      },
      shows: ['Your dispute is open', ['region', `Messages of ${client.name}`], 'I am here.'],
      hides: [/Where are you/, ['checkbox']],
    },
    'messages that can be added': {
      replies: [shown({ request, dispute: null }), offered()],
      shows: [
        /^Add your messages/,
        /^Only texts that you wrote/,
        /the admins, and a card issuer that disputes the payment read it/,
        new RegExp(longWord),
      ],
    },
    'no messages to add': {
      viewer: asCreator,
      replies: [shown({ request: answerable })],
      shows: [['button', 'Send the answer']],
      hides: [/^Add your messages/],
    },
    'messages that could not be loaded leave the form, and are loaded by Try again': {
      viewer: asCreator,
      replies: [shown({ request: answerable }), refusal(disputes.ownMessages, 'general_unknown', one)],
      steps: async (user, answer) => {
        await screen.findByText('Your messages could not be loaded, so none is added.');
        screen.getByRole('button', { name: 'Send the answer' });
        answer([offered()]);
        await user.click(screen.getByRole('button', { name: 'Try again' }));
      },
      shows: [/^Add your messages/],
      hides: ['Your messages could not be loaded, so none is added.'],
    },
    'messages of both sides, of which those of a deleted account are empty': {
      replies: [
        shown({
          dispute: {
            ...answered,
            client: { ...dispute.client, messages: [{ id: 'm1', text: '', sentAt: time }] },
            creator: { ...answered.creator, messages: [{ id: 'm2', text: longWord, sentAt: time }] },
          },
        }),
      ],
      shows: [
        ['region', `Messages of ${client.name}`],
        ['region', `Messages of ${creator.name}`],
        ...['This was deleted.', longWord],
      ],
    },
    'too late': {
      replies: [
        shown({
          request: {
            ...request,
            ...{ userSetDone: true, stage: 'fulfilled' },
            can: {
              ...sampleCan(),
              dispute: 'A dispute can be opened until 48 hours after the plan was fulfilled.',
            },
          },
          dispute: null,
        }),
      ],
      shows: ['A dispute can be opened until 48 hours after the plan was fulfilled.'],
      hides: [['button', 'Open a dispute']],
    },
    'a split': {
      replies: [
        shown({
          request: { ...disputedRequest, completed: true, stage: 'completed' },
          dispute: answered,
          decision: split,
        }),
      ],
      shows: ['An admin decided', 'Half each.', /^₱100/, /^₱150/],
      hides: [/An admin decides next/],
    },
    'ended by the card issuer before an admin decided': {
      replies: [
        shown({
          request: { ...disputedRequest, cancelled: true, stage: 'cancelled', cancelReason: 'charged_back' },
        }),
      ],
      shows: ['The card issuer took the payment back, so nothing is left to decide.'],
      hides: [/An admin decides next/, ['button', 'Send the answer']],
    },
    'a decision because the client did not answer': {
      replies: [
        shown({
          request: { ...request, completed: true, decided: true, stage: 'completed' },
          dispute: null,
          decision: split,
        }),
      ],
      shows: [['heading', 'The decision'], 'An admin decided', 'Half each.'],
      hides: ['There was a problem', ['button', 'Open a dispute']],
    },
  },
});
