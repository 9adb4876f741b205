import { timingSafeEqual } from 'node:crypto';
import { nowMs, steadyMs } from '@tara/contract/clock';
import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod';
import { openFairQueue } from '../../platform/fair-queue.ts';
import { parseJson } from '../../platform/http/json.ts';
import {
  countInMemory,
  limitByAddress,
  type OpenCounter,
  requestsPerMinute,
} from '../../platform/http/rate-limits.ts';
import {
  type FileCredential,
  type ResolveViewer,
  type Viewer,
  viewerOf,
} from '../../platform/http/viewer.ts';
import { hashSecret } from '../../platform/ids.ts';
import { MemoryCache } from '../../platform/memory-cache.ts';
import { type Nodes, singleNode } from '../../platform/nodes/others.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Sealer } from '../../platform/seal.ts';
import { profiles } from '../profiles/index.ts';
import { viewerVisibility } from '../visibility/index.ts';
import { hasConsented } from './consent.ts';
import { readFileToken } from './file-tokens.ts';
import { isOpenAccount } from './open-account.ts';
import { forgetBegun, hasBegunHere } from './sessions.ts';
import { accounts, secondFactors, sessions } from './tables.ts';

const jwtPurpose = 'jwt';

const Claims = z.object({ userId: z.string(), sessionId: z.string(), exp: z.number() });

const encodeJwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwtHeader = encodeJwtPart({ typ: 'JWT', alg: 'HS256' });

/** A JSON web token (HS256) that stands for a session for so many seconds. It is good for no longer than the session. */
export function makeJwt(
  sealer: Sealer,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  seconds: number,
): string {
  const exp = Math.floor(nowMs() / 1000) + seconds;
  const signed = `${jwtHeader}.${encodeJwtPart({ userId: accountId, sessionId, exp })}`;
  return `${signed}.${sealer.sign(jwtPurpose, signed).toString('base64url')}`;
}

/** Whether a credential has the form of a token; the secret of a session holds no dot. */
const isJwt = (credential: string) => credential.includes('.');

/** The session that a token stands for; null when it is not one of ours, was changed, or is too old. */
function readJwt(sealer: Sealer, jwt: string): string | null {
  const [first, payload = '', signature = '', ...rest] = jwt.split('.');
  // The header is compared whole: no token chooses how it is checked.
  if (first !== jwtHeader || rest.length > 0) return null;
  const expected = sealer.sign(jwtPurpose, `${first}.${payload}`);
  const sent = Buffer.from(signature, 'base64url');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null;
  const claims = Claims.safeParse(parseJson(Buffer.from(payload, 'base64url').toString()));
  return claims.success && claims.data.exp * 1000 > nowMs() ? claims.data.sessionId : null;
}

/** The label that makes an account an admin (§6). */
export const adminLabel = 'admin';
/** Whether an account has it. */
export const isAdminAccount = sql<boolean>`${adminLabel} = any(${accounts.labels})`;

/** ms after which a viewer is read again, in case another process changed the database. */
const freshForMs = 30_000;
/** The same while this node does not hear what other nodes change: an ended session is refused within 10 s. */
const freshUnheardForMs = 8_000;
/** Unknown secrets that one address may have looked up in a minute: as many as it may make requests. */
const lookupsPerMinute = requestsPerMinute;
/**
 * Look-ups at once of secrets never seen before: what one address sends does not fill the database's queue, in which
 * the look-ups of everybody else wait.
 */
const lookupsAtOnce = {
  concurrency: Number.POSITIVE_INFINITY,
  total: 20_000,
  // Whose account it is, is not known yet.
  account: { running: 1, total: 1 },
  // After a restart all members behind a carrier's address are new at once.
  address: { running: 16, total: 5_000 },
  network: { running: 32, total: 10_000 },
};
/** Viewers kept at once; the one read longest ago goes. */
const cacheSize = 20_000;

/** An open session's account and profile. */
function viewerQuery({ database }: Pick<Platform, 'database'>, isSession: SQL, name: string) {
  return database
    .select({
      accountId: accounts.id,
      profileId: profiles.id,
      sessionId: sessions.id,
      passwordShownAt: sessions.passwordShownAt,
      name: profiles.name,
      email: sql<string>`coalesce(${accounts.email}, '')`.as('account_email'),
      emailVerifiedAt: accounts.emailVerifiedAt,
      verified: profiles.verified,
      hasConsented: hasConsented().as('has_consented'),
      hasAdminLabel: isAdminAccount.as('has_admin_label'),
      hasSecondFactor: sql<boolean>`${secondFactors.accountId} is not null`.as('has_second_factor'),
      secondFactorShownAt: sessions.secondFactorShownAt,
      deletesAt: accounts.deletesAt,
      suspendedUntil: accounts.suspendedUntil,
      expiresAt: sessions.expiresAt,
      ...viewerVisibility(profiles.id),
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .leftJoin(secondFactors, eq(secondFactors.accountId, accounts.id))
    .where(and(isSession, gt(sessions.expiresAt, sql`now()`), isOpenAccount))
    .prepare(name);
}

interface ViewerOptions {
  rateLimits: boolean;
  /** Counts unknown secrets; in memory unless given. */
  openCounter?: OpenCounter;
  /** This is the only one unless given. */
  nodes?: Nodes;
}

/**
 * Makes the function that finds a session's viewer, with a cache that the bus empties (`viewerChanged`) before the
 * change's own reply leaves: an ended session is refused from the next request on, on other nodes when they hear of it. What a change
 * allows is allowed there from the next request on: before a viewer is refused, they are read anew. Make it before anything else subscribes to `viewerChanged`. With `rateLimits` the unknown secrets that an address has looked up are counted: each
 * before the database is asked, and not if it is found, nor if its session began on this node. A JSON web token, and the token
 * of a file's address, stand for their session until they expire.
 */
export function createResolveViewer(
  platform: Pick<Platform, 'database' | 'bus' | 'sealer'>,
  { rateLimits, openCounter: open = countInMemory, nodes = singleNode }: ViewerOptions,
): ResolveViewer {
  const lookupOptions = { points: lookupsPerMinute, seconds: 60 };
  const lookups = limitByAddress(rateLimits, lookupOptions, { open, name: 'unknownSecrets' });
  const queue = openFairQueue(lookupsAtOnce);
  const bySecret = viewerQuery(
    platform,
    eq(sessions.secretHash, sql.placeholder('secretHash')),
    'viewer_of_secret',
  );
  const bySession = viewerQuery(platform, eq(sessions.id, sql.placeholder('sessionId')), 'viewer_of_session');
  const viewers = new MemoryCache<string, { viewer: Viewer; readAt: number }>({
    max: cacheSize,
    dispose: ({ viewer }, key) => unlink(key, viewer),
  });
  const keysByAccount = new Map<string, Set<string>>();
  // What was read before a change must not be stored after it.
  let changes = 0;

  const unlink = (key: string, { accountId }: Viewer) => {
    const keys = keysByAccount.get(accountId);
    keys?.delete(key);
    if (keys?.size === 0) keysByAccount.delete(accountId);
  };
  const store = (key: string, viewer: Viewer, expiresAt: Date, readAt: number) => {
    const endsAt = Math.min(expiresAt.getTime(), viewer.deletesAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const ttl = Math.min(freshForMs, endsAt - nowMs());
    // A ttl of 0 would be none.
    if (ttl <= 0) return;
    viewers.set(key, { viewer, readAt }, { ttl });
    keysByAccount.set(viewer.accountId, (keysByAccount.get(viewer.accountId) ?? new Set()).add(key));
  };

  platform.bus.subscribe('viewerChanged', ({ accountId }) => {
    changes++;
    for (const key of [...(keysByAccount.get(accountId) ?? [])]) viewers.delete(key);
  });

  const clear = () => {
    changes++;
    viewers.clear();
  };
  platform.bus.subscribe('viewersChanged', clear);
  platform.bus.subscribe('messagesMissed', clear);

  /** What finds the viewer of a credential: the key in the cache, and the database's row. */
  const planLookup = (credential: string | FileCredential) => {
    if (typeof credential === 'string' && !isJwt(credential)) {
      const secretHash = hashSecret(credential);
      return {
        key: secretHash.toString('base64'),
        hasBegunHere: () => hasBegunHere(secretHash),
        find: async () => {
          const rows = await bySecret.execute({ secretHash });
          if (rows.length === 0) forgetBegun(secretHash);
          return rows;
        },
      };
    }
    const sessionId =
      typeof credential === 'string'
        ? readJwt(platform.sealer, credential)
        : readFileToken(platform.sealer, credential);
    if (sessionId === null) return null;
    return {
      key: `session ${sessionId}`,
      hasBegunHere: () => false,
      find: () => bySession.execute({ sessionId }),
    };
  };

  return async (credential, ip, isRefused = false) => {
    const lookup = planLookup(credential);
    if (lookup === null) return null;
    const { key, find } = lookup;
    const wasFound = viewers.peek(key, { allowStale: true }) !== undefined;
    const cached = viewers.get(key);
    const mayBeOld = isRefused && nodes.areMany;
    if (cached && !mayBeOld && (nodes.hearsAll() || steadyMs() - cached.readAt < freshUnheardForMs))
      return cached.viewer;
    const isNew = !wasFound && ip !== undefined;
    const isCounted = isNew && !lookup.hasBegunHere();
    let changesBefore = changes;
    const read = async () => {
      // In its turn: those under way, which may be found, are few.
      if (isCounted) await lookups.consume(ip);
      changesBefore = changes;
      const [row] = await find();
      if (isCounted && row !== undefined) await lookups.refund(ip);
      return row;
    };
    if (isCounted) await lookups.check(ip);
    const readAt = steadyMs();
    const row = await (isNew && rateLimits ? queue.run({ ip }, read) : read());
    if (row === undefined) return null;
    const { emailVerifiedAt, verified, expiresAt, ...who } = row;
    const viewer = viewerOf({ ...who, emailVerified: emailVerifiedAt !== null, verified: verified === true });
    if (changes === changesBefore) store(key, viewer, expiresAt, readAt);
    return viewer;
  };
}
