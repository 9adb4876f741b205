import { describe, expect, it } from 'vitest';
import { evidenceDueOn, Payment, payerDeclineCode, paymentFee } from './index.ts';

describe('the fee of a payment', () => {
  // The amounts are those of the provider's own examples.
  it.each([
    ['with tax withheld', 246, { amount: 10_000, fee: 250, tax_amount: 4, net_amount: 9_754 }],
    ['by a foreign card', 1_950, { amount: 10_000, fee: 1_850, foreign_fee: 100, net_amount: 8_050 }],
    ['without a net amount', 39, { amount: 2_000, fee: 40, tax_amount: 1 }],
    ['with an impossible net amount', 40, { amount: 2_000, fee: 40, net_amount: -1 }],
    ['without any', 0, { amount: 2_000 }],
    ['that is more than the payment', null, { amount: 2_000, fee: 2_010, net_amount: -10 }],
  ])('%s is what the provider keeps', (_name, fee, attributes) => {
    const resource = {
      id: 'pay_1',
      type: 'payment',
      attributes: { ...attributes, currency: 'PHP', status: 'paid' },
    };
    expect(paymentFee(Payment.parse(resource))).toBe(fee);
  });
});

describe('a declined payment', () => {
  it.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['stolen_card', 'generic_decline'],
    ['highest_risk_level', 'generic_decline'],
  ])('with the code %s is shown to its payer as %s', (code, shown) => {
    expect(payerDeclineCode(code)).toBe(shown);
  });
});

describe('the last day for evidence', () => {
  it.each([
    ['Monday', '2026-11-23', '2026-11-30'],
    ['Friday', '2026-11-27', '2026-12-04'],
    ['Saturday', '2026-11-28', '2026-12-04'],
    ['Sunday', '2026-11-29', '2026-12-04'],
    ['the last Thursday of a year', '2026-12-31', '2027-01-07'],
  ])('of a dispute that was opened on %s is the fifth working day after it', (_name, opened, last) => {
    expect(evidenceDueOn(opened)).toBe(last);
  });
});
