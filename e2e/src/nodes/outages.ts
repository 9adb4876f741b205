import type { Attempt } from '../client.ts';

/** What a fault takes away. */
export type Part = 'node' | 'redis' | 'database' | 'store';

/** ms: no call that does without a part may fail for longer, and those that need it work so soon after it is back. */
const mostMs = 5_000;
/** ms within which a call that needs a part says that it is away. */
const refusalMs = 2_000;
/** ms between failures that belong together. */
const gapMs = 1_500;

const storage = /^\/v1\/storage\//;

/** Parts that a request cannot do without. Nothing needs Redis, or a certain node. */
const needs = ({ path }: Attempt): readonly Part[] =>
  storage.test(path) ? ['database', 'store'] : ['database'];

/** Whether a request failed by what members see: no answer, or none for so long that they gave up. */
export const hasFailed = ({ status, startedAt, endedAt }: Attempt) =>
  status === 0 || status >= 500 || endedAt - startedAt > mostMs;

/** The longest time over which requests failed, ms, from the first to the last of failures that follow each other closely. */
export function longestError(attempts: readonly Attempt[]): number {
  let longest = 0;
  let stretch: { from: number; to: number } | null = null;
  for (const { startedAt, endedAt } of attempts
    .filter(hasFailed)
    .sort((one, other) => one.endedAt - other.endedAt)) {
    if (stretch === null || startedAt - stretch.to > gapMs) stretch = { from: startedAt, to: endedAt };
    else stretch = { from: Math.min(stretch.from, startedAt), to: endedAt };
    longest = Math.max(longest, stretch.to - stretch.from);
  }
  return longest;
}

/** A fault that was made: times in ms since the epoch. */
export interface Fault {
  name: string;
  part: Part;
  beganAt: number;
  /** When the part was back. */
  backAt: number;
  /** When every node said that it has it again. */
  readyAt: number;
}

/** What a fault did to requests, in ms. */
export interface Outage {
  /** Of calls that do without the part. */
  longestError: number;
  /** Of calls that need it: until the slowest said so. */
  slowestRefusal: number;
  /** From when the part was back until nothing failed by it, and every node has it again. */
  recoveredAfter: number;
  /** What was not as promised. */
  breaches: string[];
}

/** What became of the requests that ended after a fault began and before the next one. */
export function measureOutage(fault: Fault, attempts: readonly Attempt[]): Outage {
  const { part, beganAt, backAt, readyAt } = fault;
  const needing = attempts.filter((attempt) => needs(attempt).includes(part) && hasFailed(attempt));
  const others = attempts.filter((attempt) => !needs(attempt).includes(part));
  const breaches: string[] = [];
  const error = longestError(others);
  if (error > mostMs) breaches.push(`calls that do without it failed for ${error} ms`);
  const refusals = needing.filter(({ status }) => status === 0 || status >= 500);
  for (const { path, status, hasRetryAfter } of refusals)
    if (status !== 503 || !hasRetryAfter)
      breaches.push(`${path} answered ${status}${hasRetryAfter ? '' : ' without Retry-After'}`);
  let slowestRefusal = 0;
  for (const { path, startedAt, endedAt } of refusals) {
    // One that was under way knows of the fault from its beginning.
    const refusedAfter = endedAt - Math.max(startedAt, beganAt);
    slowestRefusal = Math.max(slowestRefusal, refusedAfter);
    if (refusedAfter > refusalMs) breaches.push(`${path} was refused after ${refusedAfter} ms`);
  }
  const failures = part === 'node' ? others.filter(hasFailed) : needing;
  const recoveredAfter = Math.max(0, readyAt - backAt, ...failures.map(({ endedAt }) => endedAt - backAt));
  if (recoveredAfter > mostMs) breaches.push(`it took ${recoveredAfter} ms after it was back`);
  return { longestError: error, slowestRefusal, recoveredAfter, breaches: [...new Set(breaches)] };
}

/** A message on its way to a device, in ms since the epoch. */
export interface Delivery {
  acknowledgedAt: number;
  receivedAt: number;
  /** How long the device waited meanwhile before it connected again, by §9. */
  delayMs: number;
}

/**
 * ms that a message arrived later than it may: 5 s after it was acknowledged, or after Redis was back, by which nodes hear each
 * other, and the device's own delay.
 */
export function lateness(
  { acknowledgedAt, receivedAt, delayMs }: Delivery,
  faults: readonly Fault[],
): number {
  const away = faults.filter(
    ({ part, beganAt, readyAt }) => part === 'redis' && beganAt <= receivedAt && acknowledgedAt <= readyAt,
  );
  const from = Math.max(acknowledgedAt, ...away.map(({ backAt }) => backAt));
  return Math.max(0, receivedAt - from - delayMs - mostMs);
}
