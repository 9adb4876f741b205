import type { Api } from '../api.ts';
import { isUnexpired, testCard } from '../cards.ts';
import { attributesOf, checking } from '../checks.ts';
import { newId } from '../ids.ts';
import type { Kept } from '../kinds.ts';
import type { World } from '../world.ts';

export const METHODS = ['card', 'gcash', 'grab_pay', 'paymaya'] as const;

/** `/v1/payment_methods` */
export function paymentMethodCalls(api: Api, world: World): void {
  api.post('/payment_methods', ({ body }) => world.present.method(create(world, body)));
  api.get('/payment_methods/:id', ({ id }) => world.present.method(api.find('payment_method', id)));
}

function create(world: World, body: unknown): Kept<'payment_method'> {
  const now = world.clock.now();
  const check = checking(attributesOf(body));
  const type = check.oneOf('type', METHODS);
  const billing = check.fields('billing', { optional: true });
  const metadata = check.fields('metadata', { optional: true });
  let details: Kept<'payment_method'>['attributes']['details'] = null;
  if (type === 'card') {
    const card = checking(check.fields('details'), 'details.');
    const number = card.text('card_number', { most: 19 }) ?? '';
    const month = card.whole('exp_month', { least: 1, most: 12 });
    const year = card.whole('exp_year', { least: 2000, most: 2200 });
    const cvc = card.text('cvc', { most: 4 });
    if (card.faults.length === 0) {
      if (!testCard(number)) card.complain('card_number', 'parameter_invalid', 'is not a test card.');
      if (!isUnexpired(month, year, now)) card.complain('exp_year', 'parameter_invalid', 'is in the past.');
      if (!/^\d{3,4}$/.test(cvc ?? '')) card.complain('cvc', 'parameter_format_invalid', 'should be digits.');
    }
    check.include(card.faults);
    details = { last4: number.slice(-4), exp_month: month, exp_year: year };
  }
  check.done();
  return world.store.add({
    id: newId('pm'),
    kind: 'payment_method',
    parent: null,
    attributes: { type: type ?? 'card', details, billing, metadata, livemode: world.livemode },
    createdAt: now,
    dueAt: null,
  });
}
