import { timeZone } from '@tara/contract/limits';
import type { NotificationChannel } from '@tara/contract/notifications/channels';
import { type NotificationGroup, notificationGroups } from '@tara/contract/notifications/groups';
import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { notificationSettings } from './tables.ts';

/** The settings of a member as they are stored. */
export type StoredSettings = Omit<typeof notificationSettings.$inferSelect, 'profileId'>;

/** Those of a member who changed none. */
export const defaultSettings: StoredSettings = {
  ...{ switchedOff: [], quietFrom: null, quietUntil: null, timeZone, dailyEmail: true, pausedUntil: null },
  heldChats: [],
};

/** How a way of a group is written among those that are switched off: 'posts email'. */
export const choiceKey = (group: NotificationGroup, channel: NotificationChannel): string =>
  `${group} ${channel}`;

/** Whether notifications of a group take a way to a member. Those about security, money and safety always do. */
export const isChosen = (
  { switchedOff }: Pick<StoredSettings, 'switchedOff'>,
  group: NotificationGroup,
  channel: NotificationChannel,
): boolean => !notificationGroups[group].canSwitchOff || !switchedOff.includes(choiceKey(group, channel));

/** The same as a condition, for the member with this profile id. */
export const chosenBy = (profileId: SQL, group: NotificationGroup, channel: NotificationChannel): SQL =>
  notificationGroups[group].canSwitchOff
    ? sql`not exists (select from ${notificationSettings} where ${notificationSettings.profileId} = ${profileId}
        and ${choiceKey(group, channel)} = any(${notificationSettings.switchedOff}))`
    : sql`true`;

/** A member's settings as they are stored. */
export async function readStored(
  database: Database | Transaction,
  profileId: string,
): Promise<StoredSettings> {
  const [row] = await database
    .select()
    .from(notificationSettings)
    .where(eq(notificationSettings.profileId, profileId));
  return row ?? defaultSettings;
}

/**
 * The same, locked until the end of the transaction. What is held up, or looked at again because they change, is so by one
 * transaction after the other. To be locked before any notification.
 */
export async function lockStored(
  transaction: Transaction,
  profileId: string | SQLWrapper,
): Promise<StoredSettings> {
  const [row] = await transaction
    .select()
    .from(notificationSettings)
    .where(eq(notificationSettings.profileId, profileId))
    .for('update');
  return row ?? defaultSettings;
}
