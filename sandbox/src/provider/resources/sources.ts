import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import { checkFields, readAttributes } from '../fields.ts';
import { newId } from '../ids.ts';
import type { Stored } from '../kinds.ts';

/** `/v1/sources` */
export function sourceCalls(api: Api, context: ProviderContext): void {
  api.post('/sources', ({ body }) => context.present.source(create(context, body)));
  api.get('/sources/:id', ({ id }) => context.present.source(api.find('source', id)));
}

function create(context: ProviderContext, body: unknown): Stored<'source'> {
  const check = checkFields(readAttributes(body));
  const amount = check.integer('amount', { min: 10_000 });
  check.oneOf('currency', ['PHP']);
  const type = check.oneOf('type', ['gcash', 'grab_pay']);
  const redirect = checkFields(check.fields('redirect'), 'redirect.');
  const success = redirect.url('success');
  const failed = redirect.url('failed');
  check.include(redirect.faults);
  const billing = check.billing();
  const description = check.text('description', { optional: true });
  const descriptor = check.text('statement_descriptor', { max: 22, optional: true });
  const metadata = check.optionalFields('metadata');
  check.done();
  return addSource(context, {
    amount,
    type: type ?? 'gcash',
    success: success ?? '',
    failed: failed ?? '',
    billing,
    description,
    descriptor,
    metadata,
  });
}

/** A source that the payer did not authorize expires after an hour. */
const LIFETIME_MS = 60 * 60 * 1000;

type NewSource = {
  amount: number;
  type: string;
  success: string;
  failed: string;
  billing?: unknown;
  description?: string;
  descriptor?: string;
  metadata?: unknown;
  /** The link whose checkout the wallet pays. */
  linkId?: string;
};

/** Stores a new source, for the API or for a link's checkout. */
export function addSource(context: ProviderContext, source: NewSource): Stored<'source'> {
  const id = newId('src');
  const checkout_url = `${context.publicUrl()}/authorize/${id}`;
  return context.add(
    'source',
    {
      amount: source.amount,
      currency: 'PHP',
      type: source.type,
      status: 'pending',
      redirect: { success: source.success, failed: source.failed, checkout_url },
      billing: source.billing ?? null,
      description: source.description ?? null,
      statement_descriptor: source.descriptor ?? null,
      metadata: source.metadata ?? null,
    },
    { id, parent: source.linkId, dueAt: context.clock.now() + LIFETIME_MS },
  );
}
