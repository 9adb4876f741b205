import type { Api } from '../api.ts';
import { attributesOf, checking } from '../checks.ts';
import { newId } from '../ids.ts';
import type { Kept } from '../kinds.ts';
import type { World } from '../world.ts';

/** `/v1/sources` */
export function sourceCalls(api: Api, world: World): void {
  api.post('/sources', ({ body }) => world.present.source(create(world, body)));
  api.get('/sources/:id', ({ id }) => world.present.source(api.find('source', id)));
}

function create(world: World, body: unknown): Kept<'source'> {
  const check = checking(attributesOf(body));
  const amount = check.whole('amount', { least: 10_000 });
  check.oneOf('currency', ['PHP']);
  const type = check.oneOf('type', ['gcash', 'grab_pay']);
  const redirect = checking(check.fields('redirect'), 'redirect.');
  const success = redirect.address('success');
  const failed = redirect.address('failed');
  check.include(redirect.faults);
  const billing = check.fields('billing', { optional: true });
  check.done();
  return addSource(world, {
    amount,
    type: type ?? 'gcash',
    success: success ?? '',
    failed: failed ?? '',
    billing,
  });
}

type NewSource = {
  amount: number;
  type: string;
  success: string;
  failed: string;
  billing?: unknown;
  /** The link whose checkout the wallet pays. */
  linkId?: string;
};

/** Keeps a new source, for the API or for a link's checkout. */
export function addSource(world: World, source: NewSource): Kept<'source'> {
  const id = newId('src');
  const checkout_url = `${world.publicUrl()}/authorize/${id}`;
  return world.store.add({
    id,
    kind: 'source',
    parent: source.linkId ?? null,
    attributes: {
      amount: source.amount,
      currency: 'PHP',
      type: source.type,
      status: 'pending',
      redirect: { success: source.success, failed: source.failed, checkout_url },
      billing: source.billing ?? null,
      livemode: world.livemode,
    },
    createdAt: world.clock.now(),
    dueAt: null,
  });
}
