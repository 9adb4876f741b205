import { meetingFields, meetingTime } from '../interactions/meetings.ts';
import type { TakenTime } from './plans.ts';

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const dayName = `(${dayNames.join('|')})(?:s|r|rs|ur|nes)?(?:days?)?(?![a-z])`;
const dayRange = new RegExp(`(?<![a-z])${dayName}(?:\\s*(?:-|–|—|to)\\s*${dayName})?`, 'gi');
/** Words after which days are those on which it is not. */
const exception = /\b(?:no|not|but|exc|except)\b/i;

const everyDay = [0, 1, 2, 3, 4, 5, 6];

const weekdayOf = (name: string) => dayNames.indexOf(name.toLowerCase());

/** The days of the week, 0 is Sunday, that a plan's free text names, such as 'Sat 7am' or 'Fri-Sun'; all where it names none. */
function readWeekdays(text: string): number[] {
  if (exception.test(text)) return everyDay;
  if (/\bweekends?\b/i.test(text)) return [0, 6];
  if (/\bweekdays?\b/i.test(text)) return [1, 2, 3, 4, 5];
  const weekdays = new Set<number>();
  for (const [, first = '', last] of text.matchAll(dayRange)) {
    const [from, to] = [weekdayOf(first), weekdayOf(last ?? first)];
    for (let day = from; ; day = (day + 1) % 7) {
      weekdays.add(day);
      if (day === to) break;
    }
  }
  return weekdays.size === 0 ? everyDay : [...weekdays].sort((a, b) => a - b);
}

const clock = String.raw`(\d{1,2})(?:([:.])(\d{2}))?\s*(?:(am|pm|nn)\b)?`;
const clockRange = new RegExp(`(?<![\\d:.])${clock}(?:\\s*(?:-|–|—|to)\\s*${clock})?(?![\\d:.]|h\\b)`, 'gi');

interface Clock {
  hour: number;
  minute: number;
  half: string | undefined;
}

/** `HH:MM` of '6 pm'; null for what is no time. */
function toTime({ hour, minute, half }: Clock): string | null {
  if (minute > 59 || hour > (half ? 12 : 23)) return null;
  const hours = half ? (hour % 12) + (half === 'am' ? 0 : 12) : hour;
  return `${String(hours).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

const minutesOf = ({ hour, minute }: Clock) => (hour % 12) * 60 + minute;

/** The beginning of '6-9 pm', whose half of the day stands at its end: both are in it, of '11-2 pm' only the end. */
function withHalf(first: Clock, last: Clock): Clock {
  if (first.half || !last.half || first.hour > 12) return first;
  const isSameHalf = minutesOf(first) < minutesOf(last);
  return { ...first, half: isSameHalf === (last.half !== 'am') ? 'pm' : 'am' };
}

/**
 * `HH:MM` at which a plan begins by its free text: '7am-4pm', '6-9 pm', '18:30', 'noon'. Null where none is written, or
 * where it has two readings, as '6-9'. Numbers without am, pm or a colon are no times: '4 pax 6pm', '2x Sat 9am'.
 */
function readStart(text: string): string | null {
  if (/\bnoon\b/i.test(text)) return '12:00';
  const toClock = (hour = '', minute = '0', half?: string): Clock => ({
    ...{ hour: Number(hour), minute: Number(minute) },
    half: half?.toLowerCase(),
  });
  const starts = [...text.matchAll(clockRange)].flatMap(
    ([, hour, sign, minute, half, to, _sign, until, end]) => {
      const start = withHalf(toClock(hour, minute, half), toClock(to, until, end));
      return start.half || (sign === ':' && start.hour > 12) ? [toTime(start)] : [];
    },
  );
  return starts.length === 1 ? (starts[0] ?? null) : null;
}

/** On which days of the week and at what time a plan begins, as far as its free text says so. */
export const readPlanTime = (text: string) => ({ weekdays: readWeekdays(text), start: readStart(text) });

const minuteMs = 60_000;

/** The taken times that a meeting of so many minutes would overlap. */
export function takenAt(taken: readonly TakenTime[], startsAt: string, minutes: number): TakenTime[] {
  const start = Date.parse(startsAt);
  const end = start + minutes * minuteMs;
  return taken.filter(({ from, until }) => Date.parse(from) < end && Date.parse(until) > start);
}

const dayMs = 86_400_000;
/** How many days ahead are looked at. */
const offeredAheadDays = 60;

interface Offer {
  /** The plan's free text. */
  time: string;
  durationMinutes: number;
  taken: readonly TakenTime[];
  now: number;
}

/**
 * The next `count` days, `YYYY-MM-DD` in Philippine time, on which the plan can take place: within the days of the week
 * that its text names, and, where that says when it begins, with its start ahead and its creator not booked then.
 */
export function offeredDays({ time, durationMinutes, taken, now }: Offer, count: number): string[] {
  const { weekdays, start } = readPlanTime(time);
  const days: string[] = [];
  for (let ahead = 0; ahead < offeredAheadDays && days.length < count; ahead++) {
    const { day } = meetingFields(new Date(now + ahead * dayMs).toISOString());
    if (!weekdays.includes(new Date(`${day}T00:00:00Z`).getUTCDay())) continue;
    if (start !== null) {
      const startsAt = meetingTime(day, start);
      if (Date.parse(startsAt) <= now || takenAt(taken, startsAt, durationMinutes).length > 0) continue;
    }
    days.push(day);
  }
  return days;
}
