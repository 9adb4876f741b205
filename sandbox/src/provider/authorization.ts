import { FAILURES, type FailureCode } from './cards.ts';
import { payLink, recordPayment } from './charge.ts';
import type { ProviderContext } from './context.ts';
import type { PaidWith, Stored } from './kinds.ts';

export type Decision = 'authorize' | 'fail';

/** Completes a payment intent with a payment or a failed attempt. */
export function finishIntent(
  context: ProviderContext,
  intent: Stored<'payment_intent'>,
  source: PaidWith,
  failure?: FailureCode,
): Stored<'payment_intent'> {
  return context.store.transact(() => {
    const { attributes, id, parent } = intent;
    let failureCode = failure;
    if (parent === null) {
      recordPayment(context, {
        amount: attributes.amount,
        currency: attributes.currency,
        parent: id,
        intentId: id,
        source,
        description: attributes.description,
        statementDescriptor: attributes.statement_descriptor,
        metadata: attributes.metadata,
        failure,
      });
    } else if (
      payLink(context, parent, source, { failure, intentId: id, isAuthorization: true }) === 'archived'
    ) {
      // The link was archived during the authorization.
      failureCode ??= 'card_declined';
    }
    const error = failureCode ? { failed_code: failureCode, failed_message: FAILURES[failureCode] } : null;
    return context.store.save(
      {
        ...intent,
        attributes: {
          ...attributes,
          status: failureCode ? 'awaiting_payment_method' : 'succeeded',
          next_action: null,
          last_payment_error: error,
        },
      },
      context.clock.now(),
    );
  });
}

/** The source of a payment by a wallet. */
export const walletSource = (id: string, type: string): PaidWith => ({
  id,
  type,
  provider: { id: null },
  provider_id: null,
});

/** Applies the payer's decision on a 3-D Secure page. Null when the intent is not awaiting one. */
export function decideIntent(
  context: ProviderContext,
  id: string,
  decision: Decision,
): Stored<'payment_intent'> | null {
  return context.store.transact(() => {
    const intent = context.store.get('payment_intent', id);
    if (intent?.attributes.status !== 'awaiting_next_action') return null;
    const methodId = intent.attributes.payment_method;
    const method = methodId === null ? undefined : context.store.get('payment_method', methodId);
    const source: PaidWith =
      method && method.attributes.type !== 'card'
        ? walletSource(method.id, method.attributes.type)
        : { id: methodId ?? id, type: 'card', brand: 'visa', last4: '0007', country: 'PH' };
    return finishIntent(context, intent, source, decision === 'fail' ? 'authentication_failed' : undefined);
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
    const end = (status: Stored<'source'>['attributes']['status']) =>
      context.store.save({ ...source, attributes: { ...attributes, status } }, context.clock.now());

    if (parent !== null) {
      const failure = decision === 'fail' ? 'authentication_failed' : undefined;
      const wallet = walletSource(id, attributes.type);
      const state = payLink(context, parent, wallet, { failure, isAuthorization: true });
      return end(failure || state === 'archived' ? 'cancelled' : 'paid');
    }
    if (decision === 'fail') return end('cancelled');
    const chargeable = end('chargeable');
    context.emit('source.chargeable', context.present.source(chargeable));
    return chargeable;
  });
}
