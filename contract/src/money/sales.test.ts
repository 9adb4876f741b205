import { expect, it } from 'vitest';
import { bestSaleIfLosing } from './sales.ts';

const settings = {
  platformFeeBasisPoints: 0,
  paymentMethods: ['card', 'gcash'],
  payoutLimitCentavos: 50_000_00,
  payouts: 'provider',
} as const;

it('a sale without a platform fee loses what the cheapest method and the payout cost', () => {
  const cost = 1_250_00 + 10_00;
  expect(bestSaleIfLosing(settings)).toEqual({
    ...{ priceCentavos: 50_000_00, earnedCentavos: 0, costCentavos: cost },
  });
});

it.each([
  ['the share of the cheapest method alone, without the payout', 250, true],
  ['a little more than both at the dearest price', 253, false],
  ['less than what a card takes, where GCash is offered too', 340, false],
])('says whether each sale loses money with %s', (_what, platformFeeBasisPoints, loses) => {
  expect(bestSaleIfLosing({ ...settings, platformFeeBasisPoints }) !== null).toBe(loses);
});

it('counts what is taken beside the share of the price where only cards are offered', () => {
  const cards = { ...settings, paymentMethods: ['card'], payoutLimitCentavos: 100_00 } as const;
  expect(bestSaleIfLosing({ ...cards, platformFeeBasisPoints: 2_800 })).toMatchObject({
    costCentavos: 28_50,
  });
  expect(bestSaleIfLosing({ ...cards, platformFeeBasisPoints: 2_850 })).toBeNull();
});

it('counts no transfer where admins send payouts by hand', () => {
  expect(bestSaleIfLosing({ ...settings, payouts: 'manual' })).toMatchObject({ costCentavos: 1_250_00 });
});
