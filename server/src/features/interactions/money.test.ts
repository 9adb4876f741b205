import { nowMs } from '@tara/contract/clock';
import type { Party } from '@tara/contract/interactions/stages';
import { expect, it } from 'vitest';
import { disputedPaymentText, foreignRefundText } from './held-back.ts';
import { moneyState, needsNumberToPay, type ProgressRow } from './money.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const nothing = {
  chargedBackAt: null,
  priceCentavos: 250_50,
  createdAt: at(0),
  paidAt: null,
  adminSetDoneAt: null,
  payoutWaitsUntil: null,
  paidOutAt: null,
  cancelledAt: null,
  refundedAt: null,
  releasedCentavos: 0,
  frozenAt: null,
};
const noProgress = {
  creatorNumber: '0917 123 4567',
  payoutCentavos: null,
  payoutState: null,
  payoutProblem: null,
  refundCentavos: null,
  refundWay: null,
  refundState: null,
  refundProblem: null,
  awaitsNumber: false,
  takenBackCentavos: 0,
};
const read = (
  request: Partial<Parameters<typeof moneyState>[0]['request']>,
  progress: Partial<ProgressRow> = {},
  party: Party = 'creator',
  now = 0,
) =>
  moneyState({
    request: { ...nothing, ...request },
    progress: { ...noProgress, ...progress },
    party,
    now,
  });
const noMoney = { takenBack: 0, payout: null, refund: null };

it.each([
  ['unpaid', {}, 0],
  ['held', { paidAt: at(1) }, 1],
  ['owed', { paidAt: at(1), adminSetDoneAt: at(2) }, 2],
  ['paid_out', { paidAt: at(1), adminSetDoneAt: at(2), paidOutAt: at(3) }, 3],
  ['refunding', { paidAt: at(2), cancelledAt: at(1) }, 2],
  ['refunded', { paidAt: at(2), cancelledAt: at(1), refundedAt: at(3) }, 3],
  // Of a split.
  ['owed', { paidAt: at(1), adminSetDoneAt: at(2), refundedAt: at(3), releasedCentavos: 100_00 }, 2],
] as const)('is %s', (state, moments, second) => {
  const expected = { ...noMoney, state, amount: 250.5, at: at(second).toISOString() };
  expect(read(moments)).toEqual(expected);
});

it('is free where the price is 0', () => {
  const free = { ...noMoney, state: 'free', amount: 0, at: at(1).toISOString() };
  expect(read({ priceCentavos: 0, paidAt: at(1) })).toEqual(free);
});

const owed = { paidAt: at(1), adminSetDoneAt: at(2) };

it('says to the creator alone, and only until then, that a payout waits for a changed number', () => {
  const delayed = { ...owed, payoutWaitsUntil: at(9) };
  const payout = { payoutCentavos: 250_50, payoutState: 'owed' } as const;
  const before = at(8).getTime();
  const until = at(9).toISOString();
  expect(read(delayed, payout, 'creator', before)).toMatchObject({ payout: { until } });
  const forClient = read(delayed, payout, 'client', before);
  expect(forClient).toMatchObject({ payout: { state: 'delayed', until: null } });
  expect(read(delayed, payout, 'creator', at(9).getTime()).payout).toMatchObject({ state: 'waiting' });
  const paid = { ...payout, payoutState: 'arrived' } as const;
  expect(read({ ...delayed, paidOutAt: at(3) }, paid, 'creator', before).payout).toMatchObject({
    until: null,
  });
});

it.each([
  ['arrived', { payoutState: 'arrived' }, {}],
  ['sending', { payoutState: 'sending' }, { frozenAt: at(3) }],
  ['frozen', {}, { frozenAt: at(3) }],
  ['needs_number', { creatorNumber: 'ask me' }, {}],
  ['waiting', {}, {}],
  ['refused', { payoutProblem: 'The account is inactive.' }, {}],
  ['frozen', { payoutProblem: disputedPaymentText }, {}],
  ['on_hold', { payoutProblem: foreignRefundText }, {}],
] as const)('a payout is %s', (state, progress, request) => {
  const payout = { payoutCentavos: 100_00, payoutState: 'owed', ...progress } as const;
  const amount = { state, amount: 100, way: 'transfer' };
  expect(read({ ...owed, ...request }, payout).payout).toMatchObject(amount);
  expect(read({ ...owed, ...request }, payout, 'client').payout).toMatchObject({ ...amount, problem: null });
});

it.each([
  ['arrived', 'provider', { refundState: 'arrived' }],
  ['sending', 'provider', { refundState: 'sending' }],
  ['refused', 'provider', { refundProblem: 'No balance.' }],
  ['waiting', 'provider', {}],
  ['needs_number', 'transfer', { awaitsNumber: true }],
  ['sending', 'transfer', { refundState: 'sending' }],
  ['refused', 'transfer', { refundProblem: 'The account is inactive.' }],
  ['waiting', 'transfer', {}],
  ['frozen', 'provider', { refundProblem: disputedPaymentText }],
  ['on_hold', 'transfer', { refundProblem: foreignRefundText }],
] as const)('a refund is %s by %s', (state, refundWay, progress) => {
  const refund = { refundCentavos: 100_00, refundState: 'owed', refundWay, ...progress } as const;
  const request = { paidAt: at(1), cancelledAt: at(2) };
  expect(read(request, refund, 'client').refund).toMatchObject({ state, amount: 100, way: refundWay });
  expect(read(request, refund, 'creator').refund).toMatchObject({ state, problem: null });
});

it('a refund that was not sent is frozen with its payment', () => {
  const request = { paidAt: at(1), cancelledAt: at(2), frozenAt: at(3) };
  const refund = { refundCentavos: 100_00, refundState: 'owed' } as const;
  expect(read(request, refund).refund).toMatchObject({ state: 'frozen' });
  expect(read(request, { ...refund, refundState: 'sending' }).refund).toMatchObject({ state: 'sending' });
});

it.each([
  ['creator', { payoutProblem: foreignRefundText }, null],
  ['other', { payoutProblem: foreignRefundText }, foreignRefundText],
  ['creator', { payoutProblem: 'It is closed.' }, 'It is closed.'],
] as const)('of a payout the %s sees the problem of %o: %s', (party, progress, problem) => {
  const payout = { payoutCentavos: 100_00, payoutState: 'owed', ...progress } as const;
  expect(read(owed, payout, party).payout?.problem).toBe(problem);
});

const day = (count: number) => new Date(nowMs() + count * 86_400_000);

it.each([
  ['no method within its time', 0, null, true],
  ['cards and a day in two weeks', 60, day(14), false],
  ['cards and a day in 50 days', 60, day(50), true],
  ['GCash alone and that day', 180, day(50), false],
  ['cards and no day yet', 60, null, false],
  ['30 days and no day yet', 30, null, true],
] as const)('a client names a number before paying: %s', (_case, refundWindowDays, meetsAt, expected) => {
  const open = { ...nothing, refundNumber: null, dayStartsAt: null, refundWindowDays, meetsAt };
  expect(needsNumberToPay(open)).toBe(expected);
  expect(needsNumberToPay({ ...open, refundNumber: '09171234567' })).toBe(false);
  expect(needsNumberToPay({ ...open, paidAt: at(1) })).toBe(false);
  expect(needsNumberToPay({ ...open, priceCentavos: 0 })).toBe(false);
});
