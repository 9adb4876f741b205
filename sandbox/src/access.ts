import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { storedSecret } from './private-folder.ts';

/** Access control for the pages that show mails, payments and faults. */
export type Access = {
  /** Must be the first `onRequest` hook of the scope whose routes it protects. */
  guard: onRequestHookHandler;
  /** The path of a plugin's prefix with the access token, relative to the server's origin. */
  entry(prefix: string): string;
};

export type AccessOptions = {
  /** The token is stored in `<folder>/token`. */
  folder: string;
  /** Require the token for local requests too. Necessary whenever others can reach the server. */
  always: boolean;
};

const COOKIE = 'sandbox_token';

/** Headers that proxies set. A request with one of them is not local, whatever its `Host` is. */
const PROXY_HEADERS =
  /^(x-forwarded.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*|true-client-ip|cf-.*)$/;

/**
 * Allows local requests, and requests with the token: `?token=` once, then the cookie that it sets. Any other request
 * gets the host's 404 reply. The check runs in the scope of the matched route, so no spelling of a path bypasses it.
 */
export function openAccess({ folder, always }: AccessOptions): Access {
  const token = storedSecret(folder, 'token');
  const isToken = (text: string) => timingSafeEqual(sha256(text), sha256(token));

  return {
    guard(request, reply, done) {
      const url = URL.parse(request.url, 'http://localhost');
      const tokens = url?.searchParams.getAll('token') ?? [];
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (
        !isRead ||
        !url?.pathname.startsWith(this.prefix) ||
        tokens.length !== 1 ||
        !tokens.every(isToken)
      ) {
        const allowed = (!always && isLocal(request)) || tokenCookies(request).some(isToken);
        return allowed ? done() : reply.callNotFound();
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

/** All values of our cookie: the browser may send several, set for different paths. */
function tokenCookies({ headers }: FastifyRequest): string[] {
  return (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name, value] = pair.split('=');
    return name?.trim() === COOKIE && value !== undefined ? [value.trim()] : [];
  });
}

/**
 * Whether the request comes from this machine and names it in `Host`. Another name means a proxy, or DNS rebinding by a
 * foreign page. Ambiguous requests are not local: two `Host` headers, none, or an absolute URL as the request target,
 * which takes precedence over `Host`.
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
 * Whether a host name or address, without port and brackets, is loopback: `localhost`, 127.0.0.0/8 in dotted form, or
 * `::1`. Subdomains of `localhost`, a trailing dot, decimal and mapped addresses are refused.
 */
export const isLoopbackName = (name: string): boolean => LOOPBACK.test(name);
