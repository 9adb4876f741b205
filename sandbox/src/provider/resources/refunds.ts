import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import { checkFields, readAttributes } from '../fields.ts';
import { newId } from '../ids.ts';
import type { Stored } from '../kinds.ts';
import { attributeProblem } from '../problem.ts';
import { availableBalance } from './wallets.ts';

export const REFUND_REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'others'] as const;

/** `/v1/refunds` */
export function refundCalls(api: Api, context: ProviderContext): void {
  const { store, present } = context;
  api.post('/refunds', ({ body }) => present.refund(create(api, context, body)));
  api.get('/refunds/:id', ({ id }) => present.refund(api.find('refund', id)));
  api.list(
    '/refunds',
    ({ page, query }) => store.list('refund', { ...page, parent: query.payment_id }),
    present.refund,
  );
}

/** The sum of a payment's refunds with these statuses, in centavos. */
export const refundedAmount = (
  context: ProviderContext,
  paymentId: string,
  statuses: readonly string[],
): number =>
  context.store
    .list('refund', { parent: paymentId, limit: 1000 })
    .items.filter((refund) => statuses.includes(refund.attributes.status))
    .reduce((sum, refund) => sum + refund.attributes.amount, 0);

function create(api: Api, context: ProviderContext, body: unknown): Stored<'refund'> {
  const check = checkFields(readAttributes(body));
  const amount = check.integer('amount', { min: 100 });
  const paymentId = check.text('payment_id');
  const reason = check.oneOf('reason', REFUND_REASONS);
  const notes = check.text('notes', { optional: true });
  const metadata = check.optionalFields('metadata');
  check.done();

  const payment = api.find('payment', paymentId ?? '');
  return addRefund(context, payment, { amount, reason, notes, metadata });
}

type NewRefund = {
  /** Centavos. */
  amount: number;
  reason?: string;
  notes?: string;
  metadata: unknown;
};

/** Stores a new refund of a payment, unless the provider would refuse it. */
export function addRefund(
  context: ProviderContext,
  payment: Stored<'payment'>,
  { amount, reason, notes, metadata }: NewRefund,
): Stored<'refund'> {
  requireRefundable(context, payment, amount);
  const refund = context.add(
    'refund',
    {
      amount,
      currency: payment.attributes.currency,
      payment_id: payment.id,
      reason: reason ?? 'others',
      notes: notes ?? null,
      status: 'pending',
      balance_transaction_id: newId('bal_txn'),
      payout_id: null,
      available_at: null,
      refunded_at: null,
      metadata,
    },
    { parent: payment.id, dueAt: context.clock.now() + context.pendingMs },
  );
  context.emit('payment.refund.updated', context.present.refund(refund));
  return refund;
}

/** Days within which a payment can be refunded, by the type of its source. */
const REFUND_DAYS: Record<string, number> = { card: 60, gcash: 180, grab_pay: 90, paymaya: 365 };
const NO_REFUNDS = ['qrph'];
const FULL_REFUNDS_ONLY = ['grab_pay', 'paymaya'];
const DAY_MS = 24 * 60 * 60 * 1000;

/** Throws the provider's refusal of a refund that is not possible now. */
function requireRefundable(context: ProviderContext, payment: Stored<'payment'>, amount: number): void {
  const { attributes } = payment;
  const { type } = attributes.source;
  const refuse = (code: string, detail: string) => {
    throw attributeProblem('amount', code, detail);
  };
  if (attributes.status !== 'paid') {
    refuse('resource_failed_state', 'Only a payment that is paid can be refunded.');
  }
  if (attributes.disputed) {
    refuse('resource_disputed_state', 'The payment has been disputed by the cardholder.');
  }
  for (const status of ['pending', 'processing'] as const) {
    if (refundedAmount(context, payment.id, [status]) === 0) continue;
    refuse(`resource_${status}_state`, `A previous refund of this payment is still ${status}.`);
  }
  if (NO_REFUNDS.includes(type)) {
    refuse('parameter_invalid', `Refunds are not allowed for payments with source type ${type}.`);
  }
  const days = REFUND_DAYS[type];
  if (days !== undefined && context.clock.now() - payment.createdAt > days * DAY_MS) {
    refuse('allowed_date_exceeded', `A ${type} payment cannot be refunded after ${days} days.`);
  }
  if (FULL_REFUNDS_ONLY.includes(type) && amount !== attributes.amount) {
    refuse('parameter_above_maximum', `Only full amounts of a ${type} payment can be refunded.`);
  }
  const remaining = attributes.amount - refundedAmount(context, payment.id, ['succeeded']);
  if (amount > remaining) {
    refuse('parameter_above_maximum', `amount cannot be more than the ${remaining} left.`);
  }
  if (amount > availableBalance(context)) {
    refuse('available_balance_insufficient', 'amount is greater than the available balance.');
  }
}

/**
 * Moves a due refund on: from pending to processing, then to succeeded, or to failed by a fault. A fully refunded link
 * gets the status 'refunded'.
 */
export function advanceRefund(context: ProviderContext, refund: Stored<'refund'>): void {
  const { store, present } = context;
  const now = context.clock.now();
  const isPending = refund.attributes.status === 'pending';
  const status = isPending ? 'processing' : context.faults.forRefund() ? 'failed' : 'succeeded';
  const dueAt = isPending ? now + context.pendingMs : null;
  const at = status === 'succeeded' ? Math.floor(now / 1000) : null;
  const changed = context.change(refund, { status, available_at: at, refunded_at: at }, dueAt);
  context.emit('payment.refund.updated', present.refund(changed));
  if (status !== 'succeeded') return;
  const payment = store.get('payment', refund.attributes.payment_id);
  if (!payment) return;
  const link = payment.parent === null ? undefined : store.get('link', payment.parent);
  if (link && isFullyRefunded(context, link)) context.change(link, { status: 'refunded' });
  context.emit('payment.refunded', present.payment(payment));
}

/** Whether every payment of a link was given back. */
function isFullyRefunded(context: ProviderContext, link: Stored<'link'>): boolean {
  const { items } = context.store.list('payment', {
    parent: link.id,
    limit: 1000,
    where: { status: 'paid' },
  });
  return items.every(({ id, attributes }) => refundedAmount(context, id, ['succeeded']) >= attributes.amount);
}
