import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import { asFields, checkFields } from '../fields.ts';
import type { Stored } from '../kinds.ts';
import { notFound, ProviderProblem } from '../problem.ts';
import { addLink, findLink } from './links.ts';
import { addRefund, REFUND_REASONS } from './refunds.ts';

/** Centavos: ₱1. */
const MIN_AMOUNT = 100;

/** `/v1/payment_links`: the successor of `/v1/links`, with flat bodies and ISO times. */
export function paymentLinkCalls(api: Api, context: ProviderContext): void {
  const { store, present, clock } = context;
  const find = (id: string) => findLink(api, id, 'payment_links');
  const change = (link: Stored<'link'>, changes: Partial<Stored<'link'>['attributes']>) =>
    present.flatLink(store.save({ ...link, attributes: { ...link.attributes, ...changes } }, clock.now()));

  api.post('/payment_links', ({ body }) => present.flatLink(create(context, body)));
  api.list('/payment_links', ({ query, page }) => {
    const reference = query.reference_number;
    const where = { api: 'payment_links', ...(reference !== undefined && { reference_number: reference }) };
    const { items, hasMore } = store.list('link', { ...page, where });
    return { items: items.map(present.flatLink), hasMore };
  });
  api.get('/payment_links/:id', ({ id }) => present.flatLink(find(id)));
  api.patch('/payment_links/:id', ({ id, body }) => {
    const check = flatCheck(body);
    const amount = check.integer('amount', { min: MIN_AMOUNT, optional: true });
    const description = check.text('description', { optional: true });
    const remarks = check.text('remarks', { optional: true });
    check.done();
    const link = find(id);
    return change(link, {
      amount: amount === 0 ? link.attributes.amount : amount,
      description: description ?? link.attributes.description,
      remarks: remarks ?? link.attributes.remarks,
    });
  });
  api.post('/payment_links/:id/archive', ({ id }) => change(find(id), { archived: true }));
  api.post('/payment_links/:id/unarchive', ({ id }) => change(find(id), { archived: false }));

  api.list('/payment_links/:id/payments', ({ id, page }) => {
    const { items, hasMore } = store.list('payment', { ...page, parent: find(id).id });
    return { items: items.map(present.payment), hasMore };
  });
  api.post('/payment_links/:id/refunds', ({ id, body }) => {
    const check = flatCheck(body);
    const paymentId = check.text('payment_id') ?? '';
    const reason = check.oneOf('reason', REFUND_REASONS);
    const notes = check.text('notes', { optional: true });
    const metadata = check.optionalFields('metadata');
    const centavos = Math.round(Number(asFields(body).amount) * 100);
    if (!(centavos >= MIN_AMOUNT))
      check.addFault('amount', 'parameter_below_minimum', 'is in pesos, at least 1.');
    check.done();
    const link = find(id);
    const payment = api.find('payment', paymentId);
    if (payment.parent !== link.id) throw notFound(paymentId);
    return present.refund(addRefund(context, payment, { amount: centavos, reason, notes, metadata }));
  });
}

function create(context: ProviderContext, body: unknown): Stored<'link'> {
  const check = flatCheck(body);
  const amount = check.integer('amount', { min: MIN_AMOUNT });
  check.oneOf('currency', ['PHP']);
  const description = check.text('description', { max: 255 });
  const remarks = check.text('remarks', { max: 255, optional: true });
  const metadata = check.optionalFields('metadata');
  const sessions = asFields(asFields(asFields(body).restriction).completed_sessions);
  const restriction = checkFields(sessions, 'restriction.completed_sessions.');
  const limit = sessions.limit === undefined ? 1 : restriction.integer('limit', { max: 100 });
  check.include(restriction.faults);
  check.done();
  return addLink(context, { api: 'payment_links', amount, description, remarks, metadata, limit });
}

/** Checks a flat body: its faults have one code, and the pointer of the field. */
function flatCheck(body: unknown) {
  const check = checkFields(asFields(body));
  return {
    ...check,
    done() {
      if (check.faults.length === 0) return;
      throw new ProviderProblem(
        400,
        ...check.faults.map(({ detail, source }) => ({
          code: 'invalid_request_body',
          detail,
          source: { pointer: `/${(source?.pointer ?? '').replaceAll('.', '/')}` },
        })),
      );
    },
  };
}
