/** What becomes of a payment with a card. */
export type Outcome = { kind: 'succeeds' } | { kind: 'asks' } | { kind: 'fails'; code: FailureCode };

/** Why a card was refused, in the provider's code and in words for the payer. */
export const FAILURES = {
  card_expired: 'The card has expired.',
  card_declined: 'The card was declined by its bank.',
  insufficient_funds: 'The card does not have enough funds.',
  payment_timeout: 'The bank did not answer in time. You have not been charged.',
  authentication_failed: 'The payment was not authorized.',
} as const;
export type FailureCode = keyof typeof FAILURES;

export type TestCard = { number: string; brand: string; does: string; outcome: Outcome };

/** The only card numbers the sandbox takes; a real card's number is refused and never kept. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '5555444444444457', brand: 'mastercard', does: 'Succeeds', outcome: { kind: 'succeeds' } },
  { number: '4343434343434345', brand: 'visa', does: 'Succeeds', outcome: { kind: 'succeeds' } },
  { number: '4120000000000007', brand: 'visa', does: 'Asks for 3-D Secure', outcome: { kind: 'asks' } },
  {
    number: '4200000000000018',
    brand: 'visa',
    does: 'Fails: card expired',
    outcome: { kind: 'fails', code: 'card_expired' },
  },
  {
    number: '5100000000000198',
    brand: 'mastercard',
    does: 'Fails: insufficient funds',
    outcome: { kind: 'fails', code: 'insufficient_funds' },
  },
  {
    number: '4500000000000003',
    brand: 'visa',
    does: 'Fails: declined',
    outcome: { kind: 'fails', code: 'card_declined' },
  },
  {
    number: '4111111111111111',
    brand: 'visa',
    does: 'Fails: the bank times out',
    outcome: { kind: 'fails', code: 'payment_timeout' },
  },
];

/** The test card of a number written with or without spaces. */
export const testCard = (number: string): TestCard | undefined =>
  TEST_CARDS.find((card) => card.number === number.replace(/[\s-]/g, ''));

/** Whether a card can still be used in the month of `now` (ms). */
export function isUnexpired(month: number, year: number, now: number): boolean {
  const today = new Date(now);
  const months = (year - today.getUTCFullYear()) * 12 + (month - 1 - today.getUTCMonth());
  return month >= 1 && month <= 12 && months >= 0 && months <= 12 * 30;
}
