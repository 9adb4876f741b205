import { describe, expect, it } from 'vitest';
import { sampleRequest } from '../../testing/samples.ts';
import { nextStep, refundLabel } from './request-texts.ts';

const paid = { paid: true };
const ready = { paid: true, accepted: true };
const owed = {
  state: 'owed',
  amount: 250,
  takenBack: 0,
  at: '2026-11-21T12:00:00.000Z',
  payout: null,
  refund: null,
} as const;
const payout = { amount: 250, way: 'transfer', until: null, problem: null } as const;
/** The card issuer took a part of the payment. */
const takenInPart = { ...owed, state: 'charged_back', takenBack: 100 } as const;
const over = { ...{ paid: true, accepted: true, userSetDone: true }, adminSetDone: true, completed: true };
const done = { ...ready, userSetDone: true };
const at = '2026-12-05T10:00:00.000Z';
const proposal = { id: 'proposal', meetsAt: at, meetsUntil: at, place: 'Luneta', createdAt: at };

describe('what comes next with a request', () => {
  it.each([
    ['client', { checkoutUrl: null }, /being prepared/],
    ['client', {}, /^Pay to open the chat with Ana/],
    ['client', { accepted: true }, /^Ana accepted\. Pay/],
    ['client', paid, /^Waiting for Ana to accept/],
    ['client', ready, /^Open the chat/],
    ['client', { ...ready, haveConvoReceipt: true }, /Plan is fulfilled/],
    ['client', done, /An admin confirms it next/],
    ['client', { ...done, adminSetDone: true, completed: true }, /write a review now/],
    ['client', { ...paid, disputed: true, stage: 'disputed' }, /^You said that there was a problem/],
    ['creator', { ...done, disputed: true, stage: 'disputed' }, /^Ben says that there was a problem/],
    ['creator', {}, /^Accept to meet\. Ben has not paid/],
    ['creator', paid, /^Ben has paid/],
    ['creator', { accepted: true }, /^Waiting for Ben to pay/],
    ['creator', done, /then your payout starts/],
    [
      'creator',
      {
        ...done,
        adminSetDone: true,
        completed: true,
        money: { ...owed, payout: { ...payout, state: 'delayed', until: '2026-11-22T12:00:00.000Z' } },
      },
      /waits until Sunday,? 22 November 2026.*phone number changed/,
    ],
    ['creator', { ...done, adminSetDone: true, completed: true, money: owed }, /on its way/],
    [
      'creator',
      { ...over, money: { ...owed, payout: { ...payout, state: 'needs_number' } } },
      /your GCash number/,
    ],
    ['creator', { ...over, money: { ...owed, payout: { ...payout, state: 'refused' } } }, /was refused/],
    ['creator', { ...over, money: { ...owed, payout: { ...payout, state: 'frozen' } } }, /card issuer/],
    [
      'creator',
      { ...over, money: { ...owed, payout: { ...payout, state: 'on_hold' } } },
      /while Tara checks/,
    ],
    ['creator', { ...over, money: { ...owed, payout: { ...payout, state: 'arrived' } } }, /Well done/],
    [
      'creator',
      { ...over, money: { ...takenInPart, payout: { ...payout, state: 'needs_number' } } },
      /your GCash number/,
    ],
    [
      'creator',
      { ...over, money: { ...takenInPart, payout: { ...payout, state: 'sending' } } },
      /on its way/,
    ],
    ['creator', { ...over, money: takenInPart }, /took the payment back/],
    ['client', { needsRefundNumber: true, checkoutUrl: null }, /^Name a number for refunds/],
    ['client', { cancelled: true }, /cancelled/],
    ['client', { ...paid, proposal: { ...proposal, by: 'creator' } }, /^Agree to the day that Ana proposes/],
    ['creator', { ...paid, proposal: { ...proposal, by: 'creator' } }, /^Waiting for Ben to answer/],
  ] as const)('is shown to the %s in %o', (side, state, words) => {
    expect(nextStep(sampleRequest(state), side)).toMatch(words);
  });
});

it.each([
  ['frozen', /the card issuer disputes/],
  ['on_hold', /while Tara checks the payment$/],
  ['refused', /was refused/],
] as const)('a refund that is %s says so', (state, text) => {
  const refund = { state, amount: 250, way: 'provider', until: null, problem: null } as const;
  expect(refundLabel(refund, { side: 'client', client: 'Ben', creator: 'Ana' })).toMatch(text);
});
