import { nowDate, nowMs } from '@tara/contract/clock';
import { notificationChannelNames } from '@tara/contract/notifications/channels';
import { groupHasChannel } from '@tara/contract/notifications/events';
import { groupsFor, notificationGroups } from '@tara/contract/notifications/groups';
import type {
  NotificationChoice,
  NotificationSettings,
  QuietHours,
} from '@tara/contract/notifications/settings';
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { canonicalTimeZone } from '../../platform/time-zone.ts';
import { choiceKey, isChosen, readStored, type StoredSettings } from './choices.ts';
import { nextDailyEmail } from './hold.ts';
import { getsPushes } from './push.ts';
import { notificationSettings, notifications } from './tables.ts';
import { isHeld } from './undelivered.ts';

/** Settings as their member sees them: what is for admins only for them, and no way that a group never takes. */
async function presentSettings(
  database: Database,
  viewer: Viewer,
  stored: StoredSettings,
): Promise<NotificationSettings> {
  const groups = groupsFor({ isAdmin: viewer.hasAdminLabel });
  const { quietFrom, quietUntil, timeZone, dailyEmail, pausedUntil } = stored;
  return {
    choices: groups.flatMap((group) =>
      notificationChannelNames
        .filter((channel) => groupHasChannel(group, channel))
        .map((channel) => ({
          ...{ group, channel, isOn: isChosen(stored, group, channel) },
          canSwitchOff: notificationGroups[group].canSwitchOff,
        })),
    ),
    quietHours: quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil },
    ...{ timeZone, dailyEmail, getsPushes: await getsPushes(database, viewer.profileId) },
    pausedUntil: pausedUntil !== null && pausedUntil > nowDate() ? pausedUntil.toISOString() : null,
  };
}

/** How notifications reach the viewer. */
export const readSettings = async (database: Database, viewer: Viewer): Promise<NotificationSettings> =>
  presentSettings(database, viewer, await readStored(database, viewer.profileId));

/** Has what waits for a member looked at again, because what holds it up changed: with the zone also when a day's email is due. */
async function reviewWaiting(
  transaction: Transaction,
  profileId: string,
  { settings, isZoneNew }: { settings: StoredSettings; isZoneNew: boolean },
): Promise<void> {
  const [waiting] = await transaction
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      or(
        and(eq(notifications.profileId, profileId), isNull(notifications.deliveredAt)),
        isHeld(profileId, 'push'),
      ),
    )
    .limit(1);
  if (waiting === undefined && settings.heldChats.length === 0) return;
  await transaction
    .update(notifications)
    .set({ mailHeldUntil: sql`now()` })
    .where(isHeld(profileId, 'email'));
  await transaction.update(notifications).set({ pushHeldUntil: sql`now()` }).where(isHeld(profileId, 'push'));
  await tasks.deliverHeld.enqueue(transaction, { profileId });
  if (isZoneNew)
    await tasks.mailDaily.enqueue(transaction, { profileId }, { runAt: nextDailyEmail(settings, nowDate()) });
}

type Change = { [Name in keyof StoredSettings]?: StoredSettings[Name] | SQL };

/** Writes a change of the settings, by the row alone: two at once both stay. */
async function store(
  transaction: Transaction,
  profileId: string,
  added: Partial<StoredSettings>,
  change: Change = added,
): Promise<StoredSettings> {
  const [row] = await transaction
    .insert(notificationSettings)
    .values({ ...added, profileId })
    .onConflictDoUpdate({ target: notificationSettings.profileId, set: { ...change, profileId } })
    .returning();
  if (row === undefined) throw new Error('An upserted row was not returned.');
  return row;
}

/**
 * Switches a way of a group on or off for the viewer.
 * @throws Problem `notification_group_fixed` for what stays on
 */
export async function choose(
  database: Database,
  viewer: Viewer,
  { group, channel, isOn }: NotificationChoice,
): Promise<NotificationSettings> {
  if (!notificationGroups[group].canSwitchOff) {
    if (!isOn) throw new Problem('notification_group_fixed');
    return readSettings(database, viewer);
  }
  const key = choiceKey(group, channel);
  const stored = await database.transaction((transaction) =>
    isOn ? switchOn(transaction, viewer.profileId, key) : switchOff(transaction, viewer.profileId, [key]),
  );
  return presentSettings(database, viewer, stored);
}

const switchOn = (transaction: Transaction, profileId: string, key: string) =>
  store(
    transaction,
    profileId,
    {},
    { switchedOff: sql`array_remove(${notificationSettings.switchedOff}, ${key})` },
  );

/** Switches ways of groups off, as `choiceKey` writes them; those that are off stay so. */
export const switchOff = (
  transaction: Transaction,
  profileId: string,
  keys: readonly string[],
  more: Partial<Pick<StoredSettings, 'dailyEmail'>> = {},
): Promise<StoredSettings> =>
  store(
    transaction,
    profileId,
    { switchedOff: [...keys], ...more },
    {
      switchedOff: sql`array(select distinct unnest(${notificationSettings.switchedOff} || excluded.switched_off))`,
      ...more,
    },
  );

interface SettingsChange {
  quietHours?: QuietHours | null | undefined;
  timeZone?: string | undefined;
  dailyEmail?: boolean | undefined;
}

/** Changes the settings named. */
export async function updateSettings(
  database: Database,
  viewer: Viewer,
  { quietHours, timeZone, dailyEmail }: SettingsChange,
): Promise<NotificationSettings> {
  const { profileId } = viewer;
  const change = {
    ...(quietHours !== undefined && {
      quietFrom: quietHours?.from ?? null,
      quietUntil: quietHours?.until ?? null,
    }),
    ...(timeZone !== undefined && { timeZone: canonicalTimeZone(timeZone) }),
    ...(dailyEmail !== undefined && { dailyEmail }),
  };
  const stored = await database.transaction(async (transaction) => {
    const settings = await store(transaction, profileId, change);
    await reviewWaiting(transaction, profileId, { settings, isZoneNew: timeZone !== undefined });
    return settings;
  });
  return presentSettings(database, viewer, stored);
}

const hourMs = 3_600_000;

/** Pauses the viewer's notifications for so many hours from now; for none it ends the pause. */
export async function pause(
  database: Database,
  viewer: Viewer,
  hours: number,
): Promise<NotificationSettings> {
  const { profileId } = viewer;
  const pausedUntil = hours === 0 ? null : new Date(nowMs() + hours * hourMs);
  const stored = await database.transaction(async (transaction) => {
    const settings = await store(transaction, profileId, { pausedUntil });
    await reviewWaiting(transaction, profileId, { settings, isZoneNew: false });
    return settings;
  });
  return presentSettings(database, viewer, stored);
}
