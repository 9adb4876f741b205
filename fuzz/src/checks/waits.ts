import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Bystander } from '../world/bystander.ts';

/** How much longer than the quiet p99 another member may wait, ms. */
export const allowedWaitMs = 500;

/** A wait of the bystander, by `performance.now()`. */
export interface Wait {
  ms: number;
  from: number;
  to: number;
}

/** What the bystander waits for while inputs are sent. */
export interface Waits {
  /** Begins to read again and again. `end` resolves with the longest wait, after a read that began when it was called. */
  watch(): { end(): Promise<Wait> };
  /** Changes a record; its event reaches all sockets. The time until it reached the bystander is a wait as well. */
  makeEvent(): Promise<void>;
  /** Measures the quiet p99 again, ms, with nothing else under way. */
  measureQuiet(): Promise<number>;
  /** The quiet p99 that was measured last, ms. */
  quietP99(): number;
}

/** ms between two looks at this process's own event loop. */
const resolution = 10;
/** ms between two reads. */
const pauseMs = 60;
/** How much is measured of quiet times. */
const quiet = { reads: 90, changes: 10 };

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const noWait: Wait = { ms: 0, from: 0, to: 0 };

export function openWaits(bystander: Bystander): Waits {
  let longest = noWait;
  /** Changes are made one after the other: each waits for its own event. */
  let turn = Promise.resolve();
  let p99 = Number.POSITIVE_INFINITY;
  // What this process itself was late with is not a wait for the server.
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();

  const measure = async (work: () => Promise<void>): Promise<Wait> => {
    const from = performance.now();
    await work();
    const to = performance.now();
    return { ms: to - from, from, to };
  };
  const record = (wait: Wait) => {
    if (wait.ms > longest.ms) longest = wait;
  };

  return {
    watch() {
      let isEnding = false;
      longest = noWait;
      delays.reset();
      const reading = (async () => {
        for (let isLast = false; !isLast; await pause(isLast ? 0 : pauseMs)) {
          isLast = isEnding;
          record(await measure(bystander.read));
        }
      })();
      return {
        async end() {
          isEnding = true;
          await reading;
          const ownMs = delays.max / 1e6 - resolution;
          return { ...longest, ms: Math.max(0, longest.ms - ownMs) };
        },
      };
    },
    makeEvent() {
      turn = turn.then(async () => record(await measure(bystander.change)));
      return turn;
    },
    async measureQuiet() {
      const all: number[] = [];
      for (let index = 0; index < quiet.reads + quiet.changes; index++) {
        const isChange = index % Math.ceil((quiet.reads + quiet.changes) / quiet.changes) === 0;
        all.push((await measure(isChange ? bystander.change : bystander.read)).ms);
      }
      p99 = all.toSorted((one, other) => one - other)[Math.ceil(all.length * 0.99) - 1] ?? 0;
      return p99;
    },
    quietP99: () => p99,
  };
}
