import { eq, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { accounts } from '../accounts/index.ts';
import { profiles } from '../profiles/index.ts';
import { mutes } from '../visibility/index.ts';

/** The account and its state as `notificationCan.deliver` wants to know it. */
export async function readRecipient(
  database: Database | Transaction,
  profileId: string,
  actorId: string | null,
) {
  const isMuted: SQL<boolean> = sql`exists (select from ${mutes}
    where ${mutes.muterId} = ${profileId} and ${mutes.mutedId} = ${actorId})`;
  const isActorClosed: SQL<boolean> = sql`exists (
    select from ${profiles} as actor join ${accounts} as actor_account on actor_account.id = actor.account_id
    where actor.id = ${actorId} and (actor_account.blocked_at is not null or actor_account.suspended_until > now()))`;
  const [recipient] = await database
    .select({
      email: accounts.email,
      emailVerifiedAt: accounts.emailVerifiedAt,
      name: accounts.name,
      isDeleted: sql<boolean>`${accounts.deletedAt} is not null`,
      isClosed: sql<boolean>`coalesce(${or(
        sql`${accounts.blockedAt} is not null`,
        sql`${accounts.deletesAt} is not null`,
        sql`${accounts.suspendedUntil} > now()`,
      )}, false)`,
      isFromMuted: isMuted,
      isFromClosed: isActorClosed,
      isAdmin: sql<boolean>`'admin' = any(${accounts.labels})`,
    })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .where(eq(profiles.id, profileId));
  return recipient;
}
