import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A request of the fuzzer to the server's process. */
export type Question = 'reset' | 'read';

/** The reply of the process. */
export interface Observed {
  /** The longest time that the event loop was blocked since the last reset, ms. */
  blockedMs: number;
  /** What the thread of the event loop worked since the last reset, ms: on a busy machine a block may be longer. */
  workedMs: number;
  /** Keys that somebody put on `Object.prototype`. */
  polluted: string[];
}

/** Sampling interval of the histogram in ms. */
const resolution = 10;

/**
 * Answers the parent process about this one's event loop. It runs beside the server, in a process that only the fuzzer
 * starts: no call of the server shows it.
 */
export function answerFuzzer(): void {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  let began = process.threadCpuUsage();
  process.on('message', (question: Question) => {
    // A block that just ended is counted by the next look.
    setTimeout(() => {
      const { user, system } = process.threadCpuUsage(began);
      const observed: Observed = {
        blockedMs: delays.max / 1e6,
        workedMs: (user + system) / 1000,
        polluted: Object.keys(Object.prototype),
      };
      if (question === 'read') return process.send?.(observed);
      delays.reset();
      // The first look after a reset only takes the time: a block before it would not be counted.
      setTimeout(() => {
        began = process.threadCpuUsage();
        process.send?.(observed);
      }, resolution * 3);
    }, resolution * 3);
  });
  process.on('disconnect', () => process.exit());
}
