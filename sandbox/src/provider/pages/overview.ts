import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Access } from '../../access.ts';
import { type Html, html, layout, moment, peso } from '../../page/html.ts';
import { addStyleSheet, securePages, sendPage } from '../../page/security.ts';
import { replyWithError } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import type { Deliveries, Delivery } from '../deliveries.ts';
import type { Event, Events } from '../events.ts';
import type { Kind, Stored } from '../kinds.ts';
import { addAuthorize } from './authorize.ts';
import { addCheckout } from './checkout.ts';
import { RIBBON } from './checkout-pages.ts';
import { addControlCalls, addFaultCalls, disputeSection, faultSection, isForm } from './control.ts';

const LIST_LIMIT = 50;
const KINDS = [
  'link',
  'payment',
  'refund',
  'transfer',
  'webhook',
  'source',
  'payment_intent',
  'payment_method',
] as const;
const IdParams = z.object({ id: z.string() });

type PagesContext = {
  context: ProviderContext;
  events: Events;
  deliveries: Deliveries;
  runSoon: () => void;
};

/** The pages, and the calls that manage faults. */
export function addPages(app: FastifyInstance, { access, ...rest }: PagesContext & { access: Access }): void {
  const { context, runSoon } = rest;
  app.setErrorHandler((error, _request, reply) => replyWithError(error, reply, context.log));
  app.register(async (open) => {
    securePages(open);
    addStyleSheet(open);
    addCheckout(open, context, runSoon);
    addAuthorize(open, context, runSoon);
  });
  app.register(async (guarded) => {
    guarded.addHook('onRequest', access.guard);
    securePages(guarded);
    addFaultCalls(guarded, context);
    addControlCalls(guarded, context, runSoon);
    addOverview(guarded, rest);
  });
}

/** Every resource and event, newest first, with 'Send again' on every event. */
function addOverview(app: FastifyInstance, { context, events, deliveries, runSoon }: PagesContext): void {
  const newest = <K extends Kind>(kind: K) => context.store.list(kind, { limit: LIST_LIMIT }).items;

  app.get('/', async (_request, reply) => {
    const body = html`<h1>Payment sandbox</h1>
<p class="soft">Every resource, event and delivery; the newest ${LIST_LIMIT} of each.</p>
${faultSection(app.prefix, context.faults.list())}
<h2>Events</h2>
${eventSection(app.prefix, events.list(LIST_LIMIT), deliveries.forEvent)}
<h2>Objects</h2>
${KINDS.map((kind) => objectSection(kind, newest(kind)))}
${disputeSection(app.prefix, newest('dispute'), newest('payment'))}`;
    return sendPage(
      reply,
      layout({ title: 'Payment sandbox', prefix: app.prefix, ribbon: RIBBON, body, wide: true }),
    );
  });

  app.post('/events/:id/send', async (request, reply) => {
    const { id } = IdParams.parse(request.params);
    const event = context.store.transact(() => events.resend(id));
    runSoon();
    if (!event)
      return reply.code(404).send({ errors: [{ code: 'resource_not_found', detail: `No event ${id}.` }] });
    return isForm(request)
      ? reply.redirect(`${app.prefix}/#${id}`, 303)
      : reply.code(202).send({ data: { id } });
  });

  app.get('/events', async () => ({
    data: events.list(LIST_LIMIT).map((event) => ({
      id: event.id,
      type: event.type,
      created_at: event.created_at,
      deliveries: deliveries.forEvent(event.id),
    })),
  }));
}

function eventSection(prefix: string, events: Event[], deliveriesOf: (id: string) => Delivery[]): Html {
  if (events.length === 0) return html`<p class="soft">Nothing has happened yet.</p>`;
  return html`${events.map(
    (event) => html`<article class="card" id="${event.id}">
<h3 id="${event.id}-type">${event.type}</h3>
<p class="soft">${event.id} · ${moment(event.created_at)} UTC</p>
${deliveryTable(deliveriesOf(event.id))}
<details><summary>Body</summary><pre>${JSON.stringify(JSON.parse(event.body), null, 2)}</pre></details>
<form method="post" action="${prefix}/events/${event.id}/send">
<button type="submit" aria-describedby="${event.id}-type">Send again</button></form></article>`,
  )}`;
}

function deliveryTable(deliveries: Delivery[]): Html {
  if (deliveries.length === 0) return html`<p class="soft">No webhook is subscribed to it.</p>`;
  const rows = deliveries.map(
    (delivery) => html`<tr><td>${delivery.webhook_id}</td>
<td>${delivery.held ? 'held back' : delivery.state.replace('_', ' ')}</td><td>${delivery.attempts}</td><td>${delivery.answer}</td>
<td>${delivery.state === 'pending' && moment(delivery.next_at)}</td></tr>`,
  );
  return html`<div class="scroll"><table><caption>Deliveries</caption><thead><tr><th scope="col">Webhook</th>
<th scope="col">State</th><th scope="col">Attempts</th><th scope="col">Last answer</th>
<th scope="col">Next (UTC)</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function objectSection<K extends Kind>(kind: K, items: Stored<K>[]): Html {
  if (items.length === 0) return html``;
  const rows = items.map((record) => {
    const { attributes } = record;
    const status = 'status' in attributes ? attributes.status : '';
    const about =
      'url' in attributes ? attributes.url : 'description' in attributes ? attributes.description : '';
    return html`<tr><td>${record.id}</td><td>${status}${'archived' in attributes && attributes.archived && ', archived'}</td>
<td class="money">${'amount' in attributes && peso(attributes.amount)}</td><td>${about}</td>
<td>${moment(record.createdAt)}</td></tr>`;
  });
  return html`<div class="card scroll"><table><caption>${kind.replaceAll('_', ' ')}</caption><thead><tr>
<th scope="col">Id</th><th scope="col">Status</th><th scope="col">Amount</th><th scope="col">About</th>
<th scope="col">Created (UTC)</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
