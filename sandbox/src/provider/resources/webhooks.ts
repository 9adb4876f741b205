import { WEBHOOK_EVENTS } from '@tara/paymongo';
import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import type { Deliveries } from '../deliveries.ts';
import { checkFields, readAttributes } from '../fields.ts';
import { newId } from '../ids.ts';
import type { Stored } from '../kinds.ts';
import { attributeProblem } from '../problem.ts';

/** Names for which a webhook can be registered. The sandbox emits those of its own resources. */
const EVENT_NAMES = [
  ...WEBHOOK_EVENTS,
  'checkout_session.payment.paid',
  'qrph.expired',
  'subscription.activated',
  'subscription.past_due',
  'subscription.unpaid',
  'subscription.updated',
  'subscription.invoice.created',
  'subscription.invoice.finalized',
  'subscription.invoice.paid',
  'subscription.invoice.payment_failed',
] as const;

/** `/v1/webhooks` */
export function webhookCalls(api: Api, context: ProviderContext, deliveries: Deliveries): void {
  const { store, present } = context;
  const all = () => store.list('webhook', { limit: 1000 }).items;
  const change = (webhook: Stored<'webhook'>, changes: Partial<Stored<'webhook'>['attributes']>) =>
    present.webhook(context.change(webhook, changes));
  const requireUnusedUrl = (url: string | undefined, except?: string) => {
    if (!all().some((other) => other.attributes.url === url && other.id !== except)) return;
    throw attributeProblem('url', 'resource_exists', 'A webhook with this url is already registered.');
  };

  /** The names that this account knows. */
  const knownEvents = () => {
    const { refused_events: refused } = context.settings.get();
    return EVENT_NAMES.filter((name) => !refused.some((beginning) => name.startsWith(beginning)));
  };

  api.post('/webhooks', ({ body }) => {
    const check = checkFields(readAttributes(body));
    const url = check.url('url');
    const events = check.stringList('events', knownEvents());
    check.done();
    requireUnusedUrl(url);
    const added = context.add('webhook', {
      url: url ?? '',
      events: [...new Set(events)],
      secret_key: newId('whsk'),
      status: 'enabled',
      disabled_reason: null,
    });
    return present.webhook(added);
  });

  api.list(
    '/webhooks',
    ({ page, query: { url } }) =>
      store.list('webhook', { ...page, where: url === undefined ? undefined : { url } }),
    present.webhook,
  );
  api.get('/webhooks/:id', ({ id }) => present.webhook(api.find('webhook', id)));
  api.put('/webhooks/:id', ({ id, body }) => {
    const check = checkFields(readAttributes(body));
    const url = check.url('url', { optional: true });
    const events = check.stringList('events', knownEvents(), { optional: true });
    check.done();
    const webhook = api.find('webhook', id);
    if (url) requireUnusedUrl(url, id);
    return change(webhook, {
      url: url ?? webhook.attributes.url,
      events: events.length > 0 ? [...new Set(events)] : webhook.attributes.events,
    });
  });
  api.post('/webhooks/:id/enable', ({ id }) => {
    deliveries.resetExhausted(id);
    return change(api.find('webhook', id), { status: 'enabled', disabled_reason: null });
  });
  api.post('/webhooks/:id/disable', ({ id }) => {
    const disabled = change(api.find('webhook', id), {
      status: 'disabled',
      disabled_reason: 'disabled_by_merchant',
    });
    deliveries.failPending(id);
    return disabled;
  });
  api.remove('/webhooks/:id', ({ id }) => {
    store.remove(api.find('webhook', id).id);
    deliveries.failPending(id);
  });
}
