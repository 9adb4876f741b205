import type { Api } from '../api.ts';
import { recordPayment } from '../charge.ts';
import { attributesOf, checking } from '../checks.ts';
import type { Kept } from '../kinds.ts';
import { attributeFault, ProviderProblem } from '../problem.ts';
import type { World } from '../world.ts';

/** `/v1/payments` */
export function paymentCalls(api: Api, world: World): void {
  const { store, present } = world;
  api.post('/payments', ({ body }) => present.payment(chargeSource(api, world, body)));
  api.get('/payments/:id', ({ id }) => present.payment(api.find('payment', id)));
  api.list('/payments', ({ page }) => {
    const { items, hasMore } = store.list('payment', page);
    return { items: items.map(present.payment), hasMore };
  });
}

function chargeSource(api: Api, world: World, body: unknown): Kept<'payment'> {
  const check = checking(attributesOf(body));
  const amount = check.whole('amount', { least: 10_000 });
  check.oneOf('currency', ['PHP']);
  const named = checking(check.fields('source'), 'source.');
  const id = named.text('id');
  named.oneOf('type', ['source']);
  check.include(named.faults);
  const description = check.text('description', { optional: true });
  const statementDescriptor = check.text('statement_descriptor', { most: 22, optional: true });
  check.done();

  const source = api.find('source', id ?? '');
  const refuse = (code: string, detail: string) =>
    new ProviderProblem(400, attributeFault('source', code, detail));
  if (source.attributes.status !== 'chargeable') {
    throw refuse('resource_not_chargeable_state', `source is ${source.attributes.status}, not chargeable.`);
  }
  if (source.attributes.amount !== amount) {
    throw refuse('parameter_invalid', 'amount is not the amount of the source.');
  }
  world.store.save({ ...source, attributes: { ...source.attributes, status: 'paid' } }, world.clock.now());
  return recordPayment(world, {
    amount,
    currency: 'PHP',
    parent: null,
    source: { id: source.id, type: source.attributes.type },
    description,
    statementDescriptor,
    billing: source.attributes.billing,
  });
}
