import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import { checkFields, readAttributes } from '../fields.ts';
import { newId, newReference } from '../ids.ts';
import type { Stored } from '../kinds.ts';
import { notFound } from '../problem.ts';

/** Centavos: ₱100. */
const MIN_AMOUNT = 10_000;

/** `/v1/links` */
export function linkCalls(api: Api, context: ProviderContext): void {
  const { store, present } = context;

  api.post('/links', ({ body }) => present.link(createLink(context, body)));
  api.list('/links', ({ query, page }) => {
    const reference = query.reference_number;
    const where = { api: 'links', ...(reference !== undefined && { reference_number: reference }) };
    const { items, hasMore } = store.list('link', { ...page, where });
    return { items: items.map(present.link), hasMore };
  });
  api.get('/links/:id', ({ id }) => present.link(findLink(api, id, 'links')));
  for (const [word, archived] of [
    ['archive', true],
    ['unarchive', false],
  ] as const) {
    api.post(`/links/:id/${word}`, ({ id }) => {
      const link = findLink(api, id, 'links');
      return present.link(
        store.save({ ...link, attributes: { ...link.attributes, archived } }, context.clock.now()),
      );
    });
  }
}

function createLink(context: ProviderContext, body: unknown): Stored<'link'> {
  const check = checkFields(readAttributes(body));
  const amount = check.integer('amount', { min: MIN_AMOUNT });
  const description = check.text('description', { max: 255 });
  const remarks = check.text('remarks', { max: 255, optional: true });
  check.done();
  return addLink(context, { api: 'links', amount, description, remarks });
}

/** The link if it belongs to this API. */
export function findLink(api: Api, id: string, name: Stored<'link'>['attributes']['api']): Stored<'link'> {
  const link = api.find('link', id);
  if (link.attributes.api !== name) throw notFound(id);
  return link;
}

type NewLink = {
  api: Stored<'link'>['attributes']['api'];
  amount: number;
  description?: string;
  remarks?: string;
  metadata?: unknown;
  /** How often it can be paid; 0 for any number. */
  limit?: number;
};

/** Stores a new link of either API. */
export function addLink(context: ProviderContext, link: NewLink): Stored<'link'> {
  const id = newId('link');
  return context.store.add({
    id,
    kind: 'link',
    parent: null,
    attributes: {
      amount: link.amount,
      currency: 'PHP',
      description: link.description ?? '',
      remarks: link.remarks ?? null,
      archived: false,
      fee: 0,
      status: 'unpaid',
      tax_amount: null,
      taxes: [],
      livemode: context.livemode,
      checkout_url: `${context.publicUrl()}/checkout/${id}`,
      reference_number: newReference(),
      api: link.api,
      limit: link.limit ?? 1,
      metadata: link.metadata ?? null,
    },
    createdAt: context.clock.now(),
    dueAt: null,
  });
}
