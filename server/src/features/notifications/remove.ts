import { eventsByMembers, type MemberEventName } from '@tara/contract/notifications/events';
import { and, eq, inArray, isNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { announceChange } from './announce.ts';
import { groupedEventNames, renameGroups } from './grouped.ts';
import { notificationRecipients, notificationSettings, notifications } from './tables.ts';

/** Deletes what an account was notified of beside requests, and its settings, when another person takes it over. */
export async function forgetNotifications(transaction: Transaction, accountId: string): Promise<void> {
  const own = transaction
    .select({ profileId: notificationRecipients.profileId })
    .from(notificationRecipients)
    .where(eq(notificationRecipients.accountId, accountId));
  await transaction
    .delete(notifications)
    .where(and(inArray(notifications.profileId, own), isNull(notifications.interactionId)));
  await transaction.delete(notificationSettings).where(inArray(notificationSettings.profileId, own));
}

/** Deletes what members were notified of an event of a record, because it is true no more. */
export async function forgetEvent(
  transaction: Transaction,
  { bus }: Pick<Platform, 'bus'>,
  { event, recordId }: { event: MemberEventName; recordId: string },
): Promise<void> {
  // As the index has them.
  const isAbout = and(eq(notifications.recordId, recordId), ne(notifications.recordId, ''));
  await removeAnnounced(transaction, { bus }, and(isAbout, eq(notifications.event, event)));
}

/**
 * Deletes what others were notified of that a member did, when an admin suspends or bans that member. What others did as well
 * stays, in the name of one of them.
 */
export async function withdrawByMember(
  transaction: Transaction,
  { bus }: Pick<Platform, 'bus'>,
  profileId: string,
): Promise<void> {
  const isAlone = or(
    notInArray(notifications.event, groupedEventNames),
    sql`${notifications.details} ->> 'others' = '0'`,
  );
  const isByMember = and(eq(notifications.actorId, profileId), inArray(notifications.event, eventsByMembers));
  await removeAnnounced(transaction, { bus }, and(isByMember, isAlone));
  await renameGroups(transaction, { actorId: profileId });
}

/** Deletes notifications, and announces it to the open tabs of their members. */
async function removeAnnounced(
  transaction: Transaction,
  { bus }: Pick<Platform, 'bus'>,
  where: SQL | undefined,
): Promise<void> {
  const removed = await transaction
    .delete(notifications)
    .where(where)
    .returning({ profileId: notifications.profileId });
  await announceChange(transaction, { bus }, [...new Set(removed.map((row) => row.profileId))]);
}
