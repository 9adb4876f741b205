import { createRequire } from 'node:module';
import { z } from 'zod';
import type { Inputs } from './calls.ts';
import { connectServer } from './mcp.ts';

/** An error of the provider as a client gives it to its caller. */
const Fault = z
  .looseObject({
    code: z.string(),
    detail: z.string().min(1),
    source: z.looseObject({ pointer: z.string() }).nullish(),
  })
  .transform(({ code, detail, source }) => ({ code, detail, pointer: source?.pointer ?? null }));
export type Fault = z.output<typeof Fault>;
/** The body of an error, which some clients throw as it is. */
export const ErrorBody = z.looseObject({ errors: z.array(Fault).min(1) });

/** What a client gives its caller, whatever the provider answers. */
export interface OwnBug {
  why: string;
  /** The message of the client's error. */
  error: RegExp;
  /** The status of the provider's reply; null when the client sends nothing. */
  status: number | null;
}

/** A published client. */
export interface ThirdPartyClient {
  name: string;
  /** Calls that it does not have are left out. `Paymongo-Signature` tells whether a delivery is signed. */
  attempts: { [Name in keyof Inputs]?: (input: Inputs[Name]) => Promise<unknown> };
  /** What the client itself gets wrong, by the title of the row. */
  ownBugs: Record<string, OwnBug>;
  /** The errors of a refusal, and its status where the client tells it. Throws when it is of another form. */
  readRefusal(error: unknown): { faults: Fault[]; status?: number };
  /** Ends the client's process, if it has one. */
  close?(): Promise<void>;
}

type Method = (...args: unknown[]) => Promise<unknown>;
type Groups = Record<string, Record<string, Method>>;

const require = createRequire(import.meta.url);
const version = (name: string): string =>
  `${name} ${(require(`${name}/package.json`) as { version: string }).version}`;

/** Loads the main file of a package anew: two of them remember one key for all who load them. */
function load(main: string): unknown {
  const [folder = main] = /^.*[\\/]node_modules[\\/][^\\/]+[\\/]/.exec(main) ?? [];
  for (const file of Object.keys(require.cache)) if (file.startsWith(folder)) delete require.cache[file];
  return require(main);
}

/** `groups.links.create`, which fails as a missing method does. */
const method =
  (groups: Groups, group: string, name: string): Method =>
  async (...args) => {
    const member = groups[group]?.[name];
    if (!member) throw new Error(`The client has no ${group}.${name}.`);
    return member.call(groups[group], ...args);
  };

const readBody = (error: unknown) => ({ faults: ErrorBody.parse(error).errors });

/** `paymongo.js` of omsimos, whose defaults are those of §9. It has no links, and throws the body of an error. */
function paymongoJs(secretKey: string): ThirdPartyClient {
  const module = load(require.resolve('paymongo.js')) as { default: (key: string) => Groups };
  const client = module.default(secretKey);
  const call = (group: string, name: string) => method(client, group, name);
  return {
    name: version('paymongo.js'),
    attempts: {
      'POST /payment_intents': ({ order }) =>
        call('intent', 'create')({ ...order, paymentMethodAllowed: order.payment_method_allowed }),
      'POST /payment_intents/{id}/attach': ({ id, methodId }) =>
        call('intent', 'attach')({ intentId: id, methodId }),
      'GET /payment_intents/{id}': ({ id, clientKey }) =>
        call('intent', 'retrieve')({ intentId: id, clientKey }),
      'POST /payment_methods': ({ card }) =>
        call(
          'method',
          'create',
        )({
          type: 'card',
          details: {
            cardNumber: card.card_number,
            expMonth: card.exp_month,
            expYear: card.exp_year,
            cvc: card.cvc,
          },
        }),
      'GET /payment_methods/{id}': ({ id }) => call('method', 'retrieve')(id),
      'POST /webhooks': ({ order }) => call('webhook', 'create')(order),
      'GET /webhooks': () => call('webhook', 'list')(),
      'GET /webhooks/{id}': ({ id }) => call('webhook', 'retrieve')(id),
      'PUT /webhooks/{id}': ({ id, order }) => call('webhook', 'update')({ webhookId: id, ...order }),
      'POST /webhooks/{id}/enable': ({ id }) => call('webhook', 'enable')(id),
      'POST /webhooks/{id}/disable': ({ id }) => call('webhook', 'disable')(id),
      'POST /sources': ({ order }) => call('source', 'create')(order),
      'GET /sources/{id}': ({ id }) => call('source', 'retrieve')(id),
      'POST /payments': ({ order }) => call('payment', 'create')(order),
      'GET /payments/{id}': ({ id }) => call('payment', 'retrieve')(id),
      'GET /payments': () => call('payment', 'list')(),
    },
    ownBugs: {},
    readRefusal: readBody,
  };
}

/** `paymongo` of jofftiquez. It takes whole envelopes, and throws the first of the errors. */
function paymongo(secretKey: string): ThirdPartyClient {
  const Client = load(require.resolve('paymongo')) as new (key: string) => Groups;
  const client = new Client(secretKey);
  const call = (group: string, name: string) => method(client, group, name);
  const envelope = (attributes: object) => ({ data: { attributes } });
  const ownBug = {
    why: 'sends the id in place of the key',
    error: /^PaymentIntent id is required\.$/,
    status: null,
  };
  return {
    name: version('paymongo'),
    attempts: {
      'POST /payment_intents': ({ order }) => call('paymentIntents', 'create')(envelope(order)),
      'POST /payment_intents/{id}/attach': ({ id, methodId }) =>
        call('paymentIntents', 'attach')(id, envelope({ payment_method: methodId })),
      'GET /payment_intents/{id}': ({ id }) => call('paymentIntents', 'retrieve')(id),
      'POST /payment_methods': ({ card }) =>
        call('paymentMethods', 'create')(envelope({ type: 'card', details: { ...card, exp_year: 34 } })),
      'GET /payment_methods/{id}': ({ id }) => call('paymentMethods', 'retrieve')(id),
      'POST /webhooks': ({ order }) => call('webhooks', 'create')(envelope(order)),
      'GET /webhooks': () => call('webhooks', 'list')(),
      'GET /webhooks/{id}': ({ id }) => call('webhooks', 'retrieve')(id),
      'POST /webhooks/{id}/enable': ({ id }) => call('webhooks', 'toggle')(id, 'enable'),
      'POST /webhooks/{id}/disable': ({ id }) => call('webhooks', 'toggle')(id, 'disable'),
      'POST /sources': ({ order }) => call('sources', 'create')(envelope(order)),
      'GET /sources/{id}': ({ id }) => call('sources', 'retrieve')(id),
      'POST /links': ({ order }) => call('links', 'create')(envelope(order)),
      'GET /links?reference_number=': ({ referenceNumber }) => call('links', 'getByRef')(referenceNumber),
      'GET /links/{id}': ({ id }) => call('links', 'retrieve')(id),
      'POST /links/{id}/archive': ({ id }) => call('links', 'archive')(id),
      'POST /links/{id}/unarchive': ({ id }) => call('links', 'unarchive')(id),
      'POST /payments': ({ order }) => call('payments', 'create')(envelope(order)),
      'GET /payments/{id}': ({ id }) => call('payments', 'retrieve')(id),
      'GET /payments': () => call('payments', 'list')(),
      'POST /payment_intents/{id}/capture': ({ id }) => call('paymentIntents', 'capture')(id),
      'POST /payment_intents/{id}/cancel': ({ id }) => call('paymentIntents', 'cancel')(id),
      'POST /refunds': ({ order }) => call('refunds', 'create')(envelope(order)),
      'GET /refunds/{id}': ({ id }) => call('refunds', 'retrieve')(id),
      'GET /refunds': () => call('refunds', 'list')(),
    },
    ownBugs: {
      'POST /payment_intents/{id}/capture': ownBug,
      'POST /payment_intents/{id}/cancel': ownBug,
    },
    readRefusal: (error) => ({ faults: [Fault.parse(error)] }),
  };
}

/** The errors of `paymongo-node`, by their types. */
const STATUS: Record<string, number> = {
  InvalidRequestError: 400,
  AuthenticationError: 401,
  ResourceNotFoundError: 404,
};

/** `paymongo-node` of PayMongo itself. It cannot make or attach methods. */
function paymongoNode(secretKey: string): ThirdPartyClient {
  const create = load(require.resolve('paymongo-node')) as (key: string) => Groups;
  const client = create(secretKey);
  const call = (group: string, name: string) => method(client, group, name);
  return {
    name: version('paymongo-node'),
    attempts: {
      'POST /payment_intents': ({ order }) => call('paymentIntents', 'create')(order),
      'GET /payment_intents/{id}': ({ id }) => call('paymentIntents', 'retrieve')(id),
      'GET /payment_methods/{id}': ({ id }) => call('paymentMethods', 'retrieve')(id),
      'POST /webhooks': ({ order }) => call('webhooks', 'create')(order),
      'GET /webhooks': () => call('webhooks', 'all')({ limit: 100 }),
      'GET /webhooks/{id}': ({ id }) => call('webhooks', 'retrieve')(id),
      'PUT /webhooks/{id}': ({ id, order }) => call('webhooks', 'update')(id, order),
      'POST /webhooks/{id}/enable': ({ id }) => call('webhooks', 'enable')(id),
      'POST /webhooks/{id}/disable': ({ id }) => call('webhooks', 'disable')(id),
      'POST /sources': ({ order }) => call('sources', 'create')(order),
      'GET /sources/{id}': ({ id }) => call('sources', 'retrieve')(id),
      'POST /links': ({ order }) => call('links', 'create')(order),
      'GET /links?reference_number=': ({ referenceNumber }) =>
        call('links', 'all')({ reference_number: referenceNumber }),
      'GET /links/{id}': ({ id }) => call('links', 'retrieve')(id),
      'POST /links/{id}/archive': ({ id }) => call('links', 'archive')(id),
      'POST /links/{id}/unarchive': ({ id }) => call('links', 'unarchive')(id),
      'POST /payments': ({ order }) => call('payments', 'create')(order),
      'GET /payments/{id}': ({ id }) => call('payments', 'retrieve')(id),
      'GET /payments': () => call('payments', 'all')({ limit: 5 }),
      'POST /payment_intents/{id}/capture': ({ id, order }) => call('paymentIntents', 'capture')(id, order),
      'POST /payment_intents/{id}/cancel': ({ id }) => call('paymentIntents', 'cancel')(id),
      'POST /refunds': ({ order }) => call('refunds', 'create')(order),
      'GET /refunds/{id}': ({ id }) => call('refunds', 'retrieve')(id),
      'GET /refunds': () => call('refunds', 'all')({ limit: 5 }),
      'Paymongo-Signature': async ({ payload, signature, secret }) => {
        const delivery = { payload, signatureHeader: signature, webhookSecretKey: secret };
        const Event = z.looseObject({
          id: z.string().startsWith('evt_'),
          type: z.literal('source.chargeable'),
        });
        try {
          return Event.safeParse(await call('webhooks', 'constructEvent')(delivery)).success;
        } catch (error) {
          z.looseObject({ type: z.literal('SignatureVerificationError') }).parse(error);
          return false;
        }
      },
    },
    ownBugs: {
      'GET /payment_methods/{id}': {
        why: 'reads a variable that it never sets',
        error: /^apiResource is not defined$/,
        status: 200,
      },
      'POST /payment_intents/{id}/capture': {
        why: 'cannot read an intent with a payment',
        error: /^Payment is not defined$/,
        status: 200,
      },
      'GET /refunds': {
        why: 'uses a class that it does not import',
        error: /^ApiResource is not defined$/,
        status: 200,
      },
      'POST /payment_intents: a provider that fails': {
        why: 'drops an error of another status than 400, 401 and 404',
        error: /^Cannot read properties of undefined \(reading 'attributes'\)$/,
        status: 500,
      },
    },
    readRefusal: (error) => ({
      ...readBody(error),
      status: STATUS[z.looseObject({ type: z.string() }).parse(error).type],
    }),
  };
}

/** The MCP server for PayMongo of theYahia, as the program that it is. */
async function paymongoMcp(secretKey: string, origin: string): Promise<ThirdPartyClient> {
  const program = require.resolve('@theyahia/paymongo-mcp/dist/index.js');
  const { callTool, close } = await connectServer(program, origin, { PAYMONGO_SECRET_KEY: secretKey });
  return {
    name: version('@theyahia/paymongo-mcp'),
    attempts: {
      'POST /payment_intents': ({ order }) => callTool('create_payment_intent', order),
      'GET /payment_intents/{id}': ({ id }) => callTool('get_payment_intent', { payment_intent_id: id }),
      'POST /payment_methods': ({ card }) =>
        callTool('create_payment_method', { type: 'card', details: card }),
      'GET /payment_methods/{id}': ({ id }) => callTool('get_payment_method', { payment_method_id: id }),
      'POST /webhooks': ({ order }) => callTool('create_webhook', order),
      'GET /webhooks': () => callTool('list_webhooks', {}),
      'GET /webhooks/{id}': ({ id }) => callTool('get_webhook', { webhook_id: id }),
      'PUT /webhooks/{id}': ({ id, order }) => callTool('update_webhook', { webhook_id: id, ...order }),
      'POST /webhooks/{id}/enable': async ({ id }) =>
        Toggled.parse(await callTool('update_webhook', { webhook_id: id, enabled: true })).toggled,
      'POST /webhooks/{id}/disable': async ({ id }) =>
        Toggled.parse(await callTool('update_webhook', { webhook_id: id, enabled: false })).toggled,
      'POST /sources': ({ order: { redirect, ...order } }) =>
        callTool('create_source', {
          ...order,
          redirect_success: redirect.success,
          redirect_failed: redirect.failed,
        }),
      'GET /sources/{id}': ({ id }) => callTool('get_source', { source_id: id }),
      'POST /links': ({ order }) => callTool('create_link', order),
      'GET /links?reference_number=': ({ referenceNumber }) =>
        callTool('get_link', { reference_number: referenceNumber }),
      'GET /links/{id}': ({ id }) => callTool('get_link', { link_id: id }),
      'POST /links/{id}/archive': ({ id }) => callTool('archive_link', { link_id: id, archived: true }),
      'POST /links/{id}/unarchive': ({ id }) => callTool('archive_link', { link_id: id, archived: false }),
      'POST /payments': ({ order: { source, ...order } }) =>
        callTool('create_payment', { ...order, source_id: source.id }),
      'GET /payments': () => callTool('list_payments', {}),
      'POST /refunds': ({ order }) => callTool('create_refund', order),
      'GET /refunds/{id}': ({ id }) => callTool('get_refund', { refund_id: id }),
      'GET /refunds': () => callTool('list_refunds', {}),
      'Paymongo-Signature': async ({ payload, signature, secret }) => {
        const delivery = { payload, signature_header: signature, webhook_signing_secret: secret };
        const result = await callTool('verify_webhook_signature', { ...delivery, tolerance_seconds: 300 });
        return z.looseObject({ valid: z.boolean() }).parse(result).valid;
      },
    },
    ownBugs: {
      'PUT /webhooks/{id}': {
        why: 'sends a POST in place of the PUT',
        error: /^PayMongo HTTP 404: /,
        status: 404,
      },
    },
    readRefusal: (error) => {
      const { message } = z.instanceof(Error).parse(error);
      const [, status, code = '', detail = '', pointer = null] =
        /^PayMongo HTTP (\d{3}): (\w+): (.+?)(?: \((\w+)\))?$/.exec(message) ?? [];
      return { faults: [{ code, detail, pointer }], status: Number(status) };
    },
    close,
  };
}
const Toggled = z.looseObject({ toggled: z.unknown() });

/** The clients, loaded as they are published. Install the hook that changes their base address first. */
export const loadClients = async (secretKey: string, origin: string): Promise<ThirdPartyClient[]> => [
  paymongoJs(secretKey),
  paymongo(secretKey),
  paymongoNode(secretKey),
  await paymongoMcp(secretKey, origin),
];
