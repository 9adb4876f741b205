import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Html, html, peso } from '../../page/html.ts';
import type { ProviderContext } from '../context.ts';
import { API_FAULTS, DELIVERY_FAULTS, type Fault, PAYMENT_FAULTS, REFUND_FAULTS } from '../faults.ts';
import { asFields } from '../fields.ts';
import type { Stored } from '../kinds.ts';
import { notFound, parseInput } from '../problem.ts';
import { decideDispute, isOpen, openDispute } from '../resources/disputes.ts';

const IdParams = z.object({ id: z.string() });
const Age = z.strictObject({ days: z.coerce.number().min(0).max(800) });
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What a person or test decides in place of the world outside: the time, what kind of account this is, and the disputes
 * of cardholders. All of it is stored.
 */
export function addControlCalls(app: FastifyInstance, context: ProviderContext, runSoon: () => void): void {
  const { store, settings, clock } = context;

  app.post('/clock', async (request) => {
    const now = clock.advance(request.body);
    runSoon();
    return { data: { now: new Date(now).toISOString() } };
  });

  app.get('/settings', async () => ({ data: settings.get() }));
  app.post('/settings', async (request) => ({ data: settings.change(request.body) }));

  app.post('/payments/:id/age', async (request) => {
    const { id } = IdParams.parse(request.params);
    const { days } = parseInput(Age, request.body);
    return { data: store.transact(() => agePayment(context, id, days * DAY_MS)) };
  });

  /** Answers a form with the overview, and everything else with the dispute. */
  const answer = (
    request: FastifyRequest,
    reply: FastifyReply,
    dispute: Stored<'dispute'>,
    status: number,
  ) => {
    runSoon();
    return isForm(request)
      ? reply.redirect(`${app.prefix}/#disputes`, 303)
      : reply.code(status).send({ data: context.present.dispute(dispute) });
  };
  app.post('/payments/:id/dispute', async (request, reply) => {
    const { id } = IdParams.parse(request.params);
    const dispute = store.transact(() => openDispute(context, id, request.body));
    return answer(request, reply, dispute, 201);
  });
  app.post('/disputes/:id', async (request, reply) => {
    const { id } = IdParams.parse(request.params);
    const dispute = store.transact(() => decideDispute(context, id, request.body));
    return answer(request, reply, dispute, 200);
  });
  // A form names its payment in a field.
  app.post('/disputes', async (request, reply) => {
    const { payment_id } = asFields(request.body);
    const id = typeof payment_id === 'string' ? payment_id.trim() : '';
    const dispute = store.transact(() => openDispute(context, id, {}));
    return answer(request, reply, dispute, 201);
  });
}

/** Makes a payment older, so that it was made and became available that much earlier. */
function agePayment(context: ProviderContext, id: string, byMs: number) {
  const { store, present } = context;
  const payment = store.get('payment', id);
  if (!payment) throw notFound(id);
  const { attributes } = payment;
  const earlier = (seconds: number | null) => seconds && seconds - Math.round(byMs / 1000);
  const aged = store.save(
    {
      ...payment,
      createdAt: payment.createdAt - byMs,
      attributes: {
        ...attributes,
        paid_at: earlier(attributes.paid_at),
        available_at: earlier(attributes.available_at),
        credited_at: earlier(attributes.credited_at),
      },
    },
    payment.updatedAt,
  );
  return present.payment(aged);
}

/** The disputes, each open one with its decisions, and the form that opens one of a payment. */
export function disputeSection(
  prefix: string,
  disputes: Stored<'dispute'>[],
  payments: Stored<'payment'>[],
): Html {
  const button = (status: string, label: string) =>
    html`<button name="status" value="${status}">${label}</button>`;
  const rows = disputes.map((dispute) => {
    const { attributes, id, parent } = dispute;
    const decisions = html`<form class="row" method="post" action="${prefix}/disputes/${id}">
${attributes.status === 'needs_response' && button('under_review', 'Review')}
${button('won', 'Won')}${button('lost', 'Lost')}</form>`;
    return html`<tr><td>${parent}</td><td>${attributes.status.replace('_', ' ')}</td>
<td class="money">${peso(attributes.amount)}</td><td>${attributes.reason}</td>
<td>${isOpen(dispute) ? decisions : 'decided'}</td></tr>`;
  });
  const options = payments
    .filter(({ attributes }) => attributes.status === 'paid' && !attributes.disputed)
    .map(
      ({ id, attributes }) =>
        html`<option value="${id}">${peso(attributes.amount)} · ${attributes.description} · ${id}</option>`,
    );
  const form = html`<form class="row" method="post" action="${prefix}/disputes">
<div class="field"><label for="payment_id">Payment</label><select id="payment_id" name="payment_id">${options}</select></div>
<button class="main" type="submit">Open dispute</button></form>`;
  return html`<h2 id="disputes">Disputes</h2>
<div class="card">
${options.length > 0 ? form : html`<p class="soft">No paid payment to dispute.</p>`}
${
  rows.length > 0 &&
  html`<div class="scroll"><table><thead><tr><th scope="col">Payment</th><th scope="col">Status</th>
<th scope="col">Amount</th><th scope="col">Reason</th><th scope="col">Decision</th></tr></thead><tbody>${rows}</tbody></table></div>`
}</div>`;
}

export const isForm = (request: FastifyRequest): boolean =>
  (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');

/** `POST`, `GET` and `DELETE /faults`, for tests and the form on the overview. */
export function addFaultCalls(app: FastifyInstance, context: ProviderContext): void {
  app.post('/faults', async (request, reply) => {
    const fault = context.faults.add(request.body ?? {});
    return isForm(request)
      ? reply.redirect(`${app.prefix}/#faults`, 303)
      : reply.code(201).send({ data: fault });
  });
  app.get('/faults', async () => ({ data: context.faults.list() }));
  app.delete('/faults', async (_request, reply) => {
    context.faults.clear();
    return reply.code(204).send();
  });
  // HTML forms cannot send DELETE.
  app.post('/faults/clear', async (_request, reply) => {
    context.faults.clear();
    return reply.redirect(`${app.prefix}/#faults`, 303);
  });
}

/** The stored faults and the form that adds one. */
export function faultSection(prefix: string, faults: Fault[]): Html {
  const option = (kind: string) => html`<option value="${kind}">${kind.replaceAll('_', ' ')}</option>`;
  const input = (name: string, label: string) =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" autocomplete="off"></div>`;
  const rows = faults.map(
    (fault) => html`<tr><td>${fault.kind.replaceAll('_', ' ')}</td>
<td>${[fault.method, fault.path, fault.event].filter(Boolean).join(' ') || 'everything'}</td>
<td>${fault.used} of ${fault.times ?? '∞'}</td><td>${fault.delay_ms ?? ''}</td></tr>`,
  );
  return html`<h2 id="faults">Faults</h2>
<div class="card">
<form class="row" method="post" action="${prefix}/faults">
<div class="field"><label for="kind">Fault</label><select id="kind" name="kind">
<optgroup label="Deliveries">${DELIVERY_FAULTS.map(option)}</optgroup>
<optgroup label="Calls">${API_FAULTS.map(option)}</optgroup>
<optgroup label="Payments and refunds">${[...PAYMENT_FAULTS, ...REFUND_FAULTS].map(option)}</optgroup></select></div>
${input('times', 'Times (empty: until cleared)')}${input('path', 'Path begins with')}
${input('event', 'Event begins with')}${input('delay_ms', 'Delay (ms)')}
<button class="main" type="submit">Add fault</button></form>
${
  rows.length === 0
    ? html`<p class="soft">No faults: everything works.</p>`
    : html`<div class="scroll"><table><thead><tr><th scope="col">Fault</th><th scope="col">For</th>
<th scope="col">Used</th><th scope="col">Delay (ms)</th></tr></thead><tbody>${rows}</tbody></table></div>
<form method="post" action="${prefix}/faults/clear"><button type="submit">Clear faults</button></form>`
}</div>`;
}
