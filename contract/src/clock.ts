/** Where the server, the payment sandbox and the contract read the time. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** The same for durations, also when the system's time is set; left out, `nowMs`. */
  steadyMs?(): number;
  /** Does something after so many ms; left out, the timers of the system do. @returns what cancels it */
  after?(ms: number, run: () => void): () => void;
}

function systemAfter(ms: number, run: () => void): () => void {
  // A number in browsers.
  const timer: unknown = setTimeout(run, ms);
  (timer as { unref?(): void }).unref?.();
  return () => clearTimeout(timer as number);
}

const systemClock: Clock = {
  nowMs: () => Date.now(),
  steadyMs: () => performance.timeOrigin + performance.now(),
  after: systemAfter,
};
let clock = systemClock;

/** The time in milliseconds since 1970. */
export const nowMs = (): number => clock.nowMs();

/** The time as a new `Date`. */
export const nowDate = (): Date => new Date(clock.nowMs());

/** How old something is, is the difference of two of these, in milliseconds: they go on as they did when the system's time is set. */
export const steadyMs = (): number => clock.steadyMs?.() ?? clock.nowMs();

/**
 * Does something after a short wait of the clock, which does not keep the process alive and ends with it: what has to be done also
 * after a crash is a job with a time. @returns what cancels it
 */
export const runAfter = (ms: number, run: () => void): (() => void) => (clock.after ?? systemAfter)(ms, run);

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
