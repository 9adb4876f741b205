import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Html, html } from '../../page/html.ts';
import type { ProviderContext } from '../context.ts';
import { API_FAULTS, DELIVERY_FAULTS, type Fault, PAYMENT_FAULTS, REFUND_FAULTS } from '../faults.ts';

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
