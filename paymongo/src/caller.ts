import { z } from 'zod';
import { one, type Page } from './envelope.ts';
import { PaymongoError, PaymongoUnreachable, ProviderFault, requireParameters } from './errors.ts';

export type PaymongoOptions = {
  /** `sk_test_…` or `sk_live_…`, sent as the user name of Basic auth. A public key (`pk_…`) can do what a payer may. */
  secretKey: string;
  /** Base URL of `/v1` and `/v2`. Default: the provider. */
  baseUrl?: string;
  fetch?: typeof fetch;
  /** Time limit of a call including its reply, in ms. Default 15 000. */
  timeoutMs?: number;
  /** A clock in ms, by which a pause after a 429 ends. Default one that only goes forward. */
  now?: () => number;
};

type Method = 'GET' | 'POST' | 'PUT';
type Query = Record<string, string | number | undefined>;
type Extra = { query?: Query; body?: unknown; idempotencyKey?: string };

/**
 * Sends one call and returns the `data` of its validated reply. Never repeats a call. After a 429 no call is sent until its
 * `Retry-After` is over: each is refused as the provider would refuse it.
 */
export type Caller = {
  get<T>(path: string, item: z.ZodType<T>, query?: Query): Promise<T>;
  /** One page of a list, by the schema of its whole reply. */
  list<T>(path: string, page: z.ZodType<Page<T>>, query?: Query): Promise<Page<T>>;
  /** `attributes` are wrapped in the provider's envelope; omit them for calls without a body. */
  post<T>(path: string, item: z.ZodType<T>, attributes?: object, idempotencyKey?: string): Promise<T>;
  put<T>(path: string, item: z.ZodType<T>, attributes: object): Promise<T>;
  /** Sends a flat body, as /v2 and payment links expect. */
  postFlat<T>(path: string, item: z.ZodType<T>, body: object, idempotencyKey?: string): Promise<T>;
};

const ErrorBody = z.looseObject({ errors: z.array(ProviderFault) });

export function createCaller(options: PaymongoOptions): Caller {
  requireParameters({ secretKey: options.secretKey });
  const base = (options.baseUrl ?? 'https://api.paymongo.com').replace(/\/+$/, '');
  const send = options.fetch ?? fetch;
  const timeoutMs = options.timeoutMs ?? 15_000;
  const now = options.now ?? (() => performance.now());
  const authorization = `Basic ${Buffer.from(`${options.secretKey}:`).toString('base64')}`;
  let quietUntil = 0;

  async function call<T>(method: Method, path: string, reply: z.ZodType<T>, extra: Extra): Promise<T> {
    const name = `${method} ${path}`;
    if (now() < quietUntil) throw new PaymongoError(429, [], null, quietUntil - now());
    const headers: Record<string, string> = { accept: 'application/json', authorization };
    if (extra.body !== undefined) headers['content-type'] = 'application/json';
    if (extra.idempotencyKey !== undefined) headers['idempotency-key'] = extra.idempotencyKey;

    let status: number;
    let text: string;
    let retryAfter: string | null;
    try {
      const response = await send(`${base}${path}${search(extra.query)}`, {
        method,
        headers,
        body: extra.body === undefined ? undefined : JSON.stringify(extra.body),
        signal: AbortSignal.timeout(timeoutMs),
        // A redirected POST would be repeated as a GET, or sent to another host.
        redirect: method === 'GET' ? 'follow' : 'error',
      });
      status = response.status;
      text = await response.text();
      retryAfter = response.headers.get('retry-after');
    } catch (error) {
      const timedOut = error instanceof Error && error.name === 'TimeoutError';
      throw new PaymongoUnreachable(timedOut ? 'timeout' : 'network', name, error);
    }

    const body = parseJson(text);
    if (status < 200 || status > 299) {
      const refusal = ErrorBody.safeParse(body);
      const errors = refusal.success ? refusal.data.errors : [];
      const retryAfterMs = status === 429 ? pauseMs(retryAfter) : null;
      if (retryAfterMs !== null) quietUntil = Math.max(quietUntil, now() + retryAfterMs);
      throw new PaymongoError(status, errors, body ?? text, retryAfterMs);
    }
    const parsed = reply.safeParse(body);
    if (!parsed.success) throw new PaymongoUnreachable('unreadable', name, parsed.error);
    return parsed.data;
  }

  const data = async <T>(method: Method, path: string, item: z.ZodType<T>, extra: Extra): Promise<T> =>
    (await call(method, path, one(item), extra)).data;

  return {
    get: (path, item, query) => data('GET', path, item, { query }),
    list: (path, page, query) => call('GET', path, page, { query }),
    post: (path, item, attributes, idempotencyKey) =>
      data('POST', path, item, { body: attributes && { data: { attributes } }, idempotencyKey }),
    put: (path, item, attributes) => data('PUT', path, item, { body: { data: { attributes } } }),
    postFlat: (path, item, body, idempotencyKey) => data('POST', path, item, { body, idempotencyKey }),
  };
}

/** The provider lifts its limit of calls within a minute. */
const LIMIT_PAUSE_MS = 60_000;
/** The longest pause that is believed: while it lasts nobody can pay. */
const LONGEST_PAUSE_MS = 600_000;

function pauseMs(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds * 1000, LONGEST_PAUSE_MS) : LIMIT_PAUSE_MS;
}

function search(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: the caller distinguishes a refusal from an unreadable success
  }
}
