import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where browsers have their push services: Chrome and its relatives, Firefox, Safari, Edge. `*.` stands for any name below. */
const knownHosts = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

const isHost = (name: string, pattern: string) =>
  pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;

/**
 * Whether an endpoint, which a client chose, is one of a push service: https at port 443, at a host that is known or in
 * `PUSH_HOSTS`.
 */
export function isPushEndpoint(endpoint: string, moreHosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, port, hostname, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return false;
  return [...knownHosts, ...moreHosts].some((pattern) => isHost(hostname, pattern));
}

/** A name of a push service leads into a network that is not public. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** Whether anybody in the internet can have the address: none of a private network, this machine, or a tunnel to one. */
function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

const resolveAll: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * The look-up of a connection to a push service. The connection goes to the addresses that were checked here: nothing is
 * resolved a second time. Fails with PrivateAddressError when one of them is not public.
 */
export const lookupPublic =
  (resolve: Resolve = resolveAll): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isPublic(address)))
          callback(new PrivateAddressError(`${hostname} has no public address`), '', 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
