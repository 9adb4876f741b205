import { meetingFields } from '@tara/contract/meetings';

// By hand, as in `TimeLabel`: Philippine time, whatever the device's own.
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** '6:00 PM' of '18:00'. */
function clock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}

const manilaOffsetMinutes = -480;

/**
 * 'Sat, 5 Dec 2026, 6:00 PM to 8:00 PM', in Philippine time, which is named where the device has another one.
 * @param offsetMinutes of the device, as `getTimezoneOffset` tells it.
 */
export function meetingLabel(
  meetsAt: string,
  meetsUntil: string | null,
  offsetMinutes = new Date(meetsAt).getTimezoneOffset(),
): string {
  const { day, time } = meetingFields(meetsAt);
  const date = new Date(`${day}T00:00:00Z`);
  const end = meetsUntil ? ` to ${clock(meetingFields(meetsUntil).time)}` : '';
  const zone = offsetMinutes === manilaOffsetMinutes ? '' : ' (Philippine time)';
  return `${weekdays[date.getUTCDay()]}, ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${clock(time)}${end}${zone}`;
}

/** Text of a calendar file: what ends or escapes a value is escaped, control characters are left out. */
const calendarText = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '');

/** '20261205T100000Z'. */
const calendarTime = (iso: string) => new Date(iso).toISOString().replace(/[-:]|\.\d+/g, '');

/** A line has at most 75 bytes; what is longer goes on after a line break and a space. Never within a character. */
function fold(line: string): string {
  const lines = [''];
  let bytes = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (bytes + size > 74) {
      lines.push('');
      bytes = 0;
    }
    lines[lines.length - 1] += character;
    bytes += size;
  }
  return lines.join('\r\n ');
}

interface CalendarEvent {
  id: string;
  title: string;
  place: string;
  meetsAt: string;
  meetsUntil: string;
  updatedAt: string;
}

/** A calendar file (RFC 5545) with one event. A later one of the same request takes its place in the calendar. */
export const calendarFile = ({ id, title, place, meetsAt, meetsUntil, updatedAt }: CalendarEvent): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tara//Plans//EN',
    'BEGIN:VEVENT',
    `UID:${id}@tara`,
    `DTSTAMP:${calendarTime(updatedAt)}`,
    `SEQUENCE:${Math.floor(Date.parse(updatedAt) / 1000) % 2_147_483_647}`,
    `DTSTART:${calendarTime(meetsAt)}`,
    `DTEND:${calendarTime(meetsUntil)}`,
    `SUMMARY:${calendarText(title)}`,
    ...(place ? [`LOCATION:${calendarText(place)}`] : []),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map(fold)
    .join('\r\n');
