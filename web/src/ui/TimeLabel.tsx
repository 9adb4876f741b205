import { useSyncExternalStore } from 'react';
import { cx } from './cx.ts';

/** When something happened, relative and kept true (§4); exact on hover. */
export function TimeLabel({ iso, className }: { iso: string; className?: string }) {
  // The page's clock ticks every 30 seconds; what came in between must not lie in its future.
  const now = new Date(Math.max(useNow(), Date.now()));
  return (
    <time dateTime={iso} title={exactTime(iso)} className={cx('figures whitespace-nowrap', className)}>
      {timeLabel(iso, now)}
    </time>
  );
}

const TICK = 30_000;
let current = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick() {
  current = Date.now();
  for (const listener of listeners) listener();
}

// One clock for the whole page, and none while nobody looks at it.
function subscribe(listener: () => void) {
  listeners.add(listener);
  if (timer === undefined) {
    current = Date.now();
    timer = setInterval(tick, TICK);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time now in milliseconds, anew every 30 seconds. */
function useNow(): number {
  return useSyncExternalStore(subscribe, () => current);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** §4: recent means within 3 days. */
const RECENT = 3 * DAY;
/** A server's clock may be a little ahead of this one. */
const AHEAD = 5 * MINUTE;

const DAY_ONLY = /^(\d{4})-(\d{2})-(\d{2})$/;
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' });
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayMonthYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** A day without a time is that day here, not midnight in Greenwich. Null for what is no date. */
function parse(iso: string | null | undefined): Date | null {
  if (!iso) return null;
  const day = DAY_ONLY.exec(iso);
  const date = day ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3])) : new Date(iso);
  return Number.isNaN(date.getTime()) ? null : date;
}

const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/**
 * §4: under 60 seconds 'Just now', then minutes ('5m'), hours ('2h'), 'Yesterday', else a short date
 * ('14 Mar', with its year when that is not this one). Empty for what is no date.
 */
export function timeLabel(iso: string | null | undefined, now: Date): string {
  const then = parse(iso);
  if (!then) return '';
  const past = now.getTime() - then.getTime();
  if (past < MINUTE && past > -AHEAD) return 'Just now';
  if (past >= MINUTE && past < HOUR) return `${Math.floor(past / MINUTE)}m`;
  if (past >= HOUR && past < DAY) return `${Math.floor(past / HOUR)}h`;
  // By the calendar, and rounded, because a day of a clock change has 23 or 25 hours.
  if (Math.round((midnight(now) - midnight(then)) / DAY) === 1) return 'Yesterday';
  return (then.getFullYear() === now.getFullYear() ? dayMonth : dayMonthYear).format(then);
}

/** The full date and time, for a title. Empty for what is no date. */
export function exactTime(iso: string | null | undefined): string {
  const date = parse(iso);
  return date ? exact.format(date) : '';
}

/** The time of day, '14:05', for a message among others of its day. */
export function clockTime(iso: string | null | undefined): string {
  const date = parse(iso);
  return date ? clock.format(date) : '';
}

/** §5: day/month/year with two digits each; 'Not set yet.' when empty. */
export function dateLabel(iso: string | null | undefined): string {
  const date = parse(iso);
  if (!date) return 'Not set yet.';
  const two = (number: number) => String(number % 100).padStart(2, '0');
  return `${two(date.getDate())}/${two(date.getMonth() + 1)}/${two(date.getFullYear())}`;
}

/** §4: whether it was within the last 3 days. */
export function isRecent(iso: string | null | undefined, now: Date): boolean {
  const date = parse(iso);
  if (!date) return false;
  const past = now.getTime() - date.getTime();
  return past <= RECENT && past > -AHEAD;
}
