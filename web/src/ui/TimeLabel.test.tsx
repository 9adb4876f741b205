import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  clockTime,
  dateLabel,
  dayLabel,
  exactTime,
  isRecent,
  timeLabel,
  useCountDown,
} from './TimeLabel.tsx';

const now = new Date(2026, 2, 14, 10, 0, 0);
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('time labels', () => {
  it.each([
    ['of this moment', 0, 'Just now'],
    ['of 59 seconds ago (§4-time-just-now)', 59 * SECOND, 'Just now'],
    ['of a clock slightly ahead', -20 * SECOND, 'Just now'],
    ['of 60 seconds ago (§4-time-minutes)', 60 * SECOND, '1m'],
    ['of 59 minutes and 59 seconds ago (§4-time-minutes)', 59 * MINUTE + 59 * SECOND, '59m'],
    ['of an hour ago (§4-time-hours)', HOUR, '1h'],
    ['late yesterday, but under a day ago, (§4-time-hours)', DAY - MINUTE, '23h'],
    ['of a day ago (§4-time-yesterday)', DAY, 'Yesterday'],
    ['of 25 hours ago (§4-time-yesterday)', 25 * HOUR, 'Yesterday'],
    ['of the first minute of yesterday', 33 * HOUR + 59 * MINUTE, 'Yesterday'],
    ['of the last minute of the day before yesterday (§4-time-date)', 34 * HOUR + MINUTE, '12 Mar'],
    ['of last year', 100 * 24 * HOUR, '4 Dec 2025'],
    ['far in the future', -48 * HOUR, '16 Mar'],
  ])('the label of a time %s', (_, past, label) => {
    expect(timeLabel(ago(past), now)).toBe(label);
  });

  it('shows nothing for an invalid date', () => {
    expect(timeLabel('', now)).toBe('');
    expect(timeLabel('soon', now)).toBe('');
    expect(timeLabel(null, now)).toBe('');
    expect(dayLabel('soon', now)).toBe('');
    expect(exactTime(undefined)).toBe('');
    expect(clockTime('x')).toBe('');
  });

  it('names days and months as Intl does', () => {
    const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });
    const clock = new Intl.DateTimeFormat('en-PH', { timeStyle: 'short' });
    const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
    for (let month = 0; month < 12; month++) {
      const day = new Date(2024, month, month + 1, 2 * month, 5 * month);
      expect(exactTime(day.toISOString())).toBe(
        `${full.format(day)} at ${clock.format(day).replace(/\s/, ' ')}`,
      );
      expect(timeLabel(day.toISOString(), now)).toBe(short.format(day));
    }
  });

  it('gives the exact time', () => {
    expect(exactTime(now.toISOString())).toMatch(/Saturday.*14 March 2026.*10:00 AM/);
    expect(clockTime(now.toISOString())).toBe('10:00 AM');
  });
});

describe('date display', () => {
  it('has day, month and year with two digits each, and says when it is empty (§5-date-display)', () => {
    expect(dateLabel('2002-01-01')).toBe('01/01/02');
    expect(dateLabel('')).toBe('Not set yet.');
  });

  it.each([
    ['1900-12-31', '31/12/00'],
    ['2026-03-14T02:00:00.000Z', '14/03/26'],
    [null, 'Not set yet.'],
    [undefined, 'Not set yet.'],
    ['not a date', 'Not set yet.'],
  ])('%s → %s', (iso, label) => {
    expect(dateLabel(iso)).toBe(label);
  });
});

describe('days of a list', () => {
  it.each([
    ['of this moment', 0, 'Today'],
    ['of the first minute of the day', 10 * HOUR - MINUTE, 'Today'],
    ['of the last minute of the day before', 10 * HOUR + MINUTE, 'Yesterday'],
    ['of the first minute of the day before', 34 * HOUR - MINUTE, 'Yesterday'],
    ['of two days before', 34 * HOUR + MINUTE, 'Thursday, 12 March'],
    ['of last year', 100 * DAY, 'Thursday, 4 December 2025'],
  ])('the day of a time %s', (_, past, label) => {
    expect(dayLabel(ago(past), now)).toBe(label);
  });
});

describe('recent', () => {
  it('is within a day', () => {
    expect(isRecent(ago(24 * HOUR), now)).toBe(true);
    expect(isRecent(ago(24 * HOUR + 1), now)).toBe(false);
    expect(isRecent(ago(-48 * HOUR), now)).toBe(false);
    expect(isRecent(null, now)).toBe(false);
  });
});

describe('a countdown', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it('counts down, says once that it is done, and starts again', () => {
    const onDone = vi.fn();
    const { result } = renderHook(() => useCountDown(3, onDone));
    expect(result.current.left).toBe(3);
    act(() => void vi.advanceTimersByTime(2_000));
    expect(result.current.left).toBe(1);
    act(() => void vi.advanceTimersByTime(5_000));
    expect(result.current).toMatchObject({ left: 0, done: true });
    expect(onDone).toHaveBeenCalledOnce();
    act(() => result.current.restart(60));
    expect(result.current).toMatchObject({ left: 60, done: false });
  });
});
