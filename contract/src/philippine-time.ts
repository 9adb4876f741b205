import { timeZone } from './limits.ts';

// How texts for people write days and times of the Philippines: on pages that others read, in mails and in notifications.

/** A time, as it is or as ISO 8601. */
type Time = Date | string;

const day = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'long' });
const dayWithWeekday = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full' });
const clock = new Intl.DateTimeFormat('en-PH', { timeZone, timeStyle: 'short' });

/** `5 December 2026`. */
export const longDate = (time: Time): string => day.format(new Date(time));
/** A day of the Philippines, `YYYY-MM-DD`, as `longDate`. */
export const longDay = (isoDay: string): string => longDate(`${isoDay}T12:00:00+08:00`);
/** `5 December 2026 at 3:00 PM`. */
export const longDateTime = (time: Time): string => `${longDate(time)} at ${clock.format(new Date(time))}`;
/** `Saturday, 5 December 2026`. */
export const weekdayDate = (time: Time): string => dayWithWeekday.format(new Date(time));
/** `Saturday, 5 December 2026 at 3:00 PM`. */
export const weekdayDateTime = (time: Time): string =>
  `${weekdayDate(time)} at ${clock.format(new Date(time))}`;
/** `Saturday, 5 December 2026 at 3:00 – 5:00 PM`. */
export const weekdayDateTimes = (from: Time, until: Time): string =>
  `${weekdayDate(from)} at ${clock.formatRange(new Date(from), new Date(until))}`;
