import { WEBHOOK_EVENTS } from '@tara/paymongo';
import type { Api } from '../api.ts';
import { attributesOf, checking } from '../checks.ts';
import type { Deliveries } from '../deliveries.ts';
import { newId } from '../ids.ts';
import type { Kept } from '../kinds.ts';
import { attributeFault, ProviderProblem } from '../problem.ts';
import type { World } from '../world.ts';

/** `/v1/webhooks` */
export function webhookCalls(api: Api, world: World, deliveries: Deliveries): void {
  const { store, present, clock } = world;
  const all = () => store.list('webhook', { limit: 1000 }).items;
  const change = (webhook: Kept<'webhook'>, changes: Partial<Kept<'webhook'>['attributes']>) =>
    present.webhook(
      store.save({ ...webhook, attributes: { ...webhook.attributes, ...changes } }, clock.now()),
    );
  const unused = (url: string | undefined, except?: string) => {
    if (!all().some((other) => other.attributes.url === url && other.id !== except)) return;
    throw new ProviderProblem(
      400,
      attributeFault('url', 'resource_exists', 'A webhook with this url is already registered.'),
    );
  };

  api.post('/webhooks', ({ body }) => {
    const check = checking(attributesOf(body));
    const url = check.address('url');
    const events = check.texts('events', WEBHOOK_EVENTS);
    check.done();
    unused(url);
    const added = store.add({
      id: newId('hook'),
      kind: 'webhook',
      parent: null,
      attributes: {
        url: url ?? '',
        events: [...new Set(events)],
        secret_key: newId('whsk'),
        status: 'enabled',
        livemode: world.livemode,
      },
      createdAt: clock.now(),
      dueAt: null,
    });
    return present.webhook(added);
  });

  api.list('/webhooks', () => ({ items: all().map(present.webhook), hasMore: false }));
  api.get('/webhooks/:id', ({ id }) => present.webhook(api.find('webhook', id)));
  api.put('/webhooks/:id', ({ id, body }) => {
    const check = checking(attributesOf(body));
    const url = check.address('url', { optional: true });
    const events = check.texts('events', WEBHOOK_EVENTS, { optional: true });
    check.done();
    const webhook = api.find('webhook', id);
    if (url) unused(url, id);
    return change(webhook, {
      url: url ?? webhook.attributes.url,
      events: events.length > 0 ? [...new Set(events)] : webhook.attributes.events,
    });
  });
  api.post('/webhooks/:id/enable', ({ id }) => {
    deliveries.forgive(id);
    return change(api.find('webhook', id), { status: 'enabled' });
  });
  api.post('/webhooks/:id/disable', ({ id }) => {
    const disabled = change(api.find('webhook', id), { status: 'disabled' });
    deliveries.fail(id);
    return disabled;
  });
}
