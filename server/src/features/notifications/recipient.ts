import type { AdminEvent, MemberEvent, RequestEvent } from '@tara/contract/notifications/event';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { accounts } from '../accounts/index.ts';
import { profiles } from '../profiles/index.ts';
import { mutes } from '../visibility/index.ts';
import { isClosedMember } from './closed.ts';
import { type DeliveryState, notificationCan } from './policy.ts';
import type { NotificationRow } from './read.ts';
import { notificationRecipients } from './tables.ts';

/** Who is mailed or pushed, as `notificationCan` wants to know it. */
export interface Recipient extends Pick<DeliveryState, 'isDeleted' | 'isClosed' | 'isAdmin'> {
  profileId: string;
  name: string;
  /** Null while it is not confirmed. */
  email: string | null;
  /** Of the members who did it. */
  mutedIds: ReadonlySet<string>;
  closedIds: ReadonlySet<string>;
}

/** The recipient of what these members did; null when there is none. */
export async function readRecipient(
  database: Database | Transaction,
  profileId: string,
  actors: readonly (string | null)[],
): Promise<Recipient | null> {
  const [recipient] = await database
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
  if (recipient === undefined) return null;
  const actorIds = [...new Set(actors.flatMap((id) => id ?? []))];
  if (actorIds.length === 0) return { ...recipient, profileId, mutedIds: new Set(), closedIds: new Set() };
  const muted = await database
    .select({ id: mutes.mutedId })
    .from(mutes)
    .where(and(eq(mutes.muterId, profileId), inArray(mutes.mutedId, actorIds)));
  const closed = await database
    .select({ id: notificationRecipients.profileId })
    .from(notificationRecipients)
    .where(and(inArray(notificationRecipients.profileId, actorIds), notificationRecipients.isClosed));
  return {
    ...{ ...recipient, profileId },
    mutedIds: new Set(muted.map(({ id }) => id)),
    closedIds: new Set(closed.map(({ id }) => id)),
  };
}

/** What decides whether what a member did may still reach its recipient. */
export function deliveryState(
  { isDeleted, isClosed, isAdmin, mutedIds, closedIds }: Recipient,
  { actorId, isFromHidden }: { actorId: string | null; isFromHidden: boolean },
): Omit<DeliveryState, 'stage'> {
  return {
    ...{ isDeleted, isClosed, isAdmin, isFromHidden },
    isFromMuted: mutedIds.has(actorId ?? ''),
    isFromClosed: closedIds.has(actorId ?? ''),
  };
}

/** Whether a notification may still reach its recipient. */
export const isDeliverable = (
  event: RequestEvent | MemberEvent | AdminEvent,
  { notification: { actorId }, request, hiddenName }: NotificationRow,
  recipient: Recipient,
): boolean =>
  notificationCan.deliver(event, {
    ...deliveryState(recipient, { actorId, isFromHidden: hiddenName !== null }),
    stage: request?.stage ?? null,
  });
