import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Log, ProviderContext } from './context.ts';
import { asFields } from './fields.ts';
import type { Kind, Stored } from './kinds.ts';
import { attributeProblem, notFound, ProviderProblem } from './problem.ts';
import type { ListQuery } from './store.ts';

type Call = {
  id: string;
  body: unknown;
  query: Record<string, string | undefined>;
  /** Every value of a query parameter that may be repeated. */
  values(name: string): string[];
};
export type ListCall = Omit<Call, 'body'> & { page: ListQuery };
type ListResult<T> = { items: T[]; hasMore: boolean };

/** Registers the calls of a resource. Each call runs in one transaction, and its reply is wrapped in the envelope. */
export type Api = {
  get(path: string, handler: (call: Call) => unknown): void;
  post(path: string, handler: (call: Call) => unknown): void;
  put(path: string, handler: (call: Call) => unknown): void;
  patch(path: string, handler: (call: Call) => unknown): void;
  list<T>(path: string, handler: (call: ListCall) => ListResult<T>, present: (item: T) => unknown): void;
  /** Answers 204. */
  remove(path: string, handler: (call: Call) => void): void;
  /** Returns the resource, or throws the provider's 404. */
  find<K extends Kind>(kind: K, id: string): Stored<K>;
};

/** Runs `work` once per idempotency key of a call, if it has one, and returns the reply. */
export type RunOnce = (request: FastifyRequest, work: () => unknown) => { reply: unknown; replayed: boolean };

const Params = z.object({ id: z.string().default('') });
// The first value of a repeated parameter counts; other types that the host's parser may produce are ignored.
const Query = z.record(
  z.string(),
  z
    .union([z.string(), z.array(z.string()).transform((values) => values[0])])
    .optional()
    .catch(undefined),
);

const Values = z.union([z.string().transform((value) => [value]), z.array(z.string())]).catch(() => []);

/** Binds calls to a (sub)server whose prefix is `/v1` or `/v2`; `createdStatus` is what its POST calls answer. */
export function createApi(
  app: FastifyInstance,
  context: ProviderContext,
  runSoon: () => void,
  runOnce: RunOnce,
  createdStatus: 200 | 201,
): Api {
  const { store } = context;

  const read = (request: FastifyRequest): Call => ({
    id: Params.parse(request.params).id,
    body: request.body,
    query: Query.parse(request.query),
    values: (name) => Values.parse(asFields(request.query)[name]),
  });

  /** Runs a call in a transaction. A refusal is committed too, because it may have stored a failed payment. */
  function run(reply: FastifyReply, work: () => { reply: unknown; replayed: boolean }): unknown {
    const result = store.transact(() => {
      try {
        return work();
      } catch (error) {
        if (error instanceof ProviderProblem) return error;
        throw error;
      }
    });
    runSoon();
    if (result instanceof ProviderProblem) throw result;
    if (result.replayed) reply.header('idempotency-replayed', 'true');
    return result.reply;
  }

  const bind =
    (method: 'GET' | 'POST' | 'PUT' | 'PATCH') => (path: string, handler: (call: Call) => unknown) => {
      app.route({
        method,
        url: path,
        handler: async (request, reply) => {
          const work = () => ({ data: handler(read(request)) });
          const answer = run(reply, () =>
            method === 'GET' ? { reply: work(), replayed: false } : runOnce(request, work),
          );
          if (method === 'POST') reply.code(createdStatus);
          return answer;
        },
      });
    };

  return {
    get: bind('GET'),
    post: bind('POST'),
    put: bind('PUT'),
    patch: bind('PATCH'),
    list(path, handler, present) {
      app.get(path, async (request) => {
        const call = read(request);
        const { items, hasMore } = handler({ ...call, page: parsePage(call.query) });
        return { has_more: hasMore, data: items.map(present) };
      });
    },
    remove(path, handler) {
      app.delete(path, async (request, reply) => {
        run(reply, () => ({ reply: handler(read(request)), replayed: false }));
        return reply.code(204).send();
      });
    },
    find(kind, id) {
      const record = store.get(kind, id);
      if (!record) throw notFound(id);
      return record;
    },
  };
}

function parsePage(query: Record<string, string | undefined>): ListQuery {
  const limit = Number(query.limit ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw attributeProblem('limit', 'parameter_invalid', 'limit should be an integer from 1 to 100.');
  }
  return { limit, before: query.before, after: query.after };
}

/** What a public key may call: what the page of a payer needs. Reading and paying an intent also takes its client key. */
const PUBLIC_CALLS = [
  /^POST \/v1\/payment_methods$/,
  /^GET \/v1\/payment_methods\/[^/]+$/,
  /^POST \/v1\/sources$/,
  /^GET \/v1\/sources\/[^/]+$/,
];
const CLIENT_KEY_CALLS = [
  /^GET \/v1\/payment_intents\/[^/]+$/,
  /^POST \/v1\/payment_intents\/[^/]+\/attach$/,
];

const hash = (text: string) => createHash('sha256').update(text).digest();

/** The public key that belongs to a secret one, which it does not give away. */
export const publicKey = (secretKey: string): string =>
  `${secretKey.startsWith('sk_live_') ? 'pk_live_' : 'pk_test_'}${hash(secretKey).toString('hex').slice(0, 24)}`;

function readKey(request: FastifyRequest): string | undefined {
  const [scheme, code] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic') return undefined;
  return Buffer.from(code ?? '', 'base64')
    .toString('utf8')
    .split(':')[0];
}

const isKey = (key: string, expected: string) => timingSafeEqual(hash(key), hash(expected));

/** Checks Basic auth with the secret or the public key as the user name. */
export function authorize(request: FastifyRequest, secretKey: string): void {
  const key = readKey(request);
  if (!key) {
    throw new ProviderProblem(401, {
      code: 'api_key_required',
      detail: 'You did not provide an API key. Send it as the user name of Basic auth.',
    });
  }
  if (isKey(key, secretKey) || isKey(key, publicKey(secretKey))) return;
  throw new ProviderProblem(401, { code: 'api_key_invalid', detail: 'The API key is not valid.' });
}

/** Limits the public key to the calls of payers. `path` is the call's without the prefix; needs the parsed body. */
export function limitPublicKey(request: FastifyRequest, secretKey: string, path: string): void {
  if (isKey(readKey(request) ?? '', secretKey) || isPayerCall(request, path)) return;
  throw new ProviderProblem(401, {
    code: 'secret_key_required',
    detail: 'This call needs a secret key, or the client key of its intent.',
  });
}

/** Whether a call is one that payers make. */
function isPayerCall({ method, query, body }: FastifyRequest, path: string): boolean {
  const call = `${method} ${path}`;
  if (PUBLIC_CALLS.some((allowed) => allowed.test(call))) return true;
  if (!CLIENT_KEY_CALLS.some((allowed) => allowed.test(call))) return false;
  const attributes = asFields(asFields(asFields(body).data).attributes);
  return Boolean(method === 'GET' ? asFields(query).client_key : attributes.client_key);
}

/** Replies to an error in the provider's format. */
export function replyWithError(error: unknown, reply: FastifyReply, log: Log) {
  if (error instanceof ProviderProblem) return reply.code(error.status).send({ errors: error.errors });
  const refusal = z
    .object({ statusCode: z.number().min(400).max(599), message: z.string() })
    .safeParse(error);
  if (refusal.success) {
    const { statusCode, message } = refusal.data;
    return reply.code(statusCode).send({ errors: [{ code: 'parameter_format_invalid', detail: message }] });
  }
  log.warn(`unexpected: ${error instanceof Error ? error.stack : String(error)}`);
  return reply.code(500).send({ errors: [{ code: 'internal_server_error', detail: 'Unexpected error.' }] });
}
