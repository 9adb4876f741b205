import { dailyEmailHour } from '@tara/contract/limits';
import type { AdminEvent, MemberEvent, RequestEvent } from '@tara/contract/notifications/event';
import { notificationGroups } from '@tara/contract/notifications/groups';
import { localTime, nextLocalTime } from '../../platform/time-zone.ts';
import type { StoredSettings } from './choices.ts';

/** Whether an hour of the day is one of the quiet ones, which may go over midnight. */
const isQuiet = ({ quietFrom, quietUntil }: StoredSettings, hour: number): boolean => {
  if (quietFrom === null || quietUntil === null) return false;
  return quietFrom < quietUntil
    ? hour >= quietFrom && hour < quietUntil
    : hour >= quietFrom || hour < quietUntil;
};

/**
 * Until when a notification is held up that would be mailed or pushed now; null when it is not. A pause holds up what can be
 * switched off, quiet hours the rest as well; neither does it with security, nor with the reminder of today's plan.
 */
export function heldUntil(
  settings: StoredSettings,
  {
    urgency,
    isNeverHeld,
    group,
  }: Pick<RequestEvent | MemberEvent | AdminEvent, 'urgency' | 'isNeverHeld' | 'group'>,
  now: Date,
): Date | null {
  if (urgency === 'atOnce' || isNeverHeld) return null;
  const { pausedUntil, timeZone } = settings;
  const isPaused = pausedUntil !== null && pausedUntil > now && notificationGroups[group].canSwitchOff;
  const from = isPaused ? pausedUntil : now;
  if (isQuiet(settings, localTime(from, timeZone).hour))
    return nextLocalTime(from, timeZone, ({ hour }) => !isQuiet(settings, hour));
  return isPaused ? pausedUntil : null;
}

/** When the next daily email to a member is due. */
export const nextDailyEmail = ({ timeZone }: StoredSettings, now: Date): Date =>
  nextLocalTime(now, timeZone, ({ hour, minute }) => hour === dailyEmailHour && minute === 0);
