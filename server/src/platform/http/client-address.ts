import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The first `bits` bits of an address, as `prefix/bits`; an IPv4 address inside IPv6 (`::ffff:1.2.3.4`) counts as IPv4. */
function network(ip: string, bits: { v4: number; v6: number }): string {
  const plain = ip.replace(/%.*$/s, '');
  // A text that is not an address (a test's name, a closed socket) is its own key.
  if (isIP(plain) === 0) return ip.slice(0, 64);
  const address = ipaddr.process(plain);
  const length = address.kind() === 'ipv4' ? bits.v4 : bits.v6;
  const bytes = address.toByteArray().map((byte, index) => {
    const taken = Math.min(8, Math.max(0, length - index * 8));
    return byte & (0xff << (8 - taken));
  });
  return `${ipaddr.fromByteArray(bytes)}/${length}`;
}

/** Key of limits that count by client: one IPv4 address, or the /64 of an IPv6 address, which one client owns whole. */
export const addressKey = (ip: string): string => network(ip, { v4: 32, v6: 64 });

/** Key of the wider limit beside it: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export const wideAddressKey = (ip: string): string => network(ip, { v4: 24, v6: 48 });
