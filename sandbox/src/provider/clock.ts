/** The current time and timers. Tests may pass their own. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after `ms`. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
};

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    // A timer cannot run longer than this; the worker then finds nothing due and sets the next one.
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
