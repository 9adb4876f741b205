import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { storedSecret } from './private-folder.ts';

/** Who may open the pages that show mails, payments and faults. */
export type Access = {
  /** Add it as the first `onRequest` hook of the scope whose routes it protects. */
  guard: onRequestHookHandler;
  /** The path below which a plugin is registered, with the token that opens it; relative to the server's address. */
  entry(prefix: string): string;
};

export type AccessOptions = {
  /** The token is kept in `<folder>/token`. */
  folder: string;
  /** Ask for the token on this machine too. Necessary whenever others can reach the server by any way. */
  always: boolean;
};

const COOKIE = 'sandbox_token';

/** Set by proxies; a request with one of them came from elsewhere, whatever its `Host` says. */
const PROXY_HEADERS =
  /^(x-forwarded.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*|true-client-ip|cf-.*)$/;

/**
 * Opens pages to requests of this machine, and to those with the token: `?token=` once, then the cookie it sets. All
 * others get the host's answer of an unknown route. It decides within the scope of the matched route, so the spelling
 * of an address does not matter.
 */
export function openAccess({ folder, always }: AccessOptions): Access {
  const token = storedSecret(folder, 'token');
  const isToken = (text: string) => timingSafeEqual(sha256(text), sha256(token));

  return {
    guard(request, reply, done) {
      const url = URL.parse(request.url, 'http://localhost');
      const tokens = url?.searchParams.getAll('token') ?? [];
      const reading = request.method === 'GET' || request.method === 'HEAD';
      if (
        !reading ||
        !url?.pathname.startsWith(this.prefix) ||
        tokens.length !== 1 ||
        !tokens.every(isToken)
      ) {
        const open = (!always && isLocal(request)) || cookiesOf(request).some(isToken);
        return open ? done() : reply.callNotFound();
      }
      url.searchParams.delete('token');
      const secure = request.protocol === 'https' ? '; Secure' : '';
      return reply
        .headers({
          'set-cookie': `${COOKIE}=${token}; Path=${this.prefix}; HttpOnly; SameSite=Strict${secure}`,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
        })
        .redirect(url.pathname + url.search, 303);
    },
    entry: (prefix) => `${prefix}/?token=${token}`,
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Every value of our cookie: one with a wider path may stand beside it. */
function cookiesOf({ headers }: FastifyRequest): string[] {
  return (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name, value] = pair.split('=');
    return name?.trim() === COOKIE && value !== undefined ? [value.trim()] : [];
  });
}

/**
 * Whether a browser or client of this machine sent the request to this machine by name. Another name means a proxy, or
 * a foreign page whose name was pointed here (DNS rebinding). What is not plain counts as foreign: two `Host` headers,
 * none, or an absolute address as the target, which by HTTP takes the place of `Host`.
 */
function isLocal({ raw }: FastifyRequest): boolean {
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (names.some((name) => PROXY_HEADERS.test(name))) return false;
  if (names.filter((name) => name === 'host').length !== 1 || !raw.url?.startsWith('/')) return false;
  const host = /^(?:\[(?<address>[^\]]*)\]|(?<name>[^:[\]]+))(?::\d{1,5})?$/.exec(
    raw.headers.host ?? '',
  )?.groups;
  return host?.address === '::1' || isLoopbackName(host?.name ?? '');
}

const LOOPBACK = /^(localhost|127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|::1)$/i;

/**
 * Whether a name or address, without port and brackets, is this machine's own: `localhost`, 127.0.0.0/8 in its usual
 * spelling, or `::1`. Names below `localhost`, a dot at the end, decimal or mapped addresses count as foreign.
 */
export const isLoopbackName = (name: string): boolean => LOOPBACK.test(name);
