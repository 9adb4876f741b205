import { useSyncExternalStore } from 'react';
import { cx } from './cx.ts';
import { exactTime, timeLabel } from './time.ts';

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
