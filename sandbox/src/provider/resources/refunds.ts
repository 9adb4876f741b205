import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import { checkFields, readAttributes } from '../fields.ts';
import { newId } from '../ids.ts';
import type { Stored } from '../kinds.ts';
import { attributeFault, ProviderProblem } from '../problem.ts';

const REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'others'] as const;

/** `/v1/refunds` */
export function refundCalls(api: Api, context: ProviderContext): void {
  const { store, present } = context;
  api.post('/refunds', ({ body }) => present.refund(create(api, context, body)));
  api.get('/refunds/:id', ({ id }) => present.refund(api.find('refund', id)));
  api.list('/refunds', ({ page, query }) => {
    const { items, hasMore } = store.list('refund', { ...page, parent: query.payment_id });
    return { items: items.map(present.refund), hasMore };
  });
}

/** The sum of a payment's refunds with these statuses, in centavos. */
const refundedAmount = (context: ProviderContext, paymentId: string, statuses: readonly string[]): number =>
  context.store
    .list('refund', { parent: paymentId, limit: 1000 })
    .items.filter((refund) => statuses.includes(refund.attributes.status))
    .reduce((sum, refund) => sum + refund.attributes.amount, 0);

function create(api: Api, context: ProviderContext, body: unknown): Stored<'refund'> {
  const check = checkFields(readAttributes(body));
  const amount = check.integer('amount', { min: 100 });
  const paymentId = check.text('payment_id');
  const reason = check.oneOf('reason', REASONS);
  const notes = check.text('notes', { optional: true });
  const metadata = check.fields('metadata', { optional: true });
  check.done();

  const payment = api.find('payment', paymentId ?? '');
  const remaining =
    payment.attributes.status === 'paid'
      ? payment.attributes.amount - refundedAmount(context, payment.id, ['pending', 'succeeded'])
      : 0;
  if (amount > remaining) {
    throw new ProviderProblem(
      400,
      attributeFault(
        'amount',
        'parameter_above_maximum',
        `amount cannot be more than the ${remaining} left.`,
      ),
    );
  }
  const now = context.clock.now();
  return context.store.add({
    id: newId('ref'),
    kind: 'refund',
    parent: payment.id,
    attributes: {
      amount,
      currency: payment.attributes.currency,
      payment_id: payment.id,
      reason: reason ?? 'others',
      notes: notes ?? null,
      status: 'pending',
      metadata,
      livemode: context.livemode,
    },
    createdAt: now,
    dueAt: now + context.pendingMs,
  });
}

/** Completes a pending refund; a fully refunded link gets the status 'refunded'. */
export function completeRefund(context: ProviderContext, refund: Stored<'refund'>): void {
  const { store, present } = context;
  const now = context.clock.now();
  const done = store.save(
    { ...refund, dueAt: null, attributes: { ...refund.attributes, status: 'succeeded' } },
    now,
  );
  const payment = store.get('payment', refund.attributes.payment_id);
  if (!payment) return;
  const link = payment.parent === null ? undefined : store.get('link', payment.parent);
  if (link && refundedAmount(context, payment.id, ['succeeded']) >= payment.attributes.amount) {
    store.save({ ...link, attributes: { ...link.attributes, status: 'refunded' } }, now);
  }
  context.emit('payment.refund.updated', present.refund(done));
  context.emit('payment.refunded', present.payment(payment));
}
