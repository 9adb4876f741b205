/** Where the server, the payment sandbox and the contract read the time. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
}

const systemClock: Clock = { nowMs: () => Date.now() };
let clock = systemClock;

/** The time in milliseconds since 1970. */
export const nowMs = (): number => clock.nowMs();

/** The time as a new `Date`. */
export const nowDate = (): Date => new Date(clock.nowMs());

/**
 * Lets this thread read the time from another clock, as a test does that moves the time. A worker thread has its own clock.
 * @returns a function that puts back the clock that was there before
 */
export function replaceClock(other: Clock): () => void {
  const former = clock;
  clock = other;
  return () => {
    clock = former;
  };
}
