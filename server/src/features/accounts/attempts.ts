import { Problem } from '../../platform/problem.ts';

/** Counts tries by key within a window that begins with the first of them. */
export interface Attempts {
  /** Counts one try. @throws Problem `general_rate_limit_exceeded` with the seconds to wait. */
  take(key: string): void;
  /** Whether a try would be taken, and counts it if so. */
  allows(key: string): boolean;
  /** Forgets the tries of a key, as after a success. */
  clear(key: string): void;
}

/** Keys kept at once; beyond, the oldest window goes. */
const kept = 50_000;

/** `times` tries in `seconds`, in this process; no limit at all when `enabled` is false. */
export function countAttempts(enabled: boolean, times: number, seconds: number): Attempts {
  const windows = new Map<string, { count: number; until: number }>();
  const dropOldest = () => {
    if (windows.size <= kept) return;
    const oldest = windows.keys().next();
    if (!oldest.done) windows.delete(oldest.value);
  };
  /** Seconds to wait; 0 when the try was taken. */
  const count = (key: string): number => {
    if (!enabled) return 0;
    const now = Date.now();
    let window = windows.get(key);
    if (window === undefined || window.until <= now) {
      windows.delete(key);
      window = { count: 0, until: now + seconds * 1000 };
      windows.set(key, window);
      dropOldest();
    }
    if (window.count >= times) return Math.max(1, Math.ceil((window.until - now) / 1000));
    window.count++;
    return 0;
  };
  return {
    take: (key) => {
      const wait = count(key);
      if (wait > 0) throw new Problem('general_rate_limit_exceeded', { retryAfter: wait });
    },
    allows: (key) => count(key) === 0,
    clear: (key) => void windows.delete(key),
  };
}
