import { timeZone } from '@tara/contract/limits';

const locale = 'en-PH';
const dayAndTime = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full', timeStyle: 'short' });
const moment = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'short' });

/** When two meet, in Philippine time: `Saturday, December 5, 2026, 3:00 – 5:00 PM`. */
export const meetingText = (meetsAt: string, meetsUntil: string | null) =>
  meetsUntil === null
    ? dayAndTime.format(new Date(meetsAt))
    : dayAndTime.formatRange(new Date(meetsAt), new Date(meetsUntil));

/** When a link ends, in Philippine time. */
export const sharingEnd = (endsAt: string) => moment.format(new Date(endsAt));
