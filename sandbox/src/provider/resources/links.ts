import { LEAST_LINK_AMOUNT } from '@tara/paymongo';
import type { Api } from '../api.ts';
import { attributesOf, checking } from '../checks.ts';
import { newId, newReference } from '../ids.ts';
import type { Kept } from '../kinds.ts';
import type { World } from '../world.ts';

/** `/v1/links` */
export function linkCalls(api: Api, world: World): void {
  const { store, present } = world;

  api.post('/links', ({ body }) => present.link(createLink(world, body)));
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
        store.save({ ...link, attributes: { ...link.attributes, archived } }, world.clock.now()),
      );
    });
  }
}

function createLink(world: World, body: unknown): Kept<'link'> {
  const check = checking(attributesOf(body));
  const amount = check.whole('amount', { least: LEAST_LINK_AMOUNT });
  const description = check.text('description', { most: 255 });
  const remarks = check.text('remarks', { most: 255, optional: true });
  check.done();
  const id = newId('link');
  return world.store.add({
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
      livemode: world.livemode,
      checkout_url: `${world.publicUrl()}/checkout/${id}`,
      reference_number: newReference(),
    },
    createdAt: world.clock.now(),
    dueAt: null,
  });
}
