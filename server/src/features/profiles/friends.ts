import { pageSize } from '@tara/contract/limits';
import type { Profile } from '@tara/contract/members/profiles';
import type { PageOf } from '@tara/contract/page';
import { and, eq, sql } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import { isAmong } from '../../platform/database/among.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { ownChange } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { files } from '../files/index.ts';
import { visibleTo } from '../visibility/index.ts';
import { presentProfile } from './present.ts';
import { profileColumns } from './read.ts';
import { friends, profiles } from './tables.ts';

/**
 * Makes two members friends of each other (decisions §1, 'friend list'); again changes nothing. In one order for both of
 * them: two who accept each other's requests at once would wait for each other's rows.
 */
export async function befriend(transaction: Transaction, one: string, other: string): Promise<void> {
  const [first = one, second = other] = [one, other].sort();
  await transaction
    .insert(friends)
    .values([
      { ownerId: first, friendId: second },
      { ownerId: second, friendId: first },
    ])
    .onConflictDoNothing();
}

/** The viewer's own friends, the newest first, 20 a page (§6). */
export async function listFriends(
  database: Database,
  viewer: Viewer,
  cursor: string | undefined,
): Promise<PageOf<Profile>> {
  return readPage(cursor, {
    size: pageSize.friends,
    sortedBy: { time: friends.createdAt, id: friends.friendId },
    query: database
      .select({ ...profileColumns, since: friends.createdAt })
      .from(friends)
      .innerJoin(profiles, eq(profiles.id, friends.friendId))
      .leftJoin(files, eq(files.id, profiles.imageId)),
    where: and(eq(friends.ownerId, viewer.profileId), visibleTo(viewer, friends.friendId)),
    present: ({ profile, picture }) => presentProfile(profile, picture),
    toCursor: ({ profile, since }) => ({ at: since, id: profile.id }),
  });
}

/**
 * Removes a member from the viewer's own list. The other's list is theirs (§6), and stays.
 * @throws Problem `friend_not_found`
 */
export async function removeFriend(
  context: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  friendId: string,
): Promise<void> {
  if ((await removeFriends(context, viewer, [friendId])) === 0) throw new Problem('friend_not_found');
}

/** Removes members from the viewer's own list, and returns how many were on it. */
export async function removeFriends(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  friendIds: readonly string[],
): Promise<number> {
  const removed = await database.transaction(async (transaction) => {
    const rows = await transaction
      .delete(friends)
      .where(and(eq(friends.ownerId, viewer.profileId), isAmong(friends.friendId, friendIds)))
      .returning({ friendId: friends.friendId });
    if (rows.length > 0)
      await transaction
        .update(profiles)
        .set({ friendsRemovedAt: sql`now()` })
        .where(eq(profiles.id, viewer.profileId));
    return rows;
  });
  if (removed.length > 0) announceFriends(bus, [viewer]);
  return removed.length;
}

/** Announces to members that their list of friends changed. */
export function announceFriends(
  bus: Platform['bus'],
  members: readonly { accountId: string; profileId: string }[],
): void {
  for (const member of members) {
    const record = { collection: 'friendLists', id: member.profileId, change: 'update' } as const;
    bus.publish('document', ownChange(member, record));
  }
}
