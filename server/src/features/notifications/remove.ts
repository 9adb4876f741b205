import { eventsByMembers } from '@tara/contract/notifications/events';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { announceChange } from './announce.ts';
import { notificationRecipients, notifications } from './tables.ts';

/** Deletes what an account was notified of beside requests, which another person takes over. */
export async function forgetNotifications(transaction: Transaction, accountId: string): Promise<void> {
  const own = transaction
    .select({ profileId: notificationRecipients.profileId })
    .from(notificationRecipients)
    .where(eq(notificationRecipients.accountId, accountId));
  await transaction
    .delete(notifications)
    .where(and(inArray(notifications.profileId, own), isNull(notifications.interactionId)));
}

/** Deletes what others were notified of that a member did, when an admin suspends or bans that member. */
export async function withdrawByMember(
  transaction: Transaction,
  { bus }: Pick<Platform, 'bus'>,
  profileId: string,
): Promise<void> {
  const withdrawn = await transaction
    .delete(notifications)
    .where(and(eq(notifications.actorId, profileId), inArray(notifications.event, eventsByMembers)))
    .returning({ profileId: notifications.profileId });
  await announceChange(transaction, { bus }, [...new Set(withdrawn.map((row) => row.profileId))]);
}
