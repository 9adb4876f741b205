/** The outcome of a payment with a card. */
export type Outcome = { kind: 'succeeds' } | { kind: 'authorize' } | { kind: 'fails'; code: FailureCode };

/** The provider's codes for a refused card, each with the text for the payer. */
export const FAILURES = {
  card_expired: 'The card has expired.',
  card_declined: 'The card was declined by its bank.',
  insufficient_funds: 'The card does not have enough funds.',
  payment_timeout: 'The bank did not answer in time. You have not been charged.',
  authentication_failed: 'The payment was not authorized.',
} as const;
export type FailureCode = keyof typeof FAILURES;

export type TestCard = {
  number: string;
  brand: string;
  /** Of its bank; absent: PH. */
  country?: string;
  effect: string;
  outcome: Outcome;
};

/** The only card numbers that the sandbox accepts. Any other number is refused and not stored. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '5555444444444457', brand: 'mastercard', effect: 'Succeeds', outcome: { kind: 'succeeds' } },
  {
    number: '4343434343434345',
    brand: 'visa',
    country: 'US',
    effect: 'Succeeds, with the fee for foreign cards',
    outcome: { kind: 'succeeds' },
  },
  {
    number: '4120000000000007',
    brand: 'visa',
    effect: 'Requires 3-D Secure',
    outcome: { kind: 'authorize' },
  },
  {
    number: '4200000000000018',
    brand: 'visa',
    effect: 'Fails: card expired',
    outcome: { kind: 'fails', code: 'card_expired' },
  },
  {
    number: '5100000000000198',
    brand: 'mastercard',
    effect: 'Fails: insufficient funds',
    outcome: { kind: 'fails', code: 'insufficient_funds' },
  },
  {
    number: '4500000000000003',
    brand: 'visa',
    effect: 'Fails: declined',
    outcome: { kind: 'fails', code: 'card_declined' },
  },
  {
    number: '4111111111111111',
    brand: 'visa',
    effect: 'Fails: the bank times out',
    outcome: { kind: 'fails', code: 'payment_timeout' },
  },
];

/** The test card with this number, written with or without spaces. */
export const testCard = (number: string): TestCard | undefined =>
  TEST_CARDS.find((card) => card.number === number.replace(/[\s-]/g, ''));

/** Whether a card is still valid in the month of `now` (ms). */
export function isUnexpired(month: number, year: number, now: number): boolean {
  const today = new Date(now);
  const months = (year - today.getUTCFullYear()) * 12 + (month - 1 - today.getUTCMonth());
  return month >= 1 && month <= 12 && months >= 0 && months <= 12 * 30;
}
