import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { Problem } from '../problem.ts';

/** Methods that change nothing: a foreign page may make them, and cannot read the reply. */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

type OriginConfig = Pick<Config, 'publicUrl' | 'allowedOrigins' | 'production'>;

/**
 * Whose pages an origin names: `own` for ours, `allowed` for one that ALLOWED_ORIGINS names, null for any other.
 * Origins are compared whole: scheme, host and port. Ours is PUBLIC_URL's; in development also this machine's own
 * names on `localPort`, the port the request arrived at. The `Host` header decides nothing: it is the caller's word.
 */
export function classifyOrigin(
  origin: string,
  { publicUrl, allowedOrigins, production }: OriginConfig,
  localPort: number | undefined,
): 'own' | 'allowed' | null {
  if (origin === new URL(publicUrl).origin) return 'own';
  if (allowedOrigins.includes(origin)) return 'allowed';
  if (production || localPort === undefined) return null;
  return loopbackNames.some((name) => origin === new URL(`http://${name}:${localPort}`).origin)
    ? 'own'
    : null;
}

/** `classifyOrigin` of the request's `Origin` header; null also when it has none. */
export function requestOrigin(request: FastifyRequest, config: OriginConfig): 'own' | 'allowed' | null {
  const { origin } = request.headers;
  return origin === undefined ? null : classifyOrigin(origin, config, request.socket.localPort);
}

/**
 * Refuses what a foreign page sends with our cookie: for unsafe methods (CSRF) and for websockets. A client that sends neither `Origin` nor `Sec-Fetch-Site` is no browser and carries its own secret.
 * @throws Problem `general_unknown_origin`
 */
export function checkOrigin(request: FastifyRequest, config: OriginConfig): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const refused =
    origin === undefined
      ? site !== undefined && site !== 'same-origin' && site !== 'none'
      : requestOrigin(request, config) === null;
  if (refused) throw new Problem('general_unknown_origin');
}
