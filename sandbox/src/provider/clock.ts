/** The time, and a way to be called later. Tests may bring their own. */
export type Clock = {
  /** ms since 1970 */
  now(): number;
  /** Calls `run` once after `ms`; gives back how to call it off. */
  after(ms: number, run: () => void): () => void;
};

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    // Longer waits than a timer can hold are looked at again on the way.
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
