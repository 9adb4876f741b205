import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Platform } from '../../platform/platform.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { isOpenAccount } from './open-account.ts';
import { accounts, sessions } from './tables.ts';

/** ms between two looks whether other nodes are heard. */
const tickMs = 1_000;
/** ms between two looks at the sessions while they are not. */
const everyMs = 4_000;
/** Sessions of one statement. */
const batchSize = 1_000;

/**
 * Looks every few seconds whether the sessions of open sockets still exist, while this node does not hear what other nodes
 * end; who ended is announced here. Returns the function that stops it.
 */
export function watchSessions(
  { database, bus, nodes, log }: Pick<Platform, 'database' | 'bus' | 'nodes' | 'log'>,
  hub: Pick<Hub, 'viewers'>,
): () => void {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  const look = async () => {
    const viewers = hub.viewers();
    for (let start = 0; start < viewers.length; start += batchSize) {
      const batch = viewers.slice(start, start + batchSize);
      const ids = batch.map(({ sessionId }) => sessionId);
      const rows = await database
        .select({ id: sessions.id })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.id, sessions.accountId))
        .where(and(inArray(sessions.id, ids), gt(sessions.expiresAt, sql`now()`), isOpenAccount));
      const open = new Set(rows.map(({ id }) => id));
      const ended = batch.filter(({ sessionId }) => !open.has(sessionId));
      for (const accountId of new Set(ended.map((viewer) => viewer.accountId)))
        bus.here.publish('viewerChanged', { accountId });
    }
  };

  const timer = setInterval(() => {
    const now = performance.now();
    if (nodes.hearsAll() || isLooking || now - lookedAt < everyMs) return;
    lookedAt = now;
    isLooking = true;
    look()
      .catch((error: unknown) => log.warn({ err: error }, 'the sessions of sockets could not be looked up'))
      .finally(() => {
        isLooking = false;
      });
  }, tickMs).unref();
  return () => clearInterval(timer);
}
