import type { UsualTime } from '@tara/contract/members/verification';
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { MemoryCache } from '../../platform/memory-cache.ts';
import { verifications } from './tables.ts';

/** How many of the latest accepted requests are looked at. */
const latest = 50;
/** Of fewer accepted requests nothing is said. */
const fewest = 5;
/** How long an answer is kept, in milliseconds. */
const lifetimeMs = 10 * 60_000;

/** The median of the minutes from request to acceptance, of the latest accepted requests. */
export async function measureUsualTime(database: Database): Promise<UsualTime> {
  const [row] = await database.execute<{ seconds: number | null }>(sql`
    select case when count(*) >= ${fewest}
      then percentile_cont(0.5) within group (order by extract(epoch from accepted_at - created_at))
    end as seconds
    from (
      select accepted_at, created_at from ${verifications}
      where accepted_at is not null
      order by accepted_at desc
      limit ${latest}
    ) as latest`);
  const seconds = row?.seconds ?? null;
  return { minutes: seconds === null ? null : Math.ceil(seconds / 60) };
}

/** Answers how long a verification usually takes, measured at most every ten minutes. */
export function openUsualTime(database: Database): () => Promise<UsualTime> {
  const answers = new MemoryCache<'usual', UsualTime>({
    max: 1,
    ttl: lifetimeMs,
    fetchMethod: () => measureUsualTime(database),
  });
  return () => answers.forceFetch('usual');
}
