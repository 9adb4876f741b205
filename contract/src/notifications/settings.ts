import * as z from 'zod/mini';
import { calls, get, patch, post } from '../calls.ts';
import { Time, wholeNumber } from '../fields.ts';
import { notificationPauseHours } from '../limits.ts';
import { notificationChannelNames } from './channels.ts';
import { notificationGroupNames } from './groups.ts';

/** Whether notifications of a group reach the member by a way. */
const Choice = z.strictObject({
  group: z.enum(notificationGroupNames),
  channel: z.enum(notificationChannelNames),
  isOn: z.boolean(),
});

/** Whether this is the name of a time zone, such as `Asia/Manila`, and no offset such as `+08:00`, which knows no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const Hour = wholeNumber(0, 23);

/** From when until when a member is left alone, in hours of their day; over midnight when `from` is the later one. */
export const QuietHours = z
  .strictObject({ from: Hour, until: Hour })
  .check(z.refine(({ from, until }) => from !== until, { error: 'Must be two hours', path: ['until'] }));
export type QuietHours = z.infer<typeof QuietHours>;

const choosable = {
  /** Null: at no hour. */
  quietHours: z.nullable(QuietHours),
  /** Of the quiet hours and of the daily email. */
  timeZone: z.string().check(z.maxLength(64), z.refine(isTimeZone, 'Must be a time zone')),
  /** Whether an email a day has what the member did not see. */
  dailyEmail: z.boolean(),
};

/** How notifications reach a member. */
export const NotificationSettings = z.object({
  /** Each group with each of its ways. */
  choices: z.array(
    z.extend(Choice, {
      /** False: it stays on, because it is about security, money or safety. */
      canSwitchOff: z.boolean(),
    }),
  ),
  ...choosable,
  /** Whether a device of the member gets pushes: then there is no daily email. */
  getsPushes: z.boolean(),
  /** Until when all is paused that can be switched off, but the reminder of the next plan; null when it is not. */
  pausedUntil: z.nullable(Time),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;
export type NotificationChoice = z.infer<typeof Choice>;

/** The calls of one's own settings of notifications. */
export const notificationSettings = calls('/api/notificationSettings', {
  get: get('/own', {
    summary: 'By which ways notifications reach you, your quiet hours and whether all is paused.',
    reply: NotificationSettings,
  }),
  choose: post('/choose', {
    summary:
      'Switches a way of a group of notifications on or off. What is about security, money and safety stays on.',
    whileSuspended: true,
    body: Choice,
    reply: NotificationSettings,
    errors: ['notification_group_fixed'],
  }),
  update: patch('/own', {
    summary: 'Changes the quiet hours, the time zone, and whether there is a daily email.',
    whileSuspended: true,
    body: z.partial(z.strictObject(choosable)),
    reply: NotificationSettings,
  }),
  pause: post('/pause', {
    summary:
      'Pauses all notifications that can be switched off, but the reminder of the next plan, for so many hours from now; for none it ends the pause.',
    whileSuspended: true,
    body: z.strictObject({ hours: wholeNumber(0, Math.max(...notificationPauseHours)) }),
    reply: NotificationSettings,
  }),
});
