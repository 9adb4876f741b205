import { classifyOrigin } from '../../platform/http/origin.ts';
import { Problem } from '../../platform/problem.ts';

/**
 * Reads the address that a mail or a sign-in shall lead to. It must be a page of PUBLIC_URL or ALLOWED_ORIGINS (in development also
 * of this machine, at `localPort`), so that nobody can have Tara lead members or secrets to a site of theirs.
 * @throws Problem `general_argument_invalid` for `field`
 */
export function checkLink(
  url: string,
  config: Parameters<typeof classifyOrigin>[1],
  localPort: number | undefined,
  field = 'url',
): string {
  const link = new URL(url);
  // An address such as blob:https://… has an origin, too.
  const isWeb = link.protocol === 'https:' || link.protocol === 'http:';
  const isOurs = isWeb && classifyOrigin(link.origin, config, localPort) !== null;
  if (isOurs && link.username === '' && link.password === '') return link.href;
  throw new Problem('general_argument_invalid', { fields: { [field]: 'Must lead to a page of this site' } });
}

/** The link of a mail: the address with its own query, then what confirms it. */
export function linkWith(url: string, token: { userId: string; secret: string; expire: string }): string {
  const link = new URL(url);
  for (const [name, value] of Object.entries(token)) link.searchParams.set(name, value);
  return link.href;
}
