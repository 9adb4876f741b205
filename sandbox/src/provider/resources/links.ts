import type { Api, ListCall } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import { asFields, checkFields, readAttributes } from '../fields.ts';
import { newId, newReference } from '../ids.ts';
import type { Stored } from '../kinds.ts';
import { notFound, ProviderProblem } from '../problem.ts';
import { addRefund, REFUND_REASONS } from './refunds.ts';

/** Centavos: ₱100, and ₱1 of the successor. */
const MIN_AMOUNT = { links: 10_000, payment_links: 100 };

/** `/v1/links` */
export function linkCalls(api: Api, context: ProviderContext): void {
  const { present } = context;

  api.post('/links', ({ body }) => present.link(createClassicLink(context, body)));
  api.list('/links', (call) => listLinks(context, 'links', call), present.link);
  api.get('/links/:id', ({ id }) => present.link(findLink(api, id, 'links')));
  for (const [word, archived] of [
    ['archive', true],
    ['unarchive', false],
  ] as const) {
    api.post(`/links/:id/${word}`, ({ id }) =>
      present.link(context.change(findLink(api, id, 'links'), { archived })),
    );
  }
}

/** `/v1/payment_links`: the successor of `/v1/links`, with flat bodies and ISO times. */
export function paymentLinkCalls(api: Api, context: ProviderContext): void {
  const { store, present } = context;
  const find = (id: string) => findLink(api, id, 'payment_links');
  const change = (link: Stored<'link'>, changes: Partial<Stored<'link'>['attributes']>) =>
    present.flatLink(context.change(link, changes));

  api.post('/payment_links', ({ body }) => present.flatLink(createFlatLink(context, body)));
  api.list('/payment_links', (call) => listLinks(context, 'payment_links', call), present.flatLink);
  api.get('/payment_links/:id', ({ id }) => present.flatLink(find(id)));
  api.patch('/payment_links/:id', ({ id, body }) => {
    const check = flatCheck(body);
    const amount = check.integer('amount', { min: MIN_AMOUNT.payment_links, optional: true });
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

  api.list(
    '/payment_links/:id/payments',
    ({ id, page }) => store.list('payment', { ...page, parent: find(id).id }),
    present.payment,
  );
  api.post('/payment_links/:id/refunds', ({ id, body }) => {
    const check = flatCheck(body);
    const paymentId = check.text('payment_id') ?? '';
    const reason = check.oneOf('reason', REFUND_REASONS);
    const notes = check.text('notes', { optional: true });
    const metadata = check.optionalFields('metadata');
    const centavos = Math.round(Number(asFields(body).amount) * 100);
    if (!(centavos >= MIN_AMOUNT.payment_links))
      check.addFault('amount', 'parameter_below_minimum', 'is in pesos, at least 1.');
    check.done();
    const link = find(id);
    const payment = api.find('payment', paymentId);
    if (payment.parent !== link.id) throw notFound(paymentId);
    return present.refund(addRefund(context, payment, { amount: centavos, reason, notes, metadata }));
  });
}

function createClassicLink(context: ProviderContext, body: unknown): Stored<'link'> {
  const check = checkFields(readAttributes(body));
  const amount = check.integer('amount', { min: MIN_AMOUNT.links });
  const description = check.text('description', { max: 255 });
  const remarks = check.text('remarks', { max: 255, optional: true });
  check.done();
  return addLink(context, { api: 'links', amount, description, remarks });
}

type LinkApi = Stored<'link'>['attributes']['api'];

/** The links of this API, or those with a reference number. */
function listLinks({ store }: ProviderContext, api: LinkApi, { query, page }: ListCall) {
  const reference = query.reference_number;
  const where = { api, ...(reference !== undefined && { reference_number: reference }) };
  return store.list('link', { ...page, where });
}

/** The link if it belongs to this API. */
function findLink(api: Api, id: string, name: LinkApi): Stored<'link'> {
  const link = api.find('link', id);
  if (link.attributes.api !== name) throw notFound(id);
  return link;
}

type NewLink = {
  api: LinkApi;
  amount: number;
  description?: string;
  remarks?: string;
  metadata?: unknown;
  /** How often it can be paid; 0 for any number. */
  limit?: number;
};

/** Stores a new link of either API. */
function addLink(context: ProviderContext, link: NewLink): Stored<'link'> {
  const id = newId('link');
  return context.add(
    'link',
    {
      amount: link.amount,
      currency: 'PHP',
      description: link.description ?? '',
      remarks: link.remarks ?? null,
      archived: false,
      fee: 0,
      status: 'unpaid',
      tax_amount: null,
      taxes: [],
      checkout_url: `${context.publicUrl()}/checkout/${id}`,
      reference_number: newReference(),
      api: link.api,
      limit: link.limit ?? 1,
      metadata: link.metadata ?? null,
    },
    { id },
  );
}

function createFlatLink(context: ProviderContext, body: unknown): Stored<'link'> {
  const check = flatCheck(body);
  const amount = check.integer('amount', { min: MIN_AMOUNT.payment_links });
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
