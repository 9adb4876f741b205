import { useEffect, useEffectEvent, useState } from 'react';

/** The longest that a timer of the browser can wait, in ms. */
const longestTimerMs = 2 ** 31 - 1;
/** How long after the server's time data is fetched, and how long until it is again, in ms: clocks differ. */
const clockMarginMs = 1_000;
const retryMs = 30_000;

/** Fetches data again at the first of these times, at which the server said that it changes; null: never. */
export function useRefreshAt(times: readonly (string | null)[], refresh: () => Promise<unknown>): void {
  const next = Math.min(
    ...times.map((time) => (time === null ? Number.POSITIVE_INFINITY : Date.parse(time))),
  );
  const [fetches, setFetches] = useState(0);
  const fetchAgain = useEffectEvent(async () => {
    // The data on screen stays; the next try refreshes it.
    await refresh().catch(() => undefined);
    setFetches((count) => count + 1);
  });
  useEffect(() => {
    const waitMs = Math.max(next - Date.now() + clockMarginMs, fetches === 0 ? 0 : retryMs);
    if (waitMs > longestTimerMs) return;
    const timer = setTimeout(() => void fetchAgain(), waitMs);
    return () => clearTimeout(timer);
  }, [next, fetches]);
}
