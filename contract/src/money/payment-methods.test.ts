import { expect, it } from 'vitest';
import { isRefundable, isWindowTooShort, paymentMethods, refundWindowDays } from './payment-methods.ts';
import { bestSaleIfLosing } from './sales.ts';

const now = Date.UTC(2026, 0, 1);
const day = (count: number) => new Date(now + count * 86_400_000);

it('takes the shortest of the methods that are offered', () => {
  expect(refundWindowDays(['gcash'])).toBe(180);
  expect(refundWindowDays(['card', 'gcash'])).toBe(60);
  expect(refundWindowDays(['card', 'qrph'])).toBe(0);
});

it.each([
  ['card', 60, 50_00],
  ['gcash', 180, 25_00],
  ['grab_pay', 90, 20_00],
  ['paymaya', 365, 22_00],
  ['billease', 60, 15_00],
  ['dob', 0, 8_00],
  ['brankas', 0, 8_00],
  ['qrph', 0, 15_00],
] as const)(
  'knows that %s gives back for %i days, and costs %i centavos of a sale for ₱1,000',
  (method, days, costCentavos) => {
    expect(refundWindowDays([method])).toBe(days);
    const sale = { platformFeeBasisPoints: 0, payoutLimitCentavos: 1_000_00, payouts: 'manual' } as const;
    expect(bestSaleIfLosing({ ...sale, paymentMethods: [method] })?.costCentavos).toBe(costCentavos);
  },
);

it.each([
  ['card', 46, false],
  ['card', 47, true],
  ['gcash', 166, false],
  ['gcash', 167, true],
  ['grab_pay', 77, true],
  ['paymaya', 200, false],
  ['qrph', 1, true],
] as const)('asks of %s whether it outlasts a plan in %i days by two weeks', (method, days, expected) => {
  expect(isWindowTooShort(refundWindowDays([method]), day(days), now)).toBe(expected);
});

it('counts three weeks to the day of a plan that has none yet, and two more', () => {
  expect(isWindowTooShort(35, null, now)).toBe(false);
  expect(isWindowTooShort(34, null, now)).toBe(true);
});

it.each([
  ['card', 59, true, true],
  ['card', 61, false, false],
  ['gcash', 179, true, true],
  ['grab_pay', 10, false, true],
  ['grab_pay', 10, true, false],
  ['paymaya', 364, false, true],
  ['paymaya', 364, true, false],
  ['qrph', 0, false, false],
  ['something new', 0, false, null],
] as const)('knows whether %s gives back after %i days (part: %s)', (method, days, isPart, expected) => {
  expect(isRefundable({ method, paidAt: day(-days), isPart }, now)).toBe(expected);
  expect(isRefundable({ method: null, paidAt: day(-days), isPart }, now)).toBeNull();
});

it('names each method for people', () => {
  for (const { label } of Object.values(paymentMethods)) expect(label).toMatch(/^\S.*\S$/);
});
