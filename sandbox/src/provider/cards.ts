import { payerDeclineCode } from '@tara/paymongo';

/** The outcome of a payment with a card. */
export type Outcome =
  | { kind: 'succeeds' }
  /** Asks the payer; with a code the payment fails although it is authorized. */
  | { kind: 'authorize'; code?: FailureCode }
  /** Asks the payer only when the intent requests 3-D Secure for `any` card. */
  | { kind: 'authorize_if_any' }
  | { kind: 'fails'; code: FailureCode };

/** The provider's codes for a failed payment, each with its message. */
export const FAILURES = {
  card_expired: 'The card has expired.',
  cvc_invalid: 'The CVC is not valid.',
  generic_decline: 'The card was declined by its bank.',
  insufficient_funds: 'The card does not have enough funds.',
  fraudulent: 'The payment is suspected to be fraudulent.',
  processor_blocked: 'The payment was blocked by the processor.',
  lost_card: 'The card was reported lost.',
  stolen_card: 'The card was reported stolen.',
  blocked: 'The payment was blocked by fraud detection.',
  processor_unavailable: 'The bank cannot be reached. You have not been charged.',
  processor_timeout: 'The bank did not answer in time. You have not been charged.',
  authentication_error: 'The payment was not authorized.',
} as const;
export type FailureCode = keyof typeof FAILURES;

/** Whether a text, such as a parameter of a page, is a failure's code. */
export const isFailure = (code: string): code is FailureCode => Object.hasOwn(FAILURES, code);

/** The code that a payer may know: suspicions of fraud are shown as a plain decline. */
export function payerFailure(code: FailureCode): FailureCode {
  const shown = payerDeclineCode(code);
  return isFailure(shown) ? shown : 'generic_decline';
}

export type TestCard = {
  number: string;
  brand: string;
  /** Country of its bank; absent: PH. */
  country?: string;
  effect: string;
  outcome: Outcome;
};

const succeeds = (number: string, brand: string, kind: string, country?: string): TestCard => ({
  number,
  brand,
  country,
  effect: `Succeeds${kind && `: ${kind}`}`,
  outcome: { kind: 'succeeds' },
});
const fails = (number: string, brand: string, code: FailureCode): TestCard => ({
  number,
  brand,
  effect: `Fails: ${code.replaceAll('_', ' ')}`,
  outcome: { kind: 'fails', code },
});
const asks = (number: string, brand: string, effect: string, code?: FailureCode): TestCard => ({
  number,
  brand,
  effect,
  outcome: { kind: 'authorize', code },
});

/**
 * The only card numbers that the sandbox accepts: the provider's documented ones, and two of its own at the end. Any other
 * number is refused and not stored.
 */
export const TEST_CARDS: readonly TestCard[] = [
  succeeds('5555444444444457', 'mastercard', ''),
  succeeds('4343434343434345', 'visa', 'with the fee for foreign cards', 'US'),
  asks('4120000000000007', 'visa', 'Requires 3-D Secure'),
  fails('4200000000000018', 'visa', 'card_expired'),
  fails('5100000000000198', 'mastercard', 'insufficient_funds'),
  fails('4400000000000016', 'visa', 'generic_decline'),
  fails('4300000000000017', 'visa', 'cvc_invalid'),
  fails('4500000000000015', 'visa', 'fraudulent'),
  fails('5200000000000197', 'mastercard', 'processor_blocked'),
  fails('5300000000000196', 'mastercard', 'lost_card'),
  fails('5400000000000195', 'mastercard', 'stolen_card'),
  fails('4600000000000014', 'visa', 'blocked'),
  fails('5500000000000194', 'mastercard', 'processor_unavailable'),
  fails('4230000000000004', 'visa', 'generic_decline'),
  asks('5234000000000106', 'mastercard', 'Requires 3-D Secure, then fails', 'generic_decline'),
  {
    number: '5123000000000001',
    brand: 'mastercard',
    effect: 'Succeeds: 3-D Secure when asked of any card',
    outcome: { kind: 'authorize_if_any' },
  },
  succeeds('5123000000000002', 'mastercard', 'without 3-D Secure'),
  succeeds('4571736000000075', 'visa', 'debit'),
  succeeds('4009930000001421', 'visa', 'credit'),
  succeeds('4404520000001439', 'visa', 'debit'),
  succeeds('5455590000000009', 'mastercard', 'debit'),
  succeeds('5339080000000003', 'mastercard', 'prepaid'),
  succeeds('5240050000001440', 'mastercard', 'credit'),
  succeeds('5577510000001446', 'mastercard', 'debit'),
  fails('4028220000001457', 'visa', 'generic_decline'),
  fails('5240460000001466', 'mastercard', 'insufficient_funds'),
  fails('5483530000001462', 'mastercard', 'lost_card'),
  fails('4500000000000003', 'visa', 'generic_decline'),
  fails('4111111111111111', 'visa', 'processor_timeout'),
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
