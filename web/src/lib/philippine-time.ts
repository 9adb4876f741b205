import { timeZone } from '@tara/contract/limits';

const format = new Intl.DateTimeFormat('en-PH', { dateStyle: 'long', timeStyle: 'short', timeZone });

/** A time in the Philippines, for papers and pages that others read: `December 5, 2026 at 3:00 PM`. */
export const philippineTime = (iso: string): string => format.format(new Date(iso));
