import { meetingFields, meetingTime } from '../interactions/meetings.ts';
import type { TakenTime } from './plans.ts';

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const dayName = `(${dayNames.join('|')})(?:s|r|rs|ur|nes)?(?:days?)?\\b`;
const dayRange = new RegExp(`\\b${dayName}(?:\\s*(?:-|–|—|to)\\s*${dayName})?`, 'gi');

const weekdayOf = (name: string) => dayNames.indexOf(name.toLowerCase());

/** The days of the week, 0 is Sunday, that a plan's free text names, such as 'Sat 7am' or 'Fri-Sun'; all where it names none. */
function readWeekdays(text: string): number[] {
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
  return weekdays.size === 0 ? [0, 1, 2, 3, 4, 5, 6] : [...weekdays].sort((a, b) => a - b);
}

const clock = /(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|nn)?/gi;

interface Clock {
  hour: number;
  minute: number;
  half: string | undefined;
}

/** Hours of the day of '6 pm'; null for what is no time. */
function toHour({ hour, minute, half }: Clock): number | null {
  if (minute > 59 || hour > (half ? 12 : 23)) return null;
  return half ? (hour % 12) + (half === 'am' ? 0 : 12) : hour;
}

/**
 * `HH:MM` at which a plan begins by its free text: '7am-4pm', '6-9 pm', '18:30', 'noon'. Null where none is written, or
 * where it has two readings, as '6-9'.
 */
function readStart(text: string): string | null {
  if (/\bnoon\b/i.test(text)) return '12:00';
  const [first, last] = [...text.matchAll(clock)].map(
    ([, hour, minute = '0', half]): Clock => ({
      hour: Number(hour),
      minute: Number(minute),
      half: half?.toLowerCase(),
    }),
  );
  if (!first) return null;
  let start = first;
  // Of '6-9 pm' both are in the afternoon, of '11-2 pm' only the end.
  if (!first.half && last?.half && first.hour <= 12) {
    const isSameHalf = (first.hour % 12) * 60 + first.minute < (last.hour % 12) * 60 + last.minute;
    const isAfternoon = last.half !== 'am';
    start = { ...first, half: isSameHalf === isAfternoon ? 'pm' : 'am' };
  }
  if (!start.half && start.hour < 13) return null;
  const hour = toHour(start);
  if (hour === null) return null;
  return `${String(hour).padStart(2, '0')}:${String(start.minute).padStart(2, '0')}`;
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
 * that its text names, its start ahead, and its creator not booked then.
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
