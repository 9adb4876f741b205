import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { announceProfile } from './announce.ts';
import { readProfile } from './read.ts';
import { friends, profiles } from './tables.ts';

/** Makes two members friends of each other (decisions §1, 'friend list'); again changes nothing. */
export async function befriend(transaction: Transaction, one: string, other: string): Promise<void> {
  await transaction
    .insert(friends)
    .values([
      { ownerId: one, friendId: other },
      { ownerId: other, friendId: one },
    ])
    .onConflictDoNothing();
}

/** Notes that a member asks to be verified. False when they asked before, or are verified: then nothing changed (§4). */
export async function markVerificationSent(transaction: Transaction, profileId: string): Promise<boolean> {
  const changed = await transaction
    .update(profiles)
    .set({ sentVerifiedReq: true, updatedAt: sql`now()` })
    .where(and(eq(profiles.id, profileId), eq(profiles.sentVerifiedReq, false), isNull(profiles.verified)))
    .returning({ id: profiles.id });
  return changed.length === 1;
}

/**
 * Sets what an admin decided of a member's identity (§4): accepted, `verified` is true; declined, it is null and the
 * member may ask again. Follow it with `announceProfileChange` after the commit.
 */
export async function setVerified(
  transaction: Transaction,
  profileId: string,
  accepted: boolean,
): Promise<void> {
  await transaction
    .update(profiles)
    .set(
      accepted
        ? { verified: true, updatedAt: sql`now()` }
        : { verified: null, sentVerifiedReq: false, updatedAt: sql`now()` },
    )
    .where(eq(profiles.id, profileId));
}

/** After a commit that changed a member's profile: sessions read it anew, and everybody's screens show it. */
export async function announceProfileChange(
  { database, bus }: { database: Database; bus: Platform['bus'] },
  profileId: string,
): Promise<void> {
  const row = await readProfile(database, profileId);
  if (!row) return;
  bus.publish('viewerChanged', { accountId: row.profile.accountId });
  announceProfile(bus, row.profile, row.picture);
}
