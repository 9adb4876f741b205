import { FAILURES, type FailureCode, testCard } from './cards.ts';
import { payLink, recordPayment } from './charge.ts';
import type { ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import type { PaidWith, Stored } from './kinds.ts';

export type Decision = 'authorize' | 'fail';
type Intent = Stored<'payment_intent'>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long the provider holds the money of an authorized card. */
const HOLD_MS = 7 * DAY_MS;

/** The source of a payment by a wallet. */
export const walletSource = (id: string, type: string): PaidWith => ({
  id,
  type,
  provider: { id: null },
  provider_id: null,
});

/** The source of a payment by a stored method. */
export function methodSource({ id, attributes }: Stored<'payment_method'>): PaidWith {
  const { type, details, test_card } = attributes;
  if (type !== 'card') return walletSource(id, type);
  const card = testCard(test_card ?? '');
  return {
    id: newId('card'),
    type,
    brand: card?.brand,
    last4: details?.last4,
    country: card?.country ?? 'PH',
  };
}

/** Records the payment of an intent, or a failed attempt; null when its link was archived meanwhile. */
function chargeIntent(
  context: ProviderContext,
  { id, parent, attributes }: Intent,
  source: PaidWith,
  { failure, amount }: { failure?: FailureCode; amount?: number },
): Stored<'payment'> | null {
  if (parent !== null) {
    const isAuthorization = attributes.status === 'awaiting_next_action';
    const paid = payLink(context, parent, source, { failure, intentId: id, isAuthorization });
    return typeof paid === 'string' ? null : paid;
  }
  return recordPayment(context, {
    amount: amount ?? attributes.amount,
    currency: attributes.currency,
    parent: id,
    intentId: id,
    source,
    description: attributes.description,
    statementDescriptor: attributes.statement_descriptor,
    metadata: attributes.metadata,
    failure,
  });
}

/**
 * Moves an intent on after the payer agreed or the card was refused: to its payment, to a hold that waits for its capture,
 * or back to waiting for a method, with a failed payment.
 */
export function finishIntent(
  context: ProviderContext,
  intent: Intent,
  source: PaidWith,
  failure?: FailureCode,
): Intent {
  return context.store.transact(() => {
    if (!failure && intent.attributes.capture_type === 'manual') {
      const held = { status: 'awaiting_capture', next_action: null } as const;
      return context.change(intent, held, context.clock.now() + HOLD_MS);
    }
    const payment = chargeIntent(context, intent, source, { failure });
    return saveOutcome(context, intent, payment, failure ?? (payment ? undefined : 'generic_decline'));
  });
}

function saveOutcome(
  context: ProviderContext,
  intent: Intent,
  payment: Stored<'payment'> | null,
  failure: FailureCode | undefined,
  changes: Partial<Intent['attributes']> = {},
): Intent {
  const succeeded = payment?.attributes.status === 'pending' ? 'processing' : 'succeeded';
  const error = failure && {
    failed_code: failure,
    failed_message: FAILURES[failure],
    payment: payment?.id ?? null,
    payment_method: intent.attributes.payment_method,
  };
  const status = failure ? 'awaiting_payment_method' : succeeded;
  return context.change(
    intent,
    { ...changes, status, next_action: null, last_payment_error: error ?? null },
    null,
  );
}

/** Charges a held intent with `amount`, at most what is held. */
export function captureIntent(
  context: ProviderContext,
  intent: Intent,
  source: PaidWith,
  amount: number,
): Intent {
  const payment = chargeIntent(context, intent, source, { amount });
  return saveOutcome(context, intent, payment, undefined, { amount });
}

/** Moves an intent on that is due: a hold that was not captured ends, and so does a code that nobody scanned. */
export function expireIntent(context: ProviderContext, intent: Intent): void {
  const { attributes } = intent;
  const { next_action: action } = attributes;
  const status = attributes.status === 'awaiting_capture' ? 'cancelled' : 'awaiting_payment_method';
  context.change(intent, { status, next_action: null }, null);
  if (action?.type !== 'consume_qr') return;
  context.emit('qrph.expired', {
    id: newId('qrph'),
    type: 'qrph',
    attributes: {
      code_id: action.code.id,
      livemode: context.livemode,
      created_at: new Date(intent.updatedAt).toISOString(),
      source_id: attributes.payment_method,
      source_status: 'expired',
      payment_intent_id: intent.id,
    },
  });
}

/** Applies the payer's decision on a 3-D Secure page, or on a code. Null when the intent is not awaiting one. */
export function decideIntent(context: ProviderContext, id: string, decision: Decision): Intent | null {
  return context.store.transact(() => {
    const intent = context.store.get('payment_intent', id);
    if (intent?.attributes.status !== 'awaiting_next_action') return null;
    const method = context.store.get('payment_method', intent.attributes.payment_method ?? '');
    if (!method) return null;
    const outcome = testCard(method.attributes.test_card ?? '')?.outcome;
    const declined = outcome?.kind === 'authorize' ? outcome.code : undefined;
    const failure = decision === 'fail' ? 'authentication_error' : declined;
    return finishIntent(context, intent, methodSource(method), failure);
  });
}

/** Applies the payer's decision on a wallet's page. Null when the source is not pending. */
export function decideSource(
  context: ProviderContext,
  id: string,
  decision: Decision,
): Stored<'source'> | null {
  return context.store.transact(() => {
    const source = context.store.get('source', id);
    if (source?.attributes.status !== 'pending') return null;
    const { parent, attributes } = source;

    if (parent !== null) {
      const failure = decision === 'fail' ? 'authentication_error' : undefined;
      const wallet = walletSource(id, attributes.type);
      const paid = payLink(context, parent, wallet, { failure, isAuthorization: true });
      return endSource(context, source, failure || typeof paid === 'string' ? 'cancelled' : 'paid');
    }
    if (decision === 'fail') return endSource(context, source, 'cancelled');
    const chargeable = endSource(context, source, 'chargeable');
    context.emit('source.chargeable', context.present.source(chargeable));
    return chargeable;
  });
}

/** Ends the wait for the payer; a source that is due has expired. */
export const endSource = (
  { change }: ProviderContext,
  source: Stored<'source'>,
  status: Stored<'source'>['attributes']['status'],
): Stored<'source'> => change(source, { status }, null);
