import { findEvent } from '@tara/contract/notifications/events';
import { describe, expect, test } from 'vitest';
import { defaultSettings, type StoredSettings } from './choices.ts';
import { heldUntil, nextDailyEmail } from './hold.ts';

const event = (name: string) => findEvent(name) ?? expect.fail(`there is no event ${name}`);
const accepted = event('accepted');
const quiet: StoredSettings = { ...defaultSettings, quietFrom: 22, quietUntil: 7 };
const time = (iso: string) => new Date(iso);
const iso = (at: Date | null) => at?.toISOString() ?? null;

describe('quiet hours', () => {
  test.for([
    // Manila is eight hours ahead.
    ['in the evening', quiet, '2026-11-26T14:00:00Z', '2026-11-26T23:00:00.000Z'],
    ['after midnight', quiet, '2026-11-26T22:59:59Z', '2026-11-26T23:00:00.000Z'],
    ['at their end', quiet, '2026-11-26T23:00:00Z', null],
    ['in the day', quiet, '2026-11-26T04:00:00Z', null],
    ['just before they begin', quiet, '2026-11-26T13:59:59Z', null],
    ['that there are not', defaultSettings, '2026-11-26T14:00:00Z', null],
    [
      'in the day alone',
      { ...quiet, quietFrom: 9, quietUntil: 17 },
      '2026-11-26T04:30:00Z',
      '2026-11-26T09:00:00.000Z',
    ],
    [
      'when they begin in the day',
      { ...quiet, quietFrom: 9, quietUntil: 17 },
      '2026-11-26T01:00:00Z',
      '2026-11-26T09:00:00.000Z',
    ],
    [
      'of another zone, with quarters',
      { ...quiet, timeZone: 'Asia/Kathmandu' },
      '2026-11-26T17:00:00Z',
      '2026-11-27T01:15:00.000Z',
    ],
    [
      'that end on the day when the clock goes back',
      { ...quiet, timeZone: 'Europe/Berlin' },
      '2026-10-24T21:00:00Z',
      '2026-10-25T06:00:00.000Z',
    ],
    [
      'whose end is an hour that the clock leaves out',
      { ...quiet, quietUntil: 2, timeZone: 'Europe/Berlin' },
      '2026-03-28T22:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'of a zone that there is no more',
      { ...quiet, timeZone: 'Nowhere/Else' },
      '2026-11-26T14:00:00Z',
      '2026-11-26T23:00:00.000Z',
    ],
  ] as const)('%s', ([, settings, now, expected]) => {
    expect(iso(heldUntil(settings, accepted, time(now)))).toBe(expected);
  });

  test('hold neither security up nor the reminder of today’s plan, but what is about money', () => {
    const night = time('2026-11-26T16:00:00Z');
    for (const name of ['signedIn', 'leaving', 'upcoming'])
      expect(heldUntil(quiet, event(name), night), name).toBeNull();
    for (const name of ['paidOut', 'reminder', 'review', 'sanctioned'])
      expect(heldUntil(quiet, event(name), night), name).not.toBeNull();
  });
});

describe('a pause', () => {
  const paused = { ...defaultSettings, pausedUntil: time('2026-11-28T04:00:00Z') };
  const now = time('2026-11-26T04:00:00Z');

  test('holds up what can be switched off, until it ends', () => {
    expect(iso(heldUntil(paused, accepted, now))).toBe('2026-11-28T04:00:00.000Z');
    expect(iso(heldUntil(paused, event('review'), now))).toBe('2026-11-28T04:00:00.000Z');
    for (const name of ['paidOut', 'sanctioned', 'signedIn', 'upcoming'])
      expect(heldUntil(paused, event(name), now), name).toBeNull();
    expect(heldUntil(paused, accepted, time('2026-11-28T04:00:00Z'))).toBeNull();
  });

  test('that ends in quiet hours holds up until these end', () => {
    const both = { ...quiet, pausedUntil: time('2026-11-27T16:00:00Z') };
    expect(iso(heldUntil(both, accepted, now))).toBe('2026-11-27T23:00:00.000Z');
  });
});

test.for([
  ['later today', 'Asia/Manila', '2026-11-26T04:00:00Z', '2026-11-26T10:00:00.000Z'],
  ['tomorrow, once it went', 'Asia/Manila', '2026-11-26T10:00:00Z', '2026-11-27T10:00:00.000Z'],
  ['where it is evening later', 'America/Los_Angeles', '2026-11-26T10:00:00Z', '2026-11-27T02:00:00.000Z'],
  ['by summer time', 'America/Los_Angeles', '2026-07-01T10:00:00Z', '2026-07-02T01:00:00.000Z'],
] as const)('the daily email goes at 18:00 of the member: %s', ([, timeZone, now, expected]) => {
  expect(iso(nextDailyEmail({ ...defaultSettings, timeZone }, time(now)))).toBe(expected);
});
