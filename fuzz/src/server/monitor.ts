/** A request of the fuzzer to the server's process. */
export type Question = 'reset' | 'read';

/** The reply of the process. */
export interface Observed {
  /** How long the event loop was blocked when its thread worked most, since the last reset, ms. */
  blockedMs: number;
  /** What the thread worked meanwhile, ms: on a busy machine a block is longer. */
  workedMs: number;
  /** Keys that somebody put on `Object.prototype`. */
  polluted: string[];
}

/** ms between two looks at the event loop. */
const resolution = 10;

/** Looks at the event loop again and again: a look that comes late was blocked since the one before. */
function watchEventLoop() {
  let lookedAt = performance.now();
  let usage = process.threadCpuUsage();
  let most = { blockedMs: 0, workedMs: 0 };
  setInterval(() => {
    const now = performance.now();
    const used = process.threadCpuUsage();
    const workedMs = (used.user - usage.user + used.system - usage.system) / 1000;
    if (workedMs > most.workedMs) most = { blockedMs: now - lookedAt, workedMs };
    lookedAt = now;
    usage = used;
  }, resolution).unref();
  return {
    most: () => most,
    reset: () => {
      most = { blockedMs: 0, workedMs: 0 };
    },
  };
}

/**
 * Answers the parent process about this one's event loop. It runs beside the server, in a process that only the fuzzer
 * starts: no call of the server shows it.
 */
export function answerFuzzer(): void {
  const eventLoop = watchEventLoop();
  process.on('message', (question: Question) => {
    // A block that just ended is counted by the next look.
    setTimeout(() => {
      const observed: Observed = { ...eventLoop.most(), polluted: Object.keys(Object.prototype) };
      if (question === 'reset') eventLoop.reset();
      process.send?.(observed);
    }, resolution * 3);
  });
  process.on('disconnect', () => process.exit());
}
