import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Kept, Kind } from './kinds.ts';
import { attributeFault, notFound, ProviderProblem } from './problem.ts';
import type { ListQuery } from './store.ts';
import type { Log, World } from './world.ts';

type Call = { id: string; body: unknown; query: Record<string, string | undefined> };
type ListCall = Omit<Call, 'body'> & { page: ListQuery };
type Listed = { items: unknown[]; hasMore: boolean };

/** How resources state their calls. Each runs in one transaction, its answer wrapped in the envelope. */
export type Api = {
  get(path: string, answer: (call: Call) => unknown): void;
  post(path: string, answer: (call: Call) => unknown): void;
  put(path: string, answer: (call: Call) => unknown): void;
  list(path: string, answer: (call: ListCall) => Listed): void;
  /** The resource, or the provider's 404. */
  find<K extends Kind>(kind: K, id: string): Kept<K>;
};

/** Runs `work` once for the call's idempotency key, if it has one; gives back what to answer. */
export type Once = (request: FastifyRequest, work: () => unknown) => { reply: unknown; replayed: boolean };

const Params = z.object({ id: z.string().default('') });
// A name given twice reads as its first value; the host's parser may make other things of odd ones: not given.
const Query = z.record(
  z.string(),
  z
    .union([z.string(), z.array(z.string()).transform((all) => all[0])])
    .optional()
    .catch(undefined),
);

/** Binds calls to a (sub)server whose prefix is `/v1` or `/v2`. */
export function createApi(app: FastifyInstance, world: World, wake: () => void, once?: Once): Api {
  const { store } = world;

  const read = (request: FastifyRequest): Call => ({
    id: Params.parse(request.params).id,
    body: request.body,
    query: Query.parse(request.query),
  });

  /** Runs a call whole or not at all. A refusal may have left a trace (a failed payment): that is kept. */
  function run(reply: FastifyReply, work: () => { reply: unknown; replayed: boolean }): unknown {
    const result = store.transact(() => {
      try {
        return work();
      } catch (error) {
        if (error instanceof ProviderProblem) return error;
        throw error;
      }
    });
    wake();
    if (result instanceof ProviderProblem) throw result;
    if (result.replayed) reply.header('idempotency-replayed', 'true');
    return result.reply;
  }

  const bind = (method: 'GET' | 'POST' | 'PUT') => (path: string, answer: (call: Call) => unknown) => {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const work = () => ({ data: answer(read(request)) });
        return run(reply, () =>
          once && method !== 'GET' ? once(request, work) : { reply: work(), replayed: false },
        );
      },
    });
  };

  return {
    get: bind('GET'),
    post: bind('POST'),
    put: bind('PUT'),
    list(path, answer) {
      app.get(path, async (request) => {
        const { id, query } = read(request);
        const { items, hasMore } = answer({ id, query, page: pageOf(query) });
        return { has_more: hasMore, data: items };
      });
    },
    find(kind, id) {
      const record = store.get(kind, id);
      if (!record) throw notFound(id);
      return record;
    },
  };
}

function pageOf(query: Record<string, string | undefined>): ListQuery {
  const limit = Number(query.limit ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw new ProviderProblem(
      400,
      attributeFault('limit', 'parameter_invalid', 'limit should be an integer from 1 to 100.'),
    );
  }
  return { limit, before: query.before, after: query.after };
}

/** Basic auth with the secret key as user name. */
export function authorize(request: FastifyRequest, secretKey: string): void {
  const [scheme, code] = (request.headers.authorization ?? '').split(' ');
  const [key] = Buffer.from(code ?? '', 'base64')
    .toString('utf8')
    .split(':');
  if (scheme?.toLowerCase() !== 'basic' || !key) {
    throw new ProviderProblem(401, {
      code: 'secret_key_required',
      detail: 'Send the secret key as the user name of Basic auth.',
    });
  }
  const hash = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(hash(key), hash(secretKey))) {
    throw new ProviderProblem(401, { code: 'authentication_failed', detail: 'The API key is not valid.' });
  }
}

/** Every failure in the provider's shape. */
export function answerProblem(error: unknown, reply: FastifyReply, log: Log) {
  if (error instanceof ProviderProblem) return reply.code(error.status).send({ errors: error.errors });
  const refusal = z
    .object({ statusCode: z.number().min(400).max(599), message: z.string() })
    .safeParse(error);
  if (refusal.success) {
    const { statusCode, message } = refusal.data;
    return reply.code(statusCode).send({ errors: [{ code: 'parameter_format_invalid', detail: message }] });
  }
  log.warn(`unexpected: ${error instanceof Error ? error.stack : String(error)}`);
  return reply.code(500).send({ errors: [{ code: 'internal_server_error', detail: 'Something broke.' }] });
}
