import type { Api } from '../api.ts';
import { walletSource } from '../authorization.ts';
import { recordPayment } from '../charge.ts';
import type { ProviderContext } from '../context.ts';
import { checkFields, readAttributes } from '../fields.ts';
import type { Stored } from '../kinds.ts';
import { attributeProblem } from '../problem.ts';

/** `/v1/payments` */
export function paymentCalls(api: Api, context: ProviderContext): void {
  const { store, present } = context;
  api.post('/payments', ({ body }) => present.payment(chargeSource(api, context, body)));
  api.get('/payments/:id', ({ id }) => present.payment(api.find('payment', id)));
  api.list('/payments', ({ page }) => store.list('payment', page), present.payment);
}

function chargeSource(api: Api, context: ProviderContext, body: unknown): Stored<'payment'> {
  const check = checkFields(readAttributes(body));
  const amount = check.integer('amount', { min: 2_000 });
  check.oneOf('currency', ['PHP']);
  const named = checkFields(check.fields('source'), 'source.');
  const id = named.text('id');
  named.oneOf('type', ['source']);
  check.include(named.faults);
  const description = check.text('description', { optional: true });
  const statementDescriptor = check.text('statement_descriptor', { max: 22, optional: true });
  check.done();

  const source = api.find('source', id ?? '');
  const refuse = (code: string, detail: string) => attributeProblem('source', code, detail);
  if (source.attributes.status !== 'chargeable') {
    throw refuse('resource_not_chargeable_state', `source is ${source.attributes.status}, not chargeable.`);
  }
  if (source.attributes.amount !== amount) {
    throw refuse('parameter_invalid', 'amount is not the amount of the source.');
  }
  context.change(source, { status: 'paid' });
  return recordPayment(context, {
    amount,
    currency: 'PHP',
    parent: null,
    source: walletSource(source.id, source.attributes.type),
    description: description ?? source.attributes.description,
    statementDescriptor: statementDescriptor ?? source.attributes.statement_descriptor,
    metadata: source.attributes.metadata,
    billing: source.attributes.billing,
  });
}
