import { expect, test } from 'vitest';
import { calendarFile, meetingLabel } from './request-texts.ts';

test.for([
  ['2026-12-05T10:00:00.000Z', '2026-12-05T12:00:00.000Z', -480, 'Sat, 5 Dec 2026, 6:00 PM to 8:00 PM'],
  ['2026-12-04T16:30:00.000Z', null, -480, 'Sat, 5 Dec 2026, 12:30 AM'],
  ['2026-12-05T04:00:00.000Z', null, 60, 'Sat, 5 Dec 2026, 12:00 PM (Philippine time)'],
] as const)('says %s to %s in Philippine time', ([from, until, offset, label]) => {
  expect(meetingLabel(from, until, offset)).toBe(label);
});

const event = {
  id: 'request',
  title: 'Coffee in Makati with Ana',
  place: 'Cafe; 2nd floor, left\\right\nGate',
  meetsAt: '2026-12-05T10:00:00.000Z',
  meetsUntil: '2026-12-05T12:00:00.000Z',
  updatedAt: '2026-11-22T09:00:00.000Z',
};

test('a calendar file has one event in UTC, with its texts escaped', () => {
  const lines = calendarFile(event).split('\r\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'UID:request@tara',
      'DTSTART:20261205T100000Z',
      'DTEND:20261205T120000Z',
      'SUMMARY:Coffee in Makati with Ana',
      'LOCATION:Cafe\\; 2nd floor\\, left\\\\right\\nGate',
    ]),
  );
  expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR', '']);
});

test('folds long lines of a calendar file within 75 bytes, and not within a character', () => {
  const place = '🏝️ñ'.repeat(30);
  const file = calendarFile({ ...event, place });
  for (const line of file.split('\r\n'))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(file.replaceAll('\r\n ', '')).toContain(`LOCATION:${place}`);
});
