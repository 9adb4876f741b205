import { nowMs, runAfter } from '@tara/contract/clock';
import { sql } from 'drizzle-orm';
import { MemoryCache } from '../../platform/memory-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import { profiles } from '../profiles/index.ts';
import { memberPresence } from './tables.ts';

/** ms between two writes of a member's time: so exact is what others see. */
const storedEveryMs = 5 * 60_000;
/** ms in which members are collected for one statement. */
const collectMs = 1_000;
/** Members of whom it is known that they were stored lately. */
const cacheSize = 20_000;

/** Stores when members were last here. */
export interface LastSeen {
  /** Notes that a member is here; costs nothing when that was stored in the last 5 minutes. */
  note(profileId: string): void;
  /** Stores what was noted. */
  flush(): Promise<void>;
}

/** Collects members for a second and stores them by one statement, so that a restart of the server is one write. */
export function openLastSeen({ database, log }: Pick<Platform, 'database' | 'log'>): LastSeen {
  const storedAt = new MemoryCache<string, number>({ max: cacheSize });
  let noted = new Set<string>();
  let cancelTimer: (() => void) | undefined;
  let writing = Promise.resolve();

  const store = async (profileIds: readonly string[]) => {
    // Only members who still exist; in one order, so that two writers do not wait for each other in a circle.
    await database.execute(sql`
      insert into ${memberPresence} (profile_id, last_seen_at)
      select ${profiles.id}, now() from ${profiles}
      where ${profiles.id} in (select json_array_elements_text(${JSON.stringify(profileIds)}::text::json))
      order by 1
      on conflict (profile_id) do update set last_seen_at = excluded.last_seen_at
      where member_presence.last_seen_at <= excluded.last_seen_at - make_interval(secs => ${storedEveryMs / 1000})`);
  };
  const flush = () => {
    cancelTimer?.();
    cancelTimer = undefined;
    const profileIds = [...noted];
    noted = new Set();
    if (profileIds.length > 0) {
      writing = writing
        .then(() => store(profileIds))
        .catch((error: unknown) => {
          for (const profileId of profileIds) storedAt.delete(profileId);
          log.warn({ err: error }, 'when members were last seen could not be stored');
        });
    }
    return writing;
  };

  return {
    note(profileId) {
      const now = nowMs();
      if (now - (storedAt.get(profileId) ?? 0) < storedEveryMs) return;
      storedAt.set(profileId, now);
      noted.add(profileId);
      cancelTimer ??= runAfter(collectMs, flush);
    },
    flush,
  };
}
