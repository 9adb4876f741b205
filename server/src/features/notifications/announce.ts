import { isAmong } from '../../platform/database/among.ts';
import { afterCommit, type Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { notificationRecipients } from './tables.ts';

/** Announces to the open tabs of members, once the transaction is committed, that their notifications changed. */
export async function announceChange(
  transaction: Transaction,
  { bus }: Pick<Platform, 'bus'>,
  profileIds: readonly string[],
): Promise<void> {
  if (profileIds.length === 0) return;
  const recipients = await transaction
    .select({ accountId: notificationRecipients.accountId })
    .from(notificationRecipients)
    .where(isAmong(notificationRecipients.profileId, profileIds));
  afterCommit(() => {
    for (const recipient of recipients) bus.publish('notificationsChanged', recipient);
  });
}
