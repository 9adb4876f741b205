import type { Api } from '../api.ts';
import { finishIntent } from '../authorization.ts';
import { FAILURES, type Outcome, TEST_CARDS } from '../cards.ts';
import type { ProviderContext } from '../context.ts';
import { asFields, checkFields, readAttributes } from '../fields.ts';
import { newId } from '../ids.ts';
import type { PaidWith, Stored } from '../kinds.ts';
import { attributeFault, ProviderProblem } from '../problem.ts';
import { ALLOWED_METHODS } from './payment-methods.ts';

/** `/v1/payment_intents` */
export function paymentIntentCalls(api: Api, context: ProviderContext): void {
  const { present } = context;

  api.post('/payment_intents', ({ body }) => present.intent(create(context, body)));
  api.get('/payment_intents/:id', ({ id, query }) => {
    const intent = api.find('payment_intent', id);
    checkClientKey(intent, query.client_key);
    return present.intent(intent);
  });
  api.post('/payment_intents/:id/attach', ({ id, body }) => {
    const check = checkFields(readAttributes(body));
    const methodId = check.text('payment_method');
    const key = check.text('client_key', { optional: true });
    const returnUrl = check.url('return_url', { optional: true });
    check.done();
    const intent = api.find('payment_intent', id);
    checkClientKey(intent, key);
    return present.intent(attach(context, intent, api.find('payment_method', methodId ?? ''), returnUrl));
  });
}

function checkClientKey(intent: Stored<'payment_intent'>, key: string | undefined): void {
  if (key === undefined || key === intent.attributes.client_key) return;
  throw new ProviderProblem(
    400,
    attributeFault('client_key', 'parameter_invalid', 'client_key does not belong to this intent.'),
  );
}

function create(context: ProviderContext, body: unknown): Stored<'payment_intent'> {
  const check = checkFields(readAttributes(body));
  const amount = check.integer('amount', { min: 2_000 });
  check.oneOf('currency', ['PHP']);
  const allowed = check.stringList('payment_method_allowed', ALLOWED_METHODS);
  const options = check.optionalFields('payment_method_options');
  if (options?.card !== undefined) {
    const card = checkFields(asFields(options.card), 'payment_method_options.card.');
    card.oneOf('request_three_d_secure', ['any', 'automatic'], { optional: true });
    check.include(card.faults);
  }
  const description = check.text('description', { optional: true });
  const descriptor = check.text('statement_descriptor', { max: 22, optional: true });
  const metadata = check.optionalFields('metadata');
  check.done();
  return addIntent(context, { amount, allowed, options, description, descriptor, metadata });
}

type NewIntent = {
  amount: number;
  allowed: string[];
  options?: unknown;
  description?: string;
  descriptor?: string;
  metadata?: unknown;
  /** The link whose checkout requires 3-D Secure. */
  linkId?: string;
};

/** Stores a new intent, for the API or for a link's checkout. */
export function addIntent(context: ProviderContext, intent: NewIntent): Stored<'payment_intent'> {
  const id = newId('pi');
  return context.store.add({
    id,
    kind: 'payment_intent',
    parent: intent.linkId ?? null,
    attributes: {
      amount: intent.amount,
      currency: 'PHP',
      description: intent.description ?? null,
      statement_descriptor: intent.descriptor ?? null,
      payment_method_allowed: intent.allowed,
      payment_method_options: intent.options ?? null,
      client_key: newId(`${id}_client`),
      status: 'awaiting_payment_method',
      payment_method: null,
      next_action: null,
      last_payment_error: null,
      metadata: intent.metadata ?? null,
      livemode: context.livemode,
    },
    createdAt: context.clock.now(),
    dueAt: null,
  });
}

/** Sets the intent to await the payer's authorization on a page. */
export function requestAuthorization(
  context: ProviderContext,
  intent: Stored<'payment_intent'>,
  returnUrl: string | undefined,
  methodId: string | null = null,
): Stored<'payment_intent'> {
  const url = `${context.publicUrl()}/authorize/${intent.id}`;
  const redirect = { url, return_url: returnUrl ?? null };
  return context.store.save(
    {
      ...intent,
      attributes: {
        ...intent.attributes,
        status: 'awaiting_next_action',
        payment_method: methodId,
        next_action: { type: 'redirect', redirect },
      },
    },
    context.clock.now(),
  );
}

function attach(
  context: ProviderContext,
  intent: Stored<'payment_intent'>,
  method: Stored<'payment_method'>,
  returnUrl: string | undefined,
): Stored<'payment_intent'> {
  const { status, payment_method_allowed: allowed } = intent.attributes;
  const { type, details } = method.attributes;
  if (status !== 'awaiting_payment_method') {
    throw new ProviderProblem(400, {
      code: 'resource_processing_state',
      detail: `The intent's status is ${status}.`,
    });
  }
  if (!allowed.includes(type)) {
    throw new ProviderProblem(
      400,
      attributeFault('payment_method', 'payment_method_not_allowed', `${type} is not allowed by the intent.`),
    );
  }
  const card = TEST_CARDS.find((candidate) => candidate.number.slice(-4) === details?.last4);
  const outcome: Outcome = card?.outcome ?? { kind: 'authorize' };
  if (outcome.kind === 'authorize') return requestAuthorization(context, intent, returnUrl, method.id);
  const country = card?.country ?? 'PH';
  const source: PaidWith = { id: method.id, type, brand: card?.brand, last4: details?.last4, country };
  if (outcome.kind === 'succeeds') return finishIntent(context, intent, source);
  finishIntent(context, intent, source, outcome.code);
  throw new ProviderProblem(400, {
    code: 'resource_failed_state',
    sub_code: outcome.code,
    detail: FAILURES[outcome.code],
  });
}
