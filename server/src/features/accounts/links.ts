import type { Config } from '../../config.ts';
import { Problem } from '../../platform/problem.ts';

type Ours = Pick<Config, 'publicUrl' | 'allowedOrigins' | 'production'>;

/**
 * A host that only this machine or its own network can answer for. A `Host` header is the caller's word: a public
 * name in it could lead the mail's reader, and their secret, to a stranger.
 */
function isNearby({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    /^127\.|^10\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\./.test(hostname) ||
    hostname === '[::1]' ||
    !hostname.includes('.')
  );
}

/**
 * Reads the address a mail shall lead to. It must be on one of our hosts, so that nobody can have Tara mail a link to
 * a site of theirs: PUBLIC_URL's, an allowed origin's, or the request's own while we are not in production.
 * @throws Problem `general_argument_invalid` for `url`
 */
export function checkLink(url: string, ours: Ours, requestHost: string | undefined): string {
  const link = new URL(url);
  const hosts = [ours.publicUrl, ...ours.allowedOrigins].map((address) => new URL(address).host);
  const isWeb = link.protocol === 'https:' || link.protocol === 'http:';
  const isOurs =
    hosts.includes(link.host) || (!ours.production && link.host === requestHost && isNearby(link));
  if (isWeb && isOurs && link.username === '' && link.password === '') return link.href;
  throw new Problem('general_argument_invalid', { fields: { url: 'Must lead to a page of this site' } });
}

/** The link of a mail: the address with its own query, then what confirms it. */
export function linkWith(url: string, token: { userId: string; secret: string; expire: string }): string {
  const link = new URL(url);
  for (const [name, value] of Object.entries(token)) link.searchParams.set(name, value);
  return link.href;
}
