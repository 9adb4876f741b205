import { FAILURES, type FailureCode } from './cards.ts';
import { newId } from './ids.ts';
import type { Kept, PaidWith } from './kinds.ts';
import type { World } from './world.ts';

/** The provider's cut in centavos: 3.5% and ₱15 of a card payment, 2.5% of a wallet's. */
export const feeOf = (amount: number, type: string): number =>
  type === 'card' ? Math.round(amount * 0.035) + 1500 : Math.round(amount * 0.025);

type Charge = {
  amount: number;
  currency: string;
  /** The link or intent the payment belongs to; a payment of a bare source belongs to none. */
  parent: string | null;
  source: PaidWith;
  description?: string | null;
  statementDescriptor?: string | null;
  referenceNumber?: string | null;
  intentId?: string | null;
  billing?: unknown;
  metadata?: unknown;
  failure?: FailureCode;
};

/** Records a payment, or a failed attempt at one, and its event. Only inside a transaction. */
export function recordPayment(world: World, charge: Charge): Kept<'payment'> {
  const now = world.clock.now();
  const fee = charge.failure ? 0 : feeOf(charge.amount, charge.source.type);
  const payment = world.store.add({
    id: newId('pay'),
    kind: 'payment',
    parent: charge.parent,
    attributes: {
      amount: charge.amount,
      currency: charge.currency,
      fee,
      net_amount: charge.amount - fee,
      status: charge.failure ? 'failed' : 'paid',
      source: charge.source,
      billing: charge.billing ?? null,
      description: charge.description ?? null,
      statement_descriptor: charge.statementDescriptor ?? null,
      external_reference_number: charge.referenceNumber ?? null,
      payment_intent_id: charge.intentId ?? null,
      failed_code: charge.failure ?? null,
      failed_message: charge.failure ? FAILURES[charge.failure] : null,
      payout: null,
      taxes: [],
      metadata: charge.metadata ?? null,
      livemode: world.livemode,
      paid_at: charge.failure ? null : Math.floor(now / 1000),
    },
    createdAt: now,
    dueAt: null,
  });
  world.emit(charge.failure ? 'payment.failed' : 'payment.paid', world.present.payment(payment));
  return payment;
}

export type LinkState = 'open' | 'paid' | 'archived';

export const linkState = ({ attributes }: Kept<'link'>): LinkState =>
  attributes.status !== 'unpaid' ? 'paid' : attributes.archived ? 'archived' : 'open';

/**
 * Pays a link, or fails to. A link that is paid or archived by now takes no money: of two submits at once the
 * second finds it so. Gives back the state in which the link was found.
 */
export function payLink(
  world: World,
  linkId: string,
  source: PaidWith,
  details: { failure?: FailureCode; intentId?: string } = {},
): LinkState {
  return world.store.transact(() => {
    const link = world.store.get('link', linkId);
    if (!link) return 'archived';
    const state = linkState(link);
    if (state !== 'open') return state;
    const { amount, currency, description, reference_number } = link.attributes;
    recordPayment(world, {
      amount,
      currency,
      parent: link.id,
      source,
      description,
      referenceNumber: reference_number,
      ...details,
    });
    if (!details.failure) {
      const fee = feeOf(amount, source.type);
      const paid = world.store.save(
        { ...link, attributes: { ...link.attributes, status: 'paid', fee } },
        world.clock.now(),
      );
      world.emit('link.payment.paid', world.present.link(paid));
    }
    return state;
  });
}
