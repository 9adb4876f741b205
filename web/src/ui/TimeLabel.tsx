import { clsx } from 'clsx';
import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';

/** When something happened, relative and kept true (§4); exact on hover. */
export function TimeLabel({ iso, className }: { iso: string; className?: string }) {
  // The shared clock ticks every 30 s; a time since the last tick must not be in the future.
  const now = new Date(Math.max(useNow(), Date.now()));
  return (
    <time dateTime={iso} title={exactTime(iso)} className={clsx('figures whitespace-nowrap', className)}>
      {timeLabel(iso, now)}
    </time>
  );
}

const TICK_MS = 30_000;
let current = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick() {
  current = Date.now();
  for (const listener of listeners) listener();
}

// One clock for the whole page, running only while it has listeners.
function subscribe(listener: () => void) {
  listeners.add(listener);
  if (timer === undefined) {
    current = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time in milliseconds, updated every 30 seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => current);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** §4: recent means within 3 days. */
const RECENT_MS = DAY_MS;
/** A server's clock may be a little ahead of this one. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

const DAY_ONLY = /^(\d{4})-(\d{2})-(\d{2})$/;

// By hand, because the first use of Intl takes a tenth of a second of a phone's first screen.
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const monthName = (date: Date) => MONTHS[date.getMonth()] ?? '';
const twoDigits = (number: number) => String(number).padStart(2, '0');
/** '2:05 PM', as times of plans are written. */
const clock = (date: Date) =>
  `${date.getHours() % 12 || 12}:${twoDigits(date.getMinutes())} ${date.getHours() < 12 ? 'AM' : 'PM'}`;
/** '14 Mar'; September is 'Sept', as the British write it. */
const dayMonth = (date: Date) =>
  `${date.getDate()} ${monthName(date).slice(0, date.getMonth() === 8 ? 4 : 3)}`;
/** '14 March 2026'. */
const longDate = (date: Date) => `${date.getDate()} ${monthName(date)} ${date.getFullYear()}`;

/** A day without a time is that day here, not midnight in Greenwich. Null for an invalid date. */
function parse(iso: string | null | undefined): Date | null {
  if (!iso) return null;
  const day = DAY_ONLY.exec(iso);
  const date = day ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3])) : new Date(iso);
  return Number.isNaN(date.getTime()) ? null : date;
}

const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/**
 * §4: under 60 seconds 'Just now', then minutes ('5m'), hours ('2h'), 'Yesterday', else a short date
 * ('14 Mar', with its year when that is not this one). Empty for an invalid date.
 */
export function timeLabel(iso: string | null | undefined, now: Date): string {
  const then = parse(iso);
  if (!then) return '';
  const ageMs = now.getTime() - then.getTime();
  if (ageMs < MINUTE_MS && ageMs > -CLOCK_SKEW_MS) return 'Just now';
  if (ageMs >= MINUTE_MS && ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)}m`;
  if (ageMs >= HOUR_MS && ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)}h`;
  // By the calendar, and rounded, because a day of a clock change has 23 or 25 hours.
  if (Math.round((midnight(now) - midnight(then)) / DAY_MS) === 1) return 'Yesterday';
  return then.getFullYear() === now.getFullYear()
    ? dayMonth(then)
    : `${dayMonth(then)} ${then.getFullYear()}`;
}

/** The day of a time, as the heading of a list by days: 'Today', 'Yesterday', 'Monday, 2 March', with the year when that is not this one. */
export function dayLabel(iso: string, now: Date): string {
  const date = parse(iso);
  if (!date) return '';
  const days = Math.round((midnight(now) - midnight(date)) / DAY_MS);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  const year = date.getFullYear() === now.getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${WEEKDAYS[date.getDay()]}, ${date.getDate()} ${monthName(date)}${year}`;
}

/** '15 June 1995'. Empty for an invalid date. */
export function fullDate(iso: string | null | undefined): string {
  const date = parse(iso);
  return date ? longDate(date) : '';
}

/** The full date and time, for a title. Empty for an invalid date. */
export function exactTime(iso: string | null | undefined): string {
  const date = parse(iso);
  return date ? `${WEEKDAYS[date.getDay()]}, ${longDate(date)} at ${clock(date)}` : '';
}

/** The time of day, '2:05 PM', for a message among others of its day. */
export function clockTime(iso: string | null | undefined): string {
  const date = parse(iso);
  return date ? clock(date) : '';
}

/** §5: day/month/year with two digits each; 'Not set yet.' when empty. */
export function dateLabel(iso: string | null | undefined): string {
  const date = parse(iso);
  if (!date) return 'Not set yet.';
  return [date.getDate(), date.getMonth() + 1, date.getFullYear() % 100].map(twoDigits).join('/');
}

/** `isRecent` by the shared clock. */
export function useIsRecent(iso: string): boolean {
  return isRecent(iso, new Date(useNow()));
}

/** Whether it was within the last day (§4; decision 0002). */
export function isRecent(iso: string | null | undefined, now: Date): boolean {
  const date = parse(iso);
  if (!date) return false;
  const ageMs = now.getTime() - date.getTime();
  return ageMs <= RECENT_MS && ageMs > -CLOCK_SKEW_MS;
}

export interface CountDownState {
  /** Whole seconds left. */
  left: number;
  done: boolean;
  /** Starts again, from as many seconds as given or as at first. */
  restart: (seconds?: number) => void;
}

/** Counts seconds down by the clock, so that a sleeping tab does not lag behind. `onDone` is called once per run. */
export function useCountDown(seconds: number, onDone?: () => void): CountDownState {
  const [endsAt, setEndsAt] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);
  const finish = useEffectEvent(() => onDone?.());
  useEffect(() => {
    const tick = () => {
      const secondsLeft = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
      setLeft(secondsLeft);
      if (secondsLeft > 0) return;
      clearInterval(timer);
      finish();
    };
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [endsAt]);
  const restart = useCallback(
    (again = seconds) => {
      setLeft(again);
      setEndsAt(Date.now() + again * 1000);
    },
    [seconds],
  );
  return { left, done: left === 0, restart };
}
