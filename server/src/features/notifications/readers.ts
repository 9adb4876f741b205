import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { accounts } from '../accounts/index.ts';
import { profiles } from '../profiles/index.ts';
import { mutes } from '../visibility/index.ts';
import { isClosedMember } from './closed.ts';
import type { DeliveryState } from './policy.ts';
import type { NotificationRow } from './read.ts';
import { notificationRecipients } from './tables.ts';

/** Who is mailed, as `notificationCan.deliver` wants to know it. */
export interface Reader extends Pick<DeliveryState, 'isDeleted' | 'isClosed' | 'isAdmin'> {
  profileId: string;
  name: string;
  /** Null while it is not confirmed. */
  email: string | null;
  mutedIds: ReadonlySet<string>;
  closedIds: ReadonlySet<string>;
}

/** The recipient of notifications that these members caused; null when there is none. */
export async function readReader(
  transaction: Transaction,
  profileId: string,
  rows: readonly NotificationRow[],
): Promise<Reader | null> {
  const [reader] = await transaction
    .select({
      name: accounts.name,
      email: sql<string | null>`case when ${accounts.emailVerifiedAt} is not null then ${accounts.email} end`,
      isDeleted: sql<boolean>`${accounts.deletedAt} is not null`,
      isClosed: isClosedMember(profiles.id),
      isAdmin: sql<boolean>`'admin' = any(${accounts.labels})`,
    })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .where(eq(profiles.id, profileId));
  if (reader === undefined) return null;
  const actorIds = [...new Set(rows.flatMap(({ notification }) => notification.actorId ?? []))];
  if (actorIds.length === 0) return { ...reader, profileId, mutedIds: new Set(), closedIds: new Set() };
  const muted = await transaction
    .select({ id: mutes.mutedId })
    .from(mutes)
    .where(and(eq(mutes.muterId, profileId), inArray(mutes.mutedId, actorIds)));
  const closed = await transaction
    .select({ id: notificationRecipients.profileId })
    .from(notificationRecipients)
    .where(and(inArray(notificationRecipients.profileId, actorIds), notificationRecipients.isClosed));
  return {
    ...{ ...reader, profileId },
    mutedIds: new Set(muted.map(({ id }) => id)),
    closedIds: new Set(closed.map(({ id }) => id)),
  };
}

/** What decides whether a notification may still reach its recipient. */
export function deliveryState(reader: Reader, { notification, hiddenName }: NotificationRow): DeliveryState {
  const { isDeleted, isClosed, isAdmin, mutedIds, closedIds } = reader;
  const actorId = notification.actorId ?? '';
  return {
    ...{ isDeleted, isClosed, isAdmin },
    isFromHidden: hiddenName !== null,
    isFromMuted: mutedIds.has(actorId),
    isFromClosed: closedIds.has(actorId),
  };
}
