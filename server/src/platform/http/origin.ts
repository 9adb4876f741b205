import type { FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a browser page of this origin may act here: ours, or one that the configuration names. */
export function isKnownOrigin(
  origin: string,
  host: string | undefined,
  allowed: ReadonlySet<string>,
): boolean {
  if (allowed.has(origin)) return true;
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host;
}

/**
 * Refuses unsafe requests that a foreign page makes with our cookie (CSRF). A client that sends neither `Origin`
 * nor `Sec-Fetch-Site` is no browser and carries its own secret.
 */
export function checkOrigin(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  if (safe.has(request.method)) return;
  const { origin, host } = request.headers;
  if (origin !== undefined) {
    if (isKnownOrigin(origin, host, allowed)) return;
    throw new Problem('general_unknown_origin');
  }
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Problem('general_unknown_origin');
}
