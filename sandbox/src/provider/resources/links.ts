import { MIN_LINK_AMOUNT } from '@tara/paymongo';
import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import { checkFields, readAttributes } from '../fields.ts';
import { newId, newReference } from '../ids.ts';
import type { Stored } from '../kinds.ts';

/** `/v1/links` */
export function linkCalls(api: Api, context: ProviderContext): void {
  const { store, present } = context;

  api.post('/links', ({ body }) => present.link(createLink(context, body)));
  api.list('/links', ({ query, page }) => {
    const reference = query.reference_number;
    const where = reference === undefined ? undefined : { reference_number: reference };
    const { items, hasMore } = store.list('link', { ...page, where });
    return { items: items.map(present.link), hasMore };
  });
  api.get('/links/:id', ({ id }) => present.link(api.find('link', id)));
  for (const [word, archived] of [
    ['archive', true],
    ['unarchive', false],
  ] as const) {
    api.post(`/links/:id/${word}`, ({ id }) => {
      const link = api.find('link', id);
      return present.link(
        store.save({ ...link, attributes: { ...link.attributes, archived } }, context.clock.now()),
      );
    });
  }
}

function createLink(context: ProviderContext, body: unknown): Stored<'link'> {
  const check = checkFields(readAttributes(body));
  const amount = check.integer('amount', { min: MIN_LINK_AMOUNT });
  const description = check.text('description', { max: 255 });
  const remarks = check.text('remarks', { max: 255, optional: true });
  check.done();
  const id = newId('link');
  return context.store.add({
    id,
    kind: 'link',
    parent: null,
    attributes: {
      amount,
      currency: 'PHP',
      description: description ?? '',
      remarks: remarks ?? null,
      archived: false,
      fee: 0,
      status: 'unpaid',
      tax_amount: null,
      taxes: [],
      livemode: context.livemode,
      checkout_url: `${context.publicUrl()}/checkout/${id}`,
      reference_number: newReference(),
    },
    createdAt: context.clock.now(),
    dueAt: null,
  });
}
