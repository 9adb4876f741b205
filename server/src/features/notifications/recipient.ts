import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { accounts } from '../accounts/index.ts';
import { profiles } from '../profiles/index.ts';
import { mutes } from '../visibility/index.ts';
import { isClosedMember } from './closed.ts';

/** The account of a member and its state as `notificationCan` wants to know it, beside the member `actorId`. */
export async function readRecipient(
  database: Database | Transaction,
  profileId: string,
  actorId: string | null,
) {
  const isMuted: SQL<boolean> = sql`exists (select from ${mutes}
    where ${mutes.muterId} = ${profileId} and ${mutes.mutedId} = ${actorId})`;
  const [recipient] = await database
    .select({
      email: accounts.email,
      emailVerifiedAt: accounts.emailVerifiedAt,
      name: accounts.name,
      isDeleted: sql<boolean>`${accounts.deletedAt} is not null`,
      isClosed: isClosedMember(profiles.id),
      isFromMuted: isMuted,
      isFromClosed: isClosedMember(actorId),
      isAdmin: sql<boolean>`'admin' = any(${accounts.labels})`,
    })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .where(eq(profiles.id, profileId));
  return recipient;
}
