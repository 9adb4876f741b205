import { z } from 'zod';
import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import type { Stored } from '../kinds.ts';
import { attributeProblem, notFound, parseInput } from '../problem.ts';
import { refundedAmount } from './refunds.ts';

/** `/v1/disputes`: disputes are read by the API; evidence is submitted in the provider's dashboard. */
export function disputeCalls(api: Api, context: ProviderContext): void {
  const { store, present } = context;
  api.get('/disputes/:id', ({ id }) => present.dispute(api.find('dispute', id)));
  api.list('/disputes', ({ page }) => store.list('dispute', page), present.dispute);
}

const NewDispute = z.strictObject({
  reason: z.string().min(1).max(100).default('fraudulent'),
  /** Centavos. Omitted: what was not refunded. */
  amount: z.int().min(1).optional(),
  /** Whether the dispute names its payment; the provider's pages do not say that it does. */
  names_payment: z.boolean().default(true),
});

const Decision = z.strictObject({ status: z.enum(['under_review', 'won', 'lost', 'expired']) });

const refuse = (code: string, detail: string) => attributeProblem('payment_id', code, detail);

/**
 * Opens a dispute as the bank of the cardholder does: the amount and the fee are held back, refunds of the payment are
 * refused, and `dispute.created` is sent. Must run inside a transaction.
 */
export function openDispute(context: ProviderContext, paymentId: string, input: unknown): Stored<'dispute'> {
  const { store, present } = context;
  const payment = store.get('payment', paymentId);
  if (!payment) throw notFound(paymentId);
  const order = parseInput(NewDispute, input);
  const { attributes } = payment;
  if (attributes.status !== 'paid') throw refuse('resource_failed_state', 'Only a paid payment is disputed.');
  if (attributes.disputed) throw refuse('resource_disputed_state', 'The payment is already disputed.');
  const remaining = attributes.amount - refundedAmount(context, payment.id, ['succeeded']);
  const amount = order.amount ?? remaining;
  if (amount < 1 || amount > remaining) {
    throw refuse('parameter_above_maximum', `Only the ${remaining} that are not refunded can be disputed.`);
  }
  const dispute = context.add(
    'dispute',
    {
      amount,
      currency: attributes.currency,
      status: 'needs_response',
      reason: order.reason,
      payment_id: order.names_payment ? payment.id : null,
    },
    { parent: payment.id },
  );
  context.change(payment, { disputed: true });
  context.emit('dispute.created', present.dispute(dispute));
  return dispute;
}

/**
 * Moves an open dispute on: to the bank's review, or to its end, which sends `dispute.resolved`. A won dispute gives
 * back the amount and the fee. Must run inside a transaction.
 */
export function decideDispute(context: ProviderContext, id: string, input: unknown): Stored<'dispute'> {
  const { store, present } = context;
  const dispute = store.get('dispute', id);
  if (!dispute) throw notFound(id);
  const { status } = parseInput(Decision, input);
  if (!isOpen(dispute)) throw refuse('resource_processed_state', `It is ${dispute.attributes.status}.`);
  const changed = context.change(dispute, { status });
  if (isOpen(changed)) return changed;
  const payment = dispute.parent === null ? undefined : store.get('payment', dispute.parent);
  if (payment && status === 'won') context.change(payment, { disputed: false });
  context.emit('dispute.resolved', present.dispute(changed));
  return changed;
}

export const isOpen = ({ attributes }: Stored<'dispute'>): boolean =>
  attributes.status === 'needs_response' || attributes.status === 'under_review';
