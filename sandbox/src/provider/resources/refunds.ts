import type { Api } from '../api.ts';
import { attributesOf, checking } from '../checks.ts';
import { newId } from '../ids.ts';
import type { Kept } from '../kinds.ts';
import { attributeFault, ProviderProblem } from '../problem.ts';
import type { World } from '../world.ts';

const REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'others'] as const;

/** `/v1/refunds` */
export function refundCalls(api: Api, world: World): void {
  const { store, present } = world;
  api.post('/refunds', ({ body }) => present.refund(create(api, world, body)));
  api.get('/refunds/:id', ({ id }) => present.refund(api.find('refund', id)));
  api.list('/refunds', ({ page, query }) => {
    const { items, hasMore } = store.list('refund', { ...page, parent: query.payment_id });
    return { items: items.map(present.refund), hasMore };
  });
}

/** What was given back of a payment, or is on its way back, in centavos. */
const refunded = (world: World, paymentId: string, statuses: readonly string[]): number =>
  world.store
    .list('refund', { parent: paymentId, limit: 1000 })
    .items.filter((refund) => statuses.includes(refund.attributes.status))
    .reduce((sum, refund) => sum + refund.attributes.amount, 0);

function create(api: Api, world: World, body: unknown): Kept<'refund'> {
  const check = checking(attributesOf(body));
  const amount = check.whole('amount', { least: 100 });
  const paymentId = check.text('payment_id');
  const reason = check.oneOf('reason', REASONS);
  const notes = check.text('notes', { optional: true });
  const metadata = check.fields('metadata', { optional: true });
  check.done();

  const payment = api.find('payment', paymentId ?? '');
  const left =
    payment.attributes.status === 'paid'
      ? payment.attributes.amount - refunded(world, payment.id, ['pending', 'succeeded'])
      : 0;
  if (amount > left) {
    throw new ProviderProblem(
      400,
      attributeFault('amount', 'parameter_above_maximum', `amount cannot be more than the ${left} left.`),
    );
  }
  const now = world.clock.now();
  return world.store.add({
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
      livemode: world.livemode,
    },
    createdAt: now,
    dueAt: now + world.settleMs,
  });
}

/** Ends a pending refund; a link all of whose money went back says so. */
export function settleRefund(world: World, refund: Kept<'refund'>): void {
  const { store, present } = world;
  const now = world.clock.now();
  const done = store.save(
    { ...refund, dueAt: null, attributes: { ...refund.attributes, status: 'succeeded' } },
    now,
  );
  const payment = store.get('payment', refund.attributes.payment_id);
  if (!payment) return;
  const link = payment.parent === null ? undefined : store.get('link', payment.parent);
  if (link && refunded(world, payment.id, ['succeeded']) >= payment.attributes.amount) {
    store.save({ ...link, attributes: { ...link.attributes, status: 'refunded' } }, now);
  }
  world.emit('payment.refund.updated', present.refund(done));
  world.emit('payment.refunded', present.payment(payment));
}
