import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { ResolveViewer, Viewer } from '../../platform/http/viewer.ts';
import { hashSecret } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { profiles } from '../profiles/index.ts';
import { accounts, sessions } from './tables.ts';

/** The label that makes an account an admin (§6). */
export const adminLabel = 'admin';

/** ms after which a viewer is read again, in case another process changed the database. */
const freshFor = 30_000;
/** Viewers kept at once; the one read longest ago goes. */
const cacheSize = 20_000;

/** An open session's account and profile. */
function viewerQuery({ database }: Pick<Platform, 'database'>) {
  return database
    .select({
      accountId: accounts.id,
      profileId: profiles.id,
      sessionId: sessions.id,
      passwordShownAt: sessions.passwordShownAt,
      name: profiles.name,
      email: accounts.email,
      emailVerifiedAt: accounts.emailVerifiedAt,
      verified: profiles.verified,
      labels: accounts.labels,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .where(
      and(
        eq(sessions.secretHash, sql.placeholder('secretHash')),
        gt(sessions.expiresAt, sql`now()`),
        isNull(accounts.blockedAt),
      ),
    )
    .prepare('viewer_of_session');
}

interface Cached {
  viewer: Viewer;
  /** Epoch ms. */
  until: number;
}

/**
 * Makes the function that finds a session's viewer, with a cache that the bus empties (`viewerChanged`) before the
 * change's own reply leaves: an ended session is refused from the next request on. Make it before anything else
 * subscribes to `viewerChanged`.
 */
export function createResolveViewer(platform: Pick<Platform, 'database' | 'bus'>): ResolveViewer {
  const query = viewerQuery(platform);
  const bySecret = new Map<string, Cached>();
  const secretsOf = new Map<string, Set<string>>();
  // What was read before a change must not be kept after it.
  let changes = 0;

  const forget = (key: string, accountId: string) => {
    bySecret.delete(key);
    const keys = secretsOf.get(accountId);
    keys?.delete(key);
    if (keys?.size === 0) secretsOf.delete(accountId);
  };

  const keep = (key: string, cached: Cached) => {
    const { accountId } = cached.viewer;
    bySecret.set(key, cached);
    const keys = secretsOf.get(accountId) ?? new Set();
    secretsOf.set(accountId, keys.add(key));
    if (bySecret.size <= cacheSize) return;
    const oldest = bySecret.entries().next();
    if (!oldest.done) forget(oldest.value[0], oldest.value[1].viewer.accountId);
  };

  platform.bus.subscribe('viewerChanged', ({ accountId }) => {
    changes++;
    for (const key of [...(secretsOf.get(accountId) ?? [])]) forget(key, accountId);
  });

  return async (secret) => {
    const secretHash = hashSecret(secret);
    const key = secretHash.toString('base64');
    const now = Date.now();
    const cached = bySecret.get(key);
    if (cached) {
      if (cached.until > now) return cached.viewer;
      forget(key, cached.viewer.accountId);
    }
    const changesBefore = changes;
    const [row] = await query.execute({ secretHash });
    if (row === undefined) return null;
    const { emailVerifiedAt, verified, labels, expiresAt, ...who } = row;
    const viewer: Viewer = {
      ...who,
      emailVerified: emailVerifiedAt !== null,
      verified: verified === true,
      admin: labels.includes(adminLabel),
    };
    if (changes === changesBefore) {
      keep(key, { viewer, until: Math.min(now + freshFor, expiresAt.getTime()) });
    }
    return viewer;
  };
}
