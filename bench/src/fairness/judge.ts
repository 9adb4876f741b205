import { median } from '../measure/latencies.ts';

/**
 * How long the p99 of another member may be beside the expensive inputs, ms, by the quiet one: five times it or 100 ms more,
 * and never more than 500 ms more.
 */
export const allowedP99 = (quietMs: number): number =>
  Math.min(Math.max(5 * quietMs, quietMs + 100), quietMs + 500);

/** What another member does meanwhile. */
export const probes = ['feed', 'sign-in', 'upload'] as const;
export type ProbeName = (typeof probes)[number];

/** One kind of requests of another member, for a while. */
export interface ProbeResult {
  /** ms */
  p50: number;
  p99: number;
  /** Answers that were 5xx. */
  failed: number;
  /** Requests that were refused, or had no answer. */
  refused: number;
}

export type ProbeResults = Record<ProbeName, ProbeResult>;

/** What became of one kind of input. */
export interface InputResult {
  sent: number;
  /** Requests that were sent for them. */
  requests: number;
  /** Inputs that reached the work that makes them expensive. */
  taken: number;
  /** Inputs that were refused before that work (4xx). */
  refused: number;
  /** Inputs with an answer that was 5xx, or without an answer. */
  failed: number;
  /** The answers to all requests, by their status or in words. */
  answers: Record<string, number>;
  slowestMs: number;
}

/** The other member beside the inputs, and beside as many cheap requests of the same senders. */
export interface Round {
  quiet: ProbeResults;
  attacked: ProbeResults;
  inputs: Record<string, InputResult>;
}

/** The medians of the rounds, ms. */
export const medianP99 = (rounds: readonly Round[], name: ProbeName) => ({
  quiet: median(rounds.map(({ quiet }) => quiet[name].p99)),
  attacked: median(rounds.map(({ attacked }) => attacked[name].p99)),
});

/** The sums of all rounds, by the input's name. */
export function sumInputs(rounds: readonly Round[]): Record<string, InputResult> {
  const sums: Record<string, InputResult> = {};
  for (const { inputs } of rounds) {
    for (const [name, one] of Object.entries(inputs)) {
      sums[name] ??= { sent: 0, requests: 0, taken: 0, refused: 0, failed: 0, answers: {}, slowestMs: 0 };
      const sum = sums[name];
      for (const [answer, count] of Object.entries(one.answers))
        sum.answers[answer] = (sum.answers[answer] ?? 0) + count;
      for (const count of ['sent', 'requests', 'taken', 'refused', 'failed'] as const)
        sum[count] += one[count];
      sum.slowestMs = Math.max(sum.slowestMs, one.slowestMs);
    }
  }
  return sums;
}

/** Server errors to the senders of the inputs. A 503 is none: it asks them for less. */
const serverErrors = (inputs: Record<string, InputResult>): string[] =>
  Object.entries(inputs).flatMap(([name, { answers }]) =>
    Object.entries(answers)
      .filter(([answer]) => /^5\d\d$/.test(answer) && answer !== '503')
      .map(([answer, count]) => `'${name}': ${count} answers were ${answer}`),
  );

/** What is wrong with the rounds; nothing when others are served beside inputs that did reach their work. */
export function findViolations(rounds: readonly Round[]): string[] {
  const inputs = sumInputs(rounds);
  const idle = Object.entries(inputs).filter(([, { taken }]) => taken === 0);
  return [
    ...probes.flatMap((name) => {
      const results = rounds.flatMap(({ quiet, attacked }) => [quiet[name], attacked[name]]);
      const failed = results.reduce((sum, result) => sum + result.failed, 0);
      const refused = results.reduce((sum, result) => sum + result.refused, 0);
      const { quiet, attacked } = medianP99(rounds, name);
      return [
        // What was not measured is not allowed.
        ...(quiet > 0 && attacked <= allowedP99(quiet)
          ? []
          : [`${name}: p99 ${attacked.toFixed(0)} ms, quiet ${quiet.toFixed(0)} ms`]),
        ...(failed === 0 ? [] : [`${name}: ${failed} answers were 5xx`]),
        ...(refused === 0 ? [] : [`${name}: ${refused} requests were refused or had no answer`]),
      ];
    }),
    ...serverErrors(inputs),
    ...idle.map(([name]) => `'${name}' never reached its expensive work`),
  ];
}
