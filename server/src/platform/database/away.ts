import { setTimeout as delay } from 'node:timers/promises';
import { currentlyRunning } from '../work.ts';

/** The database is away, and was not back in the time that a call may wait for it. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
  readonly code = 'DATABASE_AWAY';
}

/** ms that a call waits for a database that is away, with all its statements: whoever asked is answered within 2 s. */
const mostWaitMs = 500;
/** ms between two looks at a database that refuses connections; the driver waits longer from look to look. */
const lookMs = 50;

/** Knows whether the connections of a pool lead to a database. */
export interface Away {
  /** Whether a connection was lost, and none has been answered since. */
  isAway(): boolean;
  /**
   * Waits until the database is back. The driver would let statements wait as long as it takes, and try one at each new connection.
   * @throws DatabaseAway when that takes longer than a call may wait, from its first statement that did
   */
  wait(): Promise<void>;
  /** Notes that a connection was lost, or could not be made. */
  noteLoss(): void;
  /** Nobody asks any more. */
  end(): void;
}

/**
 * Watches a database.
 * @param isThere asks it something, and rejects when it does not answer soon: in the first look after a loss, or a later one
 * @param onBack is called before anybody asks it again after it did not answer in the first look
 */
export function watchAway(
  isThere: (look: 'first' | 'later') => PromiseLike<unknown>,
  onBack: () => void = () => {},
): Away {
  let back: Promise<void> | null = null;
  let isOver = false;
  /** Until when each call waits, by `performance.now()`. */
  let deadlines = new WeakMap<object, number>();
  const restMs = () => {
    const call = currentlyRunning();
    const now = performance.now();
    const deadline = (call && deadlines.get(call)) ?? now + mostWaitMs;
    if (call) deadlines.set(call, deadline);
    return Math.max(0, deadline - now);
  };
  const look = async () => {
    for (let number: 'first' | 'later' = 'first'; !isOver; number = 'later') {
      try {
        await isThere(number);
        if (number === 'later' && !isOver) onBack();
        return;
      } catch {
        await delay(lookMs, undefined, { ref: false });
      }
    }
  };
  return {
    isAway: () => back !== null,
    wait: async () => {
      if (back === null) return;
      const stop = new AbortController();
      const late = delay(restMs(), true, { signal: stop.signal, ref: false }).catch(() => false);
      const isLate = await Promise.race([back.then(() => false), late]).finally(() => stop.abort());
      if (isLate) throw new DatabaseAway('The database is away.');
    },
    noteLoss: () => {
      if (back !== null || isOver) return;
      deadlines = new WeakMap();
      back = look().finally(() => {
        back = null;
      });
    },
    end: () => {
      isOver = true;
    },
  };
}
