import type { Api } from '../api.ts';
import { captureIntent, finishIntent, methodSource } from '../authorization.ts';
import { FAILURES, type Outcome, testCard } from '../cards.ts';
import type { ProviderContext } from '../context.ts';
import { asFields, checkFields, readAttributes } from '../fields.ts';
import { newId } from '../ids.ts';
import type { NextAction, Stored } from '../kinds.ts';
import { attributeProblem, ProviderProblem } from '../problem.ts';
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
  captureCalls(api, context);
}

/** `capture` and `cancel` of an intent whose money is held. */
function captureCalls(api: Api, context: ProviderContext): void {
  const { present } = context;
  const requireStatus = (intent: Stored<'payment_intent'>, allowed: readonly string[]) => {
    const { status } = intent.attributes;
    if (allowed.includes(status)) return;
    throw new ProviderProblem(400, {
      code: 'resource_not_allowed_state',
      detail: `The intent's status is ${status}.`,
    });
  };

  api.post('/payment_intents/:id/capture', ({ id, body }) => {
    const intent = api.find('payment_intent', id);
    const check = checkFields(body === undefined ? {} : readAttributes(body));
    const { amount: held, payment_method: methodId } = intent.attributes;
    const amount = check.integer('amount', { min: 100, max: held, optional: true });
    check.done();
    requireStatus(intent, ['awaiting_capture']);
    const source = methodSource(api.find('payment_method', methodId ?? ''));
    return present.intent(captureIntent(context, intent, source, amount === 0 ? held : amount));
  });
  api.post('/payment_intents/:id/cancel', ({ id }) => {
    const intent = api.find('payment_intent', id);
    requireStatus(intent, ['awaiting_payment_method', 'awaiting_next_action', 'awaiting_capture']);
    return present.intent(context.change(intent, { status: 'cancelled', next_action: null }, null));
  });
}

function checkClientKey(intent: Stored<'payment_intent'>, key: string | undefined): void {
  if (key === undefined || key === intent.attributes.client_key) return;
  throw attributeProblem('client_key', 'parameter_invalid', 'client_key does not belong to this intent.');
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
  const captureType = check.oneOf('capture_type', ['automatic', 'manual'], { optional: true });
  const description = check.text('description', { optional: true });
  const descriptor = check.text('statement_descriptor', { max: 22, optional: true });
  const metadata = check.optionalFields('metadata');
  check.done();
  return addIntent(context, { amount, allowed, options, captureType, description, descriptor, metadata });
}

type NewIntent = {
  amount: number;
  allowed: string[];
  options?: unknown;
  captureType?: 'automatic' | 'manual';
  description?: string;
  descriptor?: string;
  metadata?: unknown;
  /** The link whose checkout requires 3-D Secure. */
  linkId?: string;
};

/** Stores a new intent, for the API or for a link's checkout. */
export function addIntent(context: ProviderContext, intent: NewIntent): Stored<'payment_intent'> {
  const id = newId('pi');
  return context.add(
    'payment_intent',
    {
      amount: intent.amount,
      currency: 'PHP',
      description: intent.description ?? null,
      statement_descriptor: intent.descriptor ?? null,
      payment_method_allowed: intent.allowed,
      payment_method_options: intent.options ?? null,
      client_key: newId(`${id}_client`),
      status: 'awaiting_payment_method',
      payment_method: null,
      capture_type: intent.captureType ?? 'automatic',
      original_amount: intent.amount,
      setup_future_usage: null,
      next_action: null,
      last_payment_error: null,
      metadata: intent.metadata ?? null,
    },
    { id, parent: intent.linkId },
  );
}

/** Sets the intent to await the payer: on a page, or with a code that expires. */
export function requestAuthorization(
  context: ProviderContext,
  intent: Stored<'payment_intent'>,
  returnUrl: string | undefined,
  method: Stored<'payment_method'>,
): Stored<'payment_intent'> {
  const url = `${context.publicUrl()}/authorize/${intent.id}`;
  const isCode = method.attributes.type === 'qrph';
  const expiresAt = context.clock.now() + (method.attributes.expiry_seconds ?? QR_SECONDS) * 1000;
  const code = {
    id: newId('code'),
    amount: intent.attributes.amount,
    label: 'Payment Sandbox',
    test_url: url,
    image_url: QR_IMAGE,
    expires_at: new Date(expiresAt).toISOString(),
  };
  const next_action: NextAction = isCode
    ? { type: 'consume_qr', code }
    : { type: 'redirect', redirect: { url, return_url: returnUrl ?? null } };
  const changes = { status: 'awaiting_next_action', payment_method: method.id, next_action } as const;
  return context.change(intent, changes, isCode ? expiresAt : null);
}

const QR_SECONDS = 30 * 60;
/** One white pixel: nobody can scan it, and nobody can pay real money with it. */
const QR_IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7nQiwAAAABJRU5ErkJggg==';

function attach(
  context: ProviderContext,
  stored: Stored<'payment_intent'>,
  method: Stored<'payment_method'>,
  returnUrl: string | undefined,
): Stored<'payment_intent'> {
  const { status, payment_method_allowed: allowed, payment_method_options: options } = stored.attributes;
  const { type, test_card } = method.attributes;
  if (status !== 'awaiting_payment_method') {
    throw new ProviderProblem(400, {
      code: 'resource_processing_state',
      detail: `The intent's status is ${status}.`,
    });
  }
  if (!allowed.includes(type)) {
    throw attributeProblem(
      'payment_method',
      'payment_method_not_allowed',
      `${type} is not allowed by the intent.`,
    );
  }
  const intent = { ...stored, attributes: { ...stored.attributes, payment_method: method.id } };
  const outcome: Outcome = testCard(test_card ?? '')?.outcome ?? { kind: 'authorize' };
  const asksAny = asFields(asFields(options).card).request_three_d_secure === 'any';
  if (outcome.kind === 'authorize' || (outcome.kind === 'authorize_if_any' && asksAny)) {
    return requestAuthorization(context, intent, returnUrl, method);
  }
  const source = methodSource(method);
  if (outcome.kind !== 'fails') return finishIntent(context, intent, source);
  finishIntent(context, intent, source, outcome.code);
  throw new ProviderProblem(400, {
    code: 'resource_failed_state',
    sub_code: outcome.code,
    detail: FAILURES[outcome.code],
  });
}
