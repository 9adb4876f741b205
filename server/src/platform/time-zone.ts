import { timeZone as productZone } from '@tara/contract/limits';

interface LocalTime {
  /** 0 to 23. */
  hour: number;
  minute: number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function openClock(timeZone: string): Intl.DateTimeFormat {
  const clock = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' },
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** The clock of a time zone; of one that this Node does not know any more, that of the product. */
function clockIn(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  try {
    return openClock(timeZone);
  } catch {
    return openClock(productZone);
  }
}

/** The one spelling of a time zone's name, which is taken in any case: `asia/manila` is `Asia/Manila`. @throws RangeError for no zone */
export const canonicalTimeZone = (name: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;

/** What a clock shows at a moment in a time zone, such as `Asia/Manila`. */
export function localTime(at: Date, timeZone: string): LocalTime {
  const parts = clockIn(timeZone).formatToParts(at);
  const read = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  return { hour: read('hour'), minute: read('minute') };
}

const quarterMs = 15 * 60_000;
/** Days of 25 hours are the longest. */
const mostQuarters = 26 * 4;

/**
 * The first quarter of an hour after a moment at which the clock of a time zone shows what is looked for; a day later where
 * it never does. All time zones differ by quarters, so that a change of summer time needs no rule of its own.
 */
export function nextLocalTime(after: Date, timeZone: string, isWanted: (time: LocalTime) => boolean): Date {
  const first = Math.floor(after.getTime() / quarterMs) * quarterMs + quarterMs;
  for (let count = 0; count < mostQuarters; count += 1) {
    const at = new Date(first + count * quarterMs);
    if (isWanted(localTime(at, timeZone))) return at;
  }
  return new Date(after.getTime() + 24 * 3_600_000);
}
