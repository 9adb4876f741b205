import { median } from '../measure/latencies.ts';

/** How many times its quiet p99 the feed's p99 may be beside the expensive inputs. */
export const allowedRatio = 5;

/** The feed of another member, for a while. */
export interface FeedResult {
  /** ms */
  p50: number;
  p99: number;
  /** Reads that were answered with 5xx. */
  failed: number;
  /** Reads that were refused, or had no answer. */
  refused: number;
}

/** What became of one kind of input. */
export interface InputResult {
  sent: number;
  /** Inputs that reached the work that makes them expensive. */
  taken: number;
  /** Inputs that were refused before that work (4xx). */
  refused: number;
  /** Answers that were 5xx, and requests without an answer. */
  failed: number;
  slowestMs: number;
}

/** The feed alone, then beside the inputs. */
export interface Round {
  quiet: FeedResult;
  attacked: FeedResult;
  inputs: Record<string, InputResult>;
}

/** The feed's p99 beside the inputs as a multiple of its quiet p99: the median of the rounds, each. */
export function medianRatio(rounds: readonly Round[]): number {
  return median(rounds.map(({ attacked }) => attacked.p99)) / median(rounds.map(({ quiet }) => quiet.p99));
}

/** The sums of all rounds, by the input's name. */
export function sumInputs(rounds: readonly Round[]): Record<string, InputResult> {
  const sums: Record<string, InputResult> = {};
  for (const { inputs } of rounds) {
    for (const [name, one] of Object.entries(inputs)) {
      sums[name] ??= { sent: 0, taken: 0, refused: 0, failed: 0, slowestMs: 0 };
      const sum = sums[name];
      for (const count of ['sent', 'taken', 'refused', 'failed'] as const) sum[count] += one[count];
      sum.slowestMs = Math.max(sum.slowestMs, one.slowestMs);
    }
  }
  return sums;
}

/** What is wrong with the rounds; nothing when others keep their feed beside inputs that did reach their work. */
export function findViolations(rounds: readonly Round[]): string[] {
  const feeds = rounds.flatMap(({ quiet, attacked }) => [quiet, attacked]);
  const failed = feeds.reduce((sum, feed) => sum + feed.failed, 0);
  const refused = feeds.reduce((sum, feed) => sum + feed.refused, 0);
  const times = medianRatio(rounds);
  const idle = Object.entries(sumInputs(rounds)).filter(([, { taken }]) => taken === 0);
  return [
    // A ratio that is not a number is not allowed.
    ...(times <= allowedRatio ? [] : [`the feed's p99 was ${times.toFixed(2)} times its quiet one`]),
    ...(failed === 0 ? [] : [`${failed} reads of the feed were answered with 5xx`]),
    ...(refused === 0 ? [] : [`${refused} reads of the feed were refused or had no answer`]),
    ...idle.map(([name]) => `'${name}' never reached its expensive work`),
  ];
}
