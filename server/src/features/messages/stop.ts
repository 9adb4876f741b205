import { and, eq, isNull, sql } from 'drizzle-orm';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { profiles } from '../profiles/index.ts';

/** Members whose chats with one are read at once. */
const batchSize = 1_000;

/**
 * Closes or opens the chats of a member who left or stays and has more of them than a call changes (migration 0293): those with each
 * other member by a transaction of its own, as a block does. It may be repeated: each is as it has to be then.
 */
export async function stopChats(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  profileId: string,
  { signal }: Pick<JobHelpers, 'signal'>,
): Promise<void> {
  const [member] = await database
    .select({ accountId: profiles.accountId })
    .from(profiles)
    // Those of who is gone stay closed.
    .where(and(eq(profiles.id, profileId), isNull(profiles.deletedAt)));
  if (member === undefined) return;
  for (let after = ''; ; ) {
    const others = await database.execute<{ id: string }>(sql`
      select distinct other_id as id from member_chats(${profileId}) where other_id > ${after}
      order by id limit ${batchSize}`);
    for (const { id } of others) {
      signal.throwIfAborted();
      await database.execute(sql`select stop_chats(${profileId}, ${id})`);
    }
    const last = others.at(-1);
    if (last === undefined || others.length < batchSize) break;
    after = last.id;
  }
  const { accountId } = member;
  bus.publish('viewerChanged', { accountId });
  bus.publish('chatsChanged', { accountId, otherAccountId: null, hides: false });
}
