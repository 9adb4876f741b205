import { expect, it } from 'vitest';
import { moneyState } from './money.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const nothing = {
  priceCentavos: 250_50,
  createdAt: at(0),
  paidAt: null,
  adminSetDoneAt: null,
  payoutWaitsUntil: null,
  paidOutAt: null,
  cancelledAt: null,
  refundedAt: null,
  releasedCentavos: 0,
  refundCentavos: 0,
};

it.each([
  ['unpaid', {}, 0],
  ['held', { paidAt: at(1) }, 1],
  ['owed', { paidAt: at(1), adminSetDoneAt: at(2) }, 2],
  ['paid_out', { paidAt: at(1), adminSetDoneAt: at(2), paidOutAt: at(3) }, 3],
  ['refunding', { paidAt: at(2), cancelledAt: at(1) }, 2],
  ['refunded', { paidAt: at(2), cancelledAt: at(1), refundedAt: at(3) }, 3],
] as const)('is %s', (state, moments, second) => {
  const expected = {
    state,
    amount: 250.5,
    released: 0,
    refunded: 0,
    at: at(second).toISOString(),
    waitsUntil: null,
  };
  expect(moneyState({ ...nothing, ...moments }, true)).toEqual(expected);
});

it('is free where the price is 0', () => {
  const free = { ...nothing, priceCentavos: 0, paidAt: at(1) };
  expect(moneyState(free, true)).toEqual({
    state: 'free',
    amount: 0,
    released: 0,
    refunded: 0,
    at: at(1).toISOString(),
    waitsUntil: null,
  });
});

it('says to the creator alone, and only until then, that a payout waits for a changed number', () => {
  const owed = { ...nothing, paidAt: at(1), adminSetDoneAt: at(2), payoutWaitsUntil: at(9) };
  const before = at(8).getTime();
  expect(moneyState(owed, true, before).waitsUntil).toBe(at(9).toISOString());
  expect(moneyState(owed, false, before).waitsUntil).toBeNull();
  expect(moneyState(owed, true, at(9).getTime()).waitsUntil).toBeNull();
  expect(moneyState({ ...owed, paidOutAt: at(3) }, true, before).waitsUntil).toBeNull();
});
