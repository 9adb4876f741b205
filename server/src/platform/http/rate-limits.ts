import type { FastifyRequest } from 'fastify';
import { type RateLimiterAbstract, RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../problem.ts';
import { addressKey, wideAddressKey } from './client-address.ts';

/** How many points a key may use within a window that begins with the first of them. */
export interface RateLimitOptions {
  points: number;
  seconds: number;
}

/** What counts the points of keys, as the library has it in memory and on Redis. */
export type Counter = Pick<
  RateLimiterAbstract,
  'consume' | 'penalty' | 'reward' | 'block' | 'get' | 'delete'
>;

/** Opens the counter of a limit by its name, which is the same on all nodes and no other limit has. */
export type OpenCounter = (name: string, options: RateLimitOptions) => Counter;

/** Counts in memory: each node for itself, and a restart forgets. */
export const countInMemory: OpenCounter = (_name, { points, seconds }) =>
  new RateLimiterMemory({ points, duration: seconds });

/** Where a limit is counted, and under which name; in memory unless given. */
export interface Counting {
  open: OpenCounter;
  name: string;
}

const inMemory: Counting = { open: countInMemory, name: '' };

/** Counts points by key. */
export interface RateLimit {
  /** Counts points (one unless given). @throws Problem `general_rate_limit_exceeded` with the seconds to wait. */
  consume(key: string, points?: number): Promise<void>;
  /** Counts one point; false, and no error, where `consume` would refuse. */
  allows(key: string): Promise<boolean>;
  /** Refuses as `consume` would refuse one more point, and counts nothing. @throws Problem */
  check(key: string): Promise<void>;
  /** Counts points of work that is done already, beyond the limit too. Refuses nothing. */
  charge(key: string, points: number): Promise<void>;
  /** Takes back one point, as after a success where only failures count. */
  refund(key: string): Promise<void>;
  /** Forgets the points of a key, as after a success. */
  clear(key: string): Promise<void>;
}

/** How many times the limit of one address all addresses of its network may use together. */
const networkFactor = 8;

/** The refusal of a limit that is open again after so many milliseconds. */
export const exceeded = (msBeforeNext: number) =>
  new Problem('general_rate_limit_exceeded', { retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });

/** What `rate-limiter-flexible` rejects with when the points are used up; it is not an Error. */
export const isRefusal = (reason: unknown): reason is RateLimiterRes =>
  typeof reason === 'object' && reason !== null && 'msBeforeNext' in reason;

const unlimited: RateLimit = {
  consume: async () => {},
  allows: async () => true,
  check: async () => {},
  charge: async () => {},
  refund: async () => {},
  clear: async () => {},
};

function fromParts(parts: Omit<RateLimit, 'allows'>): RateLimit {
  return {
    ...parts,
    async allows(key) {
      try {
        await parts.consume(key);
        return true;
      } catch (error) {
        if (error instanceof Problem) return false;
        throw error;
      }
    },
  };
}

/** A limit by key, such as an account or an email address; no limit at all when `enabled` is false. */
export function limitByKey(
  enabled: boolean,
  { points, seconds }: RateLimitOptions,
  { open, name }: Counting = inMemory,
): RateLimit {
  if (!enabled) return unlimited;
  const limiter = open(name, { points, seconds });
  return fromParts({
    async consume(key, used = 1) {
      try {
        await limiter.consume(key, used);
      } catch (reason) {
        throw isRefusal(reason) ? exceeded(reason.msBeforeNext) : reason;
      }
    },
    async check(key) {
      const state = await limiter.get(key);
      if (state !== null && state.msBeforeNext > 0 && state.consumedPoints >= points) {
        throw exceeded(state.msBeforeNext);
      }
    },
    charge: async (key, used) => void (await limiter.penalty(key, used)),
    async refund(key) {
      const state = await limiter.get(key);
      // Its window may be over: a point before the first would be one more than the limit.
      if (state !== null && state.consumedPoints > 0) await limiter.reward(key);
    },
    clear: async (key) => void (await limiter.delete(key)),
  });
}

/**
 * A limit by client address: keys are `request.ip`. One IPv4 address, or the /64 of an IPv6 address, may use `points`;
 * its network (/24, /48) eight times as many, so that the owner of a whole network gains little by changing addresses.
 */
export function limitByAddress(
  enabled: boolean,
  { points, seconds }: RateLimitOptions,
  { open, name }: Counting = inMemory,
): RateLimit {
  const addressLimit = limitByKey(enabled, { points, seconds }, { open, name: `${name} address` });
  const networkOptions = { points: points * networkFactor, seconds };
  const networkLimit = limitByKey(enabled, networkOptions, { open, name: `${name} network` });
  return fromParts({
    async consume(ip, used) {
      // Only looked at first: an address that has used up its own points takes none of its neighbours'.
      await networkLimit.check(wideAddressKey(ip));
      await addressLimit.consume(addressKey(ip), used);
      await networkLimit.consume(wideAddressKey(ip), used);
    },
    async check(ip) {
      await networkLimit.check(wideAddressKey(ip));
      await addressLimit.check(addressKey(ip));
    },
    async charge(ip, used) {
      await addressLimit.charge(addressKey(ip), used);
      await networkLimit.charge(wideAddressKey(ip), used);
    },
    async refund(ip) {
      await addressLimit.refund(addressKey(ip));
      await networkLimit.refund(wideAddressKey(ip));
    },
    // The network's points stay: a success of one address says nothing of the others.
    clear: (ip) => addressLimit.clear(addressKey(ip)),
  });
}

/** Requests a minute by one account, over all routes. */
export const requestsPerMinute = 1200;
/**
 * How many times the requests of an account the guests of one address may make together: hundreds may be behind a
 * carrier's, and who wants more than one account's share can make more accounts.
 */
const guestFactor = 5;

/** The stand-ins beside the product: what it says to them, and they to it, comes from one address. */
const isStandIn = (request: FastifyRequest) =>
  /^\/(sandbox|mailbox)(\/|$)/.test(request.routeOptions.url ?? '');

/**
 * A hook that counts each request, over all routes and for those that have a limit of their own (`perMinute`), by
 * account or, for guests, five times as many by address. It needs `request.viewer`.
 * @throws Problem `general_rate_limit_exceeded`
 */
export function limitRequests(
  perMinute = requestsPerMinute,
  open: OpenCounter = countInMemory,
): (request: FastifyRequest) => Promise<void> {
  const openPair = (name: string, points: number) => ({
    accountLimit: limitByKey(true, { points, seconds: 60 }, { open, name: `${name} account` }),
    addressLimit: limitByAddress(true, { points: guestFactor * points, seconds: 60 }, { open, name }),
  });
  const count = (
    { viewer, ip }: FastifyRequest,
    { accountLimit, addressLimit }: ReturnType<typeof openPair>,
  ) => (viewer === null ? addressLimit.consume(ip) : accountLimit.consume(viewer.accountId));
  const overall = openPair('requests', perMinute);
  const byRoute = new Map<string, ReturnType<typeof openPair>>();
  return async (request) => {
    if (isStandIn(request)) return;
    await count(request, overall);
    const { url, method, config } = request.routeOptions;
    if (config.perMinute === undefined) return;
    const route = `${method} ${url}`;
    const own = byRoute.get(route) ?? openPair(`requests ${route}`, config.perMinute);
    byRoute.set(route, own);
    await count(request, own);
  };
}
