import { RateLimiterMemory } from 'rate-limiter-flexible';
import { exceeded, isRefusal } from '../../platform/http/rate-limits.ts';

/** Seconds to wait after the n-th failure: 1, 2, 4 … up to five minutes. */
const longestWait = 300;
const steps = 10;
const waitAfter = (failures: number) => (failures < 1 ? 0 : Math.min(longestWait, 2 ** (failures - 1)));

interface GuessLimitOptions {
  /** Failures without a wait. */
  free: number;
  /** How long failures count, from the first of them. */
  seconds: number;
}

/** One guess under way: it counts as a failure until it turns out to be none. */
interface Guess {
  /** Resolves to the seconds until the next guess is taken. */
  fail(): Promise<number>;
  /** It was right: the failures of its key are forgotten. */
  succeed(): Promise<void>;
  /** It was never tried. */
  withdraw(): Promise<void>;
}

/** Slows guesses of a secret down, by key: after each failure the next guess is refused for a growing time. */
export interface GuessLimit {
  /**
   * Begins a guess. Beyond the free ones only one of a key is under way at a time. A guess during the wait is refused
   * at once, and lengthens the wait up to its longest.
   * @throws Problem `general_rate_limit_exceeded` with the seconds to wait
   */
  begin(key: string): Promise<Guess>;
}

const noGuess: Guess = { fail: async () => 0, succeed: async () => {}, withdraw: async () => {} };

/** A limit in this process's memory; none at all when `enabled` is false. */
export function limitGuesses(enabled: boolean, { free, seconds }: GuessLimitOptions): GuessLimit {
  if (!enabled) return { begin: async () => noGuess };
  const failures = new RateLimiterMemory({ points: free, duration: seconds });
  /** Held by the guess under way, then blocked for the wait. */
  const turns = new RateLimiterMemory({ points: 1, duration: longestWait });

  const refuse = async (key: string, count: number, msLeft: number) => {
    if (count > steps) {
      await failures.reward(key);
      return exceeded(msLeft);
    }
    await turns.block(key, waitAfter(count));
    return exceeded(waitAfter(count) * 1000);
  };

  return {
    async begin(key) {
      const { consumedPoints } = await failures.penalty(key);
      const slowed = consumedPoints > free;
      if (slowed) {
        try {
          await turns.consume(key);
        } catch (reason) {
          throw isRefusal(reason) ? await refuse(key, consumedPoints - free, reason.msBeforeNext) : reason;
        }
      }
      return {
        async fail() {
          const wait = waitAfter(((await failures.get(key))?.consumedPoints ?? 0) - free);
          if (wait > 0) await turns.block(key, wait);
          return wait;
        },
        async succeed() {
          await failures.delete(key);
          await turns.delete(key);
        },
        async withdraw() {
          await failures.reward(key);
          if (slowed) await turns.delete(key);
        },
      };
    },
  };
}

/**
 * Makes one guess that counts under several limits at once; `retryAfter` is the longest wait after a wrong one, seconds.
 * @throws Problem `general_rate_limit_exceeded`, without trying the guess, when one of the limits refuses it
 */
export async function guess(
  limits: readonly (readonly [GuessLimit, string])[],
  isRight: () => Promise<boolean>,
): Promise<{ right: boolean; retryAfter?: number }> {
  const begun: Guess[] = [];
  try {
    for (const [limit, key] of limits) begun.push(await limit.begin(key));
    if (await isRight()) {
      for (const one of begun) await one.succeed();
      return { right: true };
    }
  } catch (error) {
    for (const one of begun) await one.withdraw();
    throw error;
  }
  const retryAfter = Math.max(0, ...(await Promise.all(begun.map((one) => one.fail()))));
  return { right: false, ...(retryAfter > 0 ? { retryAfter } : {}) };
}
