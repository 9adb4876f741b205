import { timeZone } from '@tara/contract/limits';

/** A day as texts for people write it: "November 24, 2026". */
export const longDate = new Intl.DateTimeFormat('en-PH', { timeZone, dateStyle: 'long' });
/** A day of the Philippines, `YYYY-MM-DD`, as `longDate`. */
export const longDay = (day: string): string => longDate.format(new Date(`${day}T12:00:00+08:00`));
/** A day and its time of day: "November 24, 2026 at 8:00 AM". */
export const longDateTime = new Intl.DateTimeFormat('en-PH', {
  timeZone,
  dateStyle: 'long',
  timeStyle: 'short',
});
