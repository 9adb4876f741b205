import type { Api } from '../api.ts';
import { isUnexpired, type TestCard, testCard } from '../cards.ts';
import type { ProviderContext } from '../context.ts';
import { checkFields, readAttributes } from '../fields.ts';
import type { Stored } from '../kinds.ts';

const METHODS = ['card', 'gcash', 'grab_pay', 'paymaya', 'qrph'] as const;
/** What an intent may allow; the sandbox makes no methods of the further types. */
export const ALLOWED_METHODS = [
  ...METHODS,
  'atome',
  'billease',
  'brankas',
  'dob',
  'dob_ubp',
  'shopee_pay',
] as const;

/** `/v1/payment_methods` */
export function paymentMethodCalls(api: Api, context: ProviderContext): void {
  api.post('/payment_methods', ({ body }) => context.present.method(create(context, body)));
  api.get('/payment_methods/:id', ({ id }) => context.present.method(api.find('payment_method', id)));
}

function create(context: ProviderContext, body: unknown): Stored<'payment_method'> {
  const now = context.clock.now();
  const check = checkFields(readAttributes(body));
  const type = check.oneOf('type', METHODS);
  const billing = check.billing();
  const metadata = check.optionalFields('metadata');
  const expirySeconds = check.integer('expiry_seconds', { min: 60, max: 9_000, optional: true });
  const method: NewMethod = { type: type ?? 'card', billing, metadata, expirySeconds };
  if (type === 'card') {
    const card = checkFields(check.fields('details'), 'details.');
    const number = card.text('card_number', { max: 19 }) ?? '';
    const month = card.integer('exp_month', { min: 1, max: 12 });
    const shortOrFullYear = card.integer('exp_year', { min: 0, max: 2200 });
    const year = shortOrFullYear < 100 ? 2000 + shortOrFullYear : shortOrFullYear;
    const cvc = card.text('cvc', { max: 4 });
    if (card.faults.length === 0) {
      if (!testCard(number)) card.addFault('card_number', 'parameter_invalid', 'is not a test card.');
      if (!isUnexpired(month, year, now)) card.addFault('exp_year', 'parameter_invalid', 'is in the past.');
      if (!/^\d{3,4}$/.test(cvc ?? '')) card.addFault('cvc', 'parameter_format_invalid', 'should be digits.');
    }
    check.include(card.faults);
    Object.assign(method, { card: testCard(number), month, year });
  }
  check.done();
  return addMethod(context, method);
}

type NewMethod = {
  type: string;
  card?: TestCard;
  month?: number;
  year?: number;
  billing?: unknown;
  metadata?: unknown;
  /** For a QR code; 0 for the usual time. */
  expirySeconds?: number;
};

/** Stores a new method, for the API or for a link's checkout. Of a card only the last digits leave the sandbox. */
export function addMethod(context: ProviderContext, method: NewMethod): Stored<'payment_method'> {
  const { card, month = 0, year = 0 } = method;
  return context.add('payment_method', {
    type: method.type,
    details: card ? { last4: card.number.slice(-4), exp_month: month, exp_year: year } : null,
    test_card: card?.number ?? null,
    expiry_seconds: method.expirySeconds || null,
    billing: method.billing ?? null,
    metadata: method.metadata ?? null,
  });
}
