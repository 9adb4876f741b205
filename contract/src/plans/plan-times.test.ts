import { describe, expect, it } from 'vitest';
import { offeredDays, readPlanTime, takenAt } from './plan-times.ts';

const all = [0, 1, 2, 3, 4, 5, 6];

describe('the free text of a plan’s time', () => {
  it.each([
    ['6-9 pm', all, '18:00'],
    ['7am–4pm', all, '07:00'],
    ['11-2 pm', all, '11:00'],
    ['10pm-2am', all, '22:00'],
    ['10-2 am', all, '22:00'],
    ['12-2 pm', all, '12:00'],
    ['9-12 nn', all, '09:00'],
    ['18:30', all, '18:30'],
    ['6.30pm', all, '18:30'],
    ['noon', all, '12:00'],
    ['Sat 7am', [6], '07:00'],
    ['Sat-Sun', [0, 6], null],
    ['Fri to Mon', [0, 1, 5, 6], null],
    ['Thursdays', [4], null],
    ['weekends', [0, 6], null],
    ['weekdays', [1, 2, 3, 4, 5], null],
    ['Sat7am', [6], '07:00'],
    ['Sun7-9pm', [0], '19:00'],
    ['2h 5pm', all, '17:00'],
    ['4 pax 6pm', all, '18:00'],
    ['2x Sat 9am', [6], '09:00'],
    ['1h, 6pm', all, '18:00'],
    ['no Sunday', all, null],
    ['exc. Sun', all, null],
    // Two readings, or none.
    ['7amSat', all, null],
    ['6.5 pm', all, null],
    ['1730', all, null],
    ['1830H', all, null],
    ['18h30', all, null],
    ['9am, 5pm', all, null],
    ['9:30', all, null],
    ['6-9', all, null],
    ['25:00', all, null],
    ['13 pm', all, null],
    ['sunset', all, null],
    ['', all, null],
  ] as const)('%j is on %j at %s', (text, weekdays, start) => {
    expect(readPlanTime(text)).toEqual({ weekdays, start });
  });
});

// Tuesday, noon in Manila.
const now = Date.parse('2026-11-24T12:00:00+08:00');
const evening = { time: '6-9 pm', durationMinutes: 180, taken: [], now };

describe('the days that are offered', () => {
  it('begin with today as long as the time is ahead', () => {
    expect(offeredDays(evening, 2)).toEqual(['2026-11-24', '2026-11-25']);
    expect(offeredDays({ ...evening, time: '7am' }, 2)).toEqual(['2026-11-25', '2026-11-26']);
  });
  it('are days of the plan', () => {
    expect(offeredDays({ ...evening, time: 'Sat 7am' }, 2)).toEqual(['2026-11-28', '2026-12-05']);
  });
  it('are those of the next 60 days', () => {
    expect(offeredDays(evening, 99)).toHaveLength(60);
    expect(offeredDays(evening, 99).at(-1)).toBe('2027-01-22');
  });
  it('leave out days on which the creator is booked at that time, and no others', () => {
    const taken = [
      { from: '2026-11-24T20:59:00+08:00', until: '2026-11-24T22:00:00+08:00' },
      { from: '2026-11-25T15:00:00+08:00', until: '2026-11-25T18:00:00+08:00' },
      { from: '2026-11-26T18:00:00+08:00', until: '2026-11-26T19:00:00+08:00' },
    ];
    expect(offeredDays({ ...evening, taken }, 2)).toEqual(['2026-11-25', '2026-11-27']);
    expect(takenAt(taken, '2026-11-26T18:30:00+08:00', 30)).toEqual([taken[2]]);
  });
});
