import { blockLimit } from '@tara/contract/limits';
import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { renameGroups } from '../notifications/index.ts';
import { profiles } from '../profiles/index.ts';
import { blocks, hiddenName, memberCan, mutes } from '../visibility/index.ts';

type BlockContext = Pick<Platform, 'database' | 'bus'>;

/**
 * Blocks a member, also one who blocked the viewer; both sessions read it before the reply leaves. The block keeps the
 * names of both, which is what they see of each other from then on.
 * @throws Problem `profile_not_found`, `block_own_profile`, `block_limit_reached`.
 */
export async function block({ database, bus }: BlockContext, viewer: Viewer, id: string): Promise<void> {
  const blocked = await database.transaction(async (transaction) => {
    const other = await findOther(transaction, viewer, id);
    const own = eq(blocks.blockerId, viewer.profileId);
    if ((await transaction.$count(blocks, and(own, eq(blocks.blockedId, id)))) > 0) return other;
    checkLimit(await transaction.$count(blocks, own));
    await transaction.insert(blocks).values({
      blockerId: viewer.profileId,
      blockedId: id,
      blockerName: viewer.name,
      // A member who is already hidden is listed by the name at the time of the first block.
      blockedName: other.hiddenName ?? other.name,
    });
    await renameGroups(transaction, { actorId: id, profileId: viewer.profileId });
    await renameGroups(transaction, { actorId: viewer.profileId, profileId: id });
    return other;
  });
  announcePair(bus, viewer, blocked, true);
}

/** Ends the viewer's block of a member. */
export async function unblock({ database, bus }: BlockContext, viewer: Viewer, id: string): Promise<void> {
  const ended = await database.transaction(async (transaction) => {
    const removed = await transaction
      .delete(blocks)
      .where(and(eq(blocks.blockerId, viewer.profileId), eq(blocks.blockedId, id)))
      .returning({ blockedId: blocks.blockedId });
    if (removed.length === 0) return [];
    return transaction.select({ accountId: profiles.accountId }).from(profiles).where(eq(profiles.id, id));
  });
  for (const other of ended) announcePair(bus, viewer, other, false);
}

/** Mutes a member, who is not notified. @throws Problem `profile_not_found`, `block_own_profile`, `block_limit_reached`. */
export async function mute({ database, bus }: BlockContext, viewer: Viewer, id: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await findOther(transaction, viewer, id);
    if (!memberCan.see(viewer, id)) throw new Problem('profile_not_found');
    const own = eq(mutes.muterId, viewer.profileId);
    if ((await transaction.$count(mutes, and(own, eq(mutes.mutedId, id)))) > 0) return;
    checkLimit(await transaction.$count(mutes, own));
    await transaction.insert(mutes).values({ muterId: viewer.profileId, mutedId: id });
    await renameGroups(transaction, { actorId: id, profileId: viewer.profileId });
  });
  announce(bus, viewer.accountId);
}

/** Shows the content of a member again. */
export async function unmute({ database, bus }: BlockContext, viewer: Viewer, id: string): Promise<void> {
  await database.delete(mutes).where(and(eq(mutes.muterId, viewer.profileId), eq(mutes.mutedId, id)));
  announce(bus, viewer.accountId);
}

/** Cached viewers are read again before the reply leaves. */
function announce(bus: Platform['bus'], ...accountIds: string[]): void {
  for (const accountId of accountIds) bus.publish('viewerChanged', { accountId });
}

/** Announces it also to what shows a chat of the two. */
function announcePair(
  bus: Platform['bus'],
  { accountId }: Viewer,
  other: { accountId: string },
  hides: boolean,
): void {
  announce(bus, accountId, other.accountId);
  bus.publish('chatsChanged', { accountId, otherAccountId: other.accountId, hides });
}

/** The other member. The viewer's own row stays locked, so that calls at once count each other. */
async function findOther(transaction: Transaction, viewer: Viewer, id: string) {
  const { profileId } = viewer;
  if (id === profileId) throw new Problem('block_own_profile');
  await transaction.execute(
    sql`select from ${profiles} where ${profiles.id} = ${profileId} for no key update`,
  );
  const [other] = await transaction
    .select({
      accountId: profiles.accountId,
      name: profiles.name,
      hiddenName: hiddenName(sql`${profileId}`, sql`${id}`),
    })
    .from(profiles)
    .where(eq(profiles.id, id));
  if (!other) throw new Problem('profile_not_found');
  return other;
}

function checkLimit(count: number): void {
  if (count >= blockLimit) throw new Problem('block_limit_reached');
}
