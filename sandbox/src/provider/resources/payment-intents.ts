import type { Api } from '../api.ts';
import { FAILURES, type Outcome, TEST_CARDS } from '../cards.ts';
import { attributesOf, checking, fieldsOf } from '../checks.ts';
import { finishIntent } from '../confirm.ts';
import { newId } from '../ids.ts';
import type { Kept, PaidWith } from '../kinds.ts';
import { attributeFault, ProviderProblem } from '../problem.ts';
import type { World } from '../world.ts';
import { METHODS } from './payment-methods.ts';

/** `/v1/payment_intents` */
export function paymentIntentCalls(api: Api, world: World): void {
  const { present } = world;

  api.post('/payment_intents', ({ body }) => present.intent(create(world, body)));
  api.get('/payment_intents/:id', ({ id, query }) => {
    const intent = api.find('payment_intent', id);
    rightKey(intent, query.client_key);
    return present.intent(intent);
  });
  api.post('/payment_intents/:id/attach', ({ id, body }) => {
    const check = checking(attributesOf(body));
    const methodId = check.text('payment_method');
    const key = check.text('client_key', { optional: true });
    const returnUrl = check.address('return_url', { optional: true });
    check.done();
    const intent = api.find('payment_intent', id);
    rightKey(intent, key);
    return present.intent(attach(world, intent, api.find('payment_method', methodId ?? ''), returnUrl));
  });
}

function rightKey(intent: Kept<'payment_intent'>, key: string | undefined): void {
  if (key === undefined || key === intent.attributes.client_key) return;
  throw new ProviderProblem(
    400,
    attributeFault('client_key', 'parameter_invalid', 'client_key is not of this intent.'),
  );
}

function create(world: World, body: unknown): Kept<'payment_intent'> {
  const check = checking(attributesOf(body));
  const amount = check.whole('amount', { least: 2_000 });
  check.oneOf('currency', ['PHP']);
  const allowed = check.texts('payment_method_allowed', METHODS);
  const options = check.fields('payment_method_options', { optional: true });
  if (options.card !== undefined) {
    const card = checking(fieldsOf(options.card), 'payment_method_options.card.');
    card.oneOf('request_three_d_secure', ['any', 'automatic'], { optional: true });
    check.include(card.faults);
  }
  const description = check.text('description', { optional: true });
  const descriptor = check.text('statement_descriptor', { most: 22, optional: true });
  const metadata = check.fields('metadata', { optional: true });
  check.done();
  return addIntent(world, { amount, allowed, options, description, descriptor, metadata });
}

type NewIntent = {
  amount: number;
  allowed: string[];
  options?: unknown;
  description?: string;
  descriptor?: string;
  metadata?: unknown;
  /** The link whose checkout asks for 3-D Secure. */
  linkId?: string;
};

/** Keeps a new intent, for the API or for a link's checkout. */
export function addIntent(world: World, intent: NewIntent): Kept<'payment_intent'> {
  const id = newId('pi');
  return world.store.add({
    id,
    kind: 'payment_intent',
    parent: intent.linkId ?? null,
    attributes: {
      amount: intent.amount,
      currency: 'PHP',
      description: intent.description ?? null,
      statement_descriptor: intent.descriptor ?? null,
      payment_method_allowed: intent.allowed,
      payment_method_options: intent.options ?? {},
      client_key: newId(`${id}_client`),
      status: 'awaiting_payment_method',
      payment_method: null,
      next_action: null,
      last_payment_error: null,
      metadata: intent.metadata ?? {},
      livemode: world.livemode,
    },
    createdAt: world.clock.now(),
    dueAt: null,
  });
}

/** Makes the payer go to the page that asks. */
export function askPayer(
  world: World,
  intent: Kept<'payment_intent'>,
  returnUrl: string | undefined,
  methodId: string | null = null,
): Kept<'payment_intent'> {
  const url = `${world.publicUrl()}/authorize/${intent.id}`;
  const redirect = { url, return_url: returnUrl ?? null };
  return world.store.save(
    {
      ...intent,
      attributes: {
        ...intent.attributes,
        status: 'awaiting_next_action',
        payment_method: methodId,
        next_action: { type: 'redirect', redirect },
      },
    },
    world.clock.now(),
  );
}

function attach(
  world: World,
  intent: Kept<'payment_intent'>,
  method: Kept<'payment_method'>,
  returnUrl: string | undefined,
): Kept<'payment_intent'> {
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
  const card = TEST_CARDS.find((one) => one.number.slice(-4) === details?.last4);
  const outcome: Outcome = card?.outcome ?? { kind: 'asks' };
  if (outcome.kind === 'asks') return askPayer(world, intent, returnUrl, method.id);
  const source: PaidWith = { id: method.id, type, brand: card?.brand, last4: details?.last4, country: 'PH' };
  if (outcome.kind === 'succeeds') return finishIntent(world, intent, source);
  finishIntent(world, intent, source, outcome.code);
  throw new ProviderProblem(400, {
    code: 'resource_failed_state',
    sub_code: outcome.code,
    detail: FAILURES[outcome.code],
  });
}
