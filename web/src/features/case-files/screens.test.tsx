import { type CaseFile, caseFiles, type MoneyMatch, type Timeline } from '@tara/contract/money/case-files';
import type { Confirmation } from '@tara/contract/money/payments';
import { posts } from '@tara/contract/posts/posts';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import {
  longText,
  longWord,
  sampleAdminSession,
  samplePage,
  sampleRequest,
  sampleSession,
  sampleTime,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, press, refusal, reply } from '../../testing/screen.tsx';

const viewer = sampleAdminSession('Boss');
const forbidden = {
  viewer: sampleSession('Ana'),
  replies: [reply(posts.feed, samplePage([]))],
  endsAt: '/',
  shows: ['No current post'],
};

const match: MoneyMatch = {
  ...{ id: 'request', matched: 'payment', planTitle: 'Coffee in Makati', client: 'Ben', creator: 'Ana' },
  ...{ price: 250, stage: 'paid', createdAt: sampleTime },
};
const search = (text: string, ...items: MoneyMatch[]) =>
  reply(caseFiles.findMoney, { items }, { query: { search: text } });

describeScreen('/_main/_admin/find-payment', {
  path: '/find-payment?search=pay_1',
  viewer,
  replies: [search('pay_1', match)],
  loading: 'Searching',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Find a payment'],
      '1 request found by a payment',
      ['link', /Coffee in Makati/, '/timeline/request'],
      '₱250.00',
    ],
    hides: [/^Found by/],
  },
  empty: {
    replies: [search('pay_1')],
    shows: ['Nothing has “pay_1”'],
  },
  longTexts: {
    replies: [search('pay_1', { ...match, planTitle: longWord, client: longWord })],
    shows: [longWord],
  },
  forbidden,
  more: {
    'a guest': guestsSignIn,
    'each says by what it was found where that differs': {
      replies: [search('pay_1', match, { ...match, id: 'other', matched: 'transfer' })],
      shows: ['2 requests found', 'Found by a payment', 'Found by a transfer'],
    },
    'before anything is searched for: what moved last': {
      path: '/find-payment',
      replies: [reply(caseFiles.findMoney, { items: [{ ...match, matched: 'movement' }] })],
      shows: [
        'Requests whose money moved last',
        ['link', /Coffee in Makati/, '/timeline/request'],
        ['textbox', 'Id, number or member'],
        ['button', 'Find'],
      ],
      hides: [/^1 request found/, /^Found by/],
    },
    'what is written is searched for when it is sent': {
      path: '/find-payment',
      replies: [reply(caseFiles.findMoney, { items: [] }), search('@ana', { ...match, matched: 'member' })],
      steps: async (user) => {
        await user.type(await screen.findByLabelText('Id, number or member'), ' @ana {Enter}');
      },
      shows: ['1 request found by a member', ['link', /Coffee in Makati/, '/timeline/request']],
      endsAt: '/find-payment',
    },
  },
});

const request = sampleRequest({ paid: true, accepted: true });
const timeline: Timeline = {
  request,
  linkId: 'link_1',
  events: [
    { step: 'requested', at: sampleTime, amount: null, reference: null, note: '' },
    { step: 'captured', at: sampleTime, amount: 250, reference: 'pay_1', note: 'gcash' },
    { step: 'payoutRefused', at: sampleTime, amount: null, reference: 'key', note: 'Account closed.' },
  ],
  movements: [
    {
      ...{ number: 'TARA-00000042', at: sampleTime, kind: 'chargeback_won' },
      entries: [
        { account: 'cash', owner: '', amount: 241.25 },
        { account: 'platform_fee', owner: '', amount: -241.25 },
      ],
    },
  ],
};
const one = { params: { id: 'request' } };

describeScreen('/_main/_admin/timeline/$id', {
  path: '/timeline/request',
  viewer,
  replies: [reply(caseFiles.timeline, timeline, one)],
  loading: 'Loading the timeline',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Timeline'],
      'link_1',
      'A payment arrived',
      'pay_1',
      'gcash',
      'The payout was refused',
      'Account closed.',
      'Times are Philippine.',
      'TARA-00000042',
      'chargeback won',
      'platform fee',
      '-₱241.25',
      ['link', 'Find another payment'],
    ],
  },
  empty: {
    replies: [reply(caseFiles.timeline, { ...timeline, events: [], movements: [] }, one)],
    shows: ['No money was moved yet.'],
  },
  longTexts: {
    replies: [
      reply(
        caseFiles.timeline,
        { ...timeline, events: timeline.events.map((event) => ({ ...event, note: longText })) },
        one,
      ),
    ],
    shows: [/^Salamatpo/],
  },
  forbidden,
  more: {
    'a guest': guestsSignIn,
    'no such request': {
      replies: [refusal(caseFiles.timeline, 'interaction_not_found', one)],
      shows: ['There is no such request.'],
    },
  },
});

const confirmation: Confirmation = {
  ...{ number: 'TARA-00000042', kind: 'payment', issuedAt: sampleTime, interactionId: 'request' },
  ...{ planTitle: 'Coffee in Makati', client: 'Ben', creator: 'Ana', meetsAt: null, place: '' },
  ...{ price: 250, released: 0, fee: 0, amount: 250, way: 'provider', method: 'card', receiver: null },
  ...{ reference: 'pay_1', referenceNumber: 'AbC1234', terms: '' },
};
const file: CaseFile = {
  chargeback: {
    ...{ id: 'dsp_1', paymentId: 'pay_1', amount: 250, reason: 'fraudulent', state: 'open' },
    createdAt: sampleTime,
  },
  openedAt: sampleTime,
  booked: {
    ...{ planTitle: 'Coffee in Makati', price: 250, meetsAt: sampleTime, meetsUntil: sampleTime },
    ...{ place: 'Luneta', referenceNumber: 'AbC1234', terms: 'We meet in a public place.' },
  },
  ...{ client: 'Ben', creator: 'Ana' },
  steps: [{ step: 'accepted', at: sampleTime }],
  confirmations: [confirmation],
  dispute: {
    reason: 'absent',
    client: {
      ...{ text: 'Nobody came.', photos: [], createdAt: sampleTime },
      messages: [
        { id: 'm1', text: 'I am here.', sentAt: sampleTime },
        { id: 'm2', text: 'Where are you?', sentAt: sampleTime },
      ],
    },
    creator: { text: 'I waited.', photos: [], messages: [], createdAt: sampleTime },
  },
};
const opened = (part: Partial<CaseFile> = {}) => [reply(caseFiles.openCaseFile, { ...file, ...part })];
const open = (user: UserEvent) => press(user, 'Open the file');

describeScreen('/_main/_admin/case-file/$id', {
  path: '/case-file/dsp_1',
  viewer,
  replies: opened(),
  loading: { none: 'It reads nothing until it is opened, by a press.' },
  error: {
    replies: [refusal(caseFiles.openCaseFile, 'chargeback_not_found')],
    steps: open,
    shows: ['There is no such chargeback.', ['button', 'Open the file']],
  },
  full: {
    steps: open,
    shows: [
      ['button', 'Print or save as PDF'],
      ['heading', 'The plan as booked'],
      'We meet in a public place.',
      'The creator accepted',
      'The cardholder says that they did not pay',
      'Payment TARA-00000042',
      'Nobody came.',
      'I waited.',
      'I am here.',
      'Where are you?',
      ['region', 'Messages of Ben'],
    ],
    hides: [
      ['button', 'Open the file'],
      ['region', 'Messages of Ana'],
    ],
  },
  empty: {
    replies: opened({ dispute: null, confirmations: [], booked: { ...file.booked, terms: '', place: '' } }),
    steps: open,
    shows: [['heading', 'The disputed payment']],
    hides: ['Place', 'What both sides wrote in a dispute'],
  },
  longTexts: {
    replies: opened({ booked: { ...file.booked, planTitle: longWord, terms: longText } }),
    steps: open,
    shows: [longText],
  },
  forbidden,
  more: {
    'a guest': guestsSignIn,
    'before it is opened': {
      shows: [/written to the audit log/, ['button', 'Open the file']],
      hides: [['button', 'Print or save as PDF']],
    },
    'of an own request': {
      replies: [refusal(caseFiles.openCaseFile, 'admin_own_record')],
      steps: open,
      shows: ['This is about you', ['button', 'Open the file']],
    },
  },
});
