import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { MemoryCache } from '../memory-cache.ts';

/** One key for every text that is no address: a proxy that writes such texts must not give each its own limits. */
const noAddress = 'no address';

/** The address in what a proxy writes: without its port (`1.2.3.4:80`, `[2001:db8::1]:80`), brackets and zone. */
function plainAddress(text: string): string | null {
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, beforePort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const plain = (bracketed ?? beforePort ?? text).replace(/%.*$/s, '');
  return isIP(plain) === 0 ? null : plain;
}

/** The first `bits` bits of an address, as `prefix/bits`; an IPv4 address inside IPv6 (`::ffff:1.2.3.4`) counts as IPv4. */
function network(ip: string, bits: { v4: number; v6: number }): string {
  const plain = plainAddress(ip.trim().slice(0, 100));
  if (plain === null) return noAddress;
  const address = ipaddr.process(plain);
  const length = address.kind() === 'ipv4' ? bits.v4 : bits.v6;
  const bytes = address.toByteArray().map((byte, index) => {
    const taken = Math.min(8, Math.max(0, length - index * 8));
    return byte & (0xff << (8 - taken));
  });
  return `${ipaddr.fromByteArray(bytes)}/${length}`;
}

/** Makes a key of addresses; each request needs the same ones again. */
function keys(bits: { v4: number; v6: number }): (ip: string) => string {
  const known = new MemoryCache<string, string>({ max: 10_000 });
  return (ip) => {
    const before = known.get(ip);
    if (before !== undefined) return before;
    const key = network(ip, bits);
    if (ip.length <= 64) known.set(ip, key);
    return key;
  };
}

/** Key of limits that count by client: one IPv4 address, or the /64 of an IPv6 address, which one client owns whole. */
export const addressKey = keys({ v4: 32, v6: 64 });

/** Key of the wider limit beside it: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export const wideAddressKey = keys({ v4: 24, v6: 48 });
