import { FAILURES, type FailureCode } from './cards.ts';
import { payLink, recordPayment } from './charge.ts';
import type { Kept, PaidWith } from './kinds.ts';
import type { World } from './world.ts';

export type Decision = 'authorize' | 'fail';

/** Ends a payment intent, with a payment or a failed attempt. One that is over stays as it is. */
export function finishIntent(
  world: World,
  intent: Kept<'payment_intent'>,
  source: PaidWith,
  failure?: FailureCode,
): Kept<'payment_intent'> {
  return world.store.transact(() => {
    const { attributes, id, parent } = intent;
    let refused = failure;
    if (parent === null) {
      recordPayment(world, {
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
    } else if (payLink(world, parent, source, { failure, intentId: id }) !== 'open') {
      // The link was paid or closed while the payer was asked.
      refused ??= 'card_declined';
    }
    const error = refused ? { failed_code: refused, failed_message: FAILURES[refused] } : null;
    return world.store.save(
      {
        ...intent,
        attributes: {
          ...attributes,
          status: refused ? 'awaiting_payment_method' : 'succeeded',
          next_action: null,
          last_payment_error: error,
        },
      },
      world.clock.now(),
    );
  });
}

/** The payer's answer to a 3-D Secure page. Null when the page is not waiting for one any more. */
export function decideIntent(world: World, id: string, decision: Decision): Kept<'payment_intent'> | null {
  return world.store.transact(() => {
    const intent = world.store.get('payment_intent', id);
    if (intent?.attributes.status !== 'awaiting_next_action') return null;
    const methodId = intent.attributes.payment_method;
    const method = methodId === null ? undefined : world.store.get('payment_method', methodId);
    const source: PaidWith =
      method && method.attributes.type !== 'card'
        ? { id: method.id, type: method.attributes.type }
        : { id: methodId ?? id, type: 'card', brand: 'visa', last4: '0007', country: 'PH' };
    return finishIntent(world, intent, source, decision === 'fail' ? 'authentication_failed' : undefined);
  });
}

/** The payer's answer to a wallet's page. Null when the page is not waiting for one any more. */
export function decideSource(world: World, id: string, decision: Decision): Kept<'source'> | null {
  return world.store.transact(() => {
    const source = world.store.get('source', id);
    if (source?.attributes.status !== 'pending') return null;
    const { parent, attributes } = source;
    const end = (status: Kept<'source'>['attributes']['status']) =>
      world.store.save({ ...source, attributes: { ...attributes, status } }, world.clock.now());

    if (parent !== null) {
      const failure = decision === 'fail' ? 'authentication_failed' : undefined;
      const payment = payLink(world, parent, { id, type: attributes.type }, { failure });
      return end(failure || payment !== 'open' ? 'cancelled' : 'paid');
    }
    if (decision === 'fail') return end('cancelled');
    const chargeable = end('chargeable');
    world.emit('source.chargeable', world.present.source(chargeable));
    return chargeable;
  });
}
