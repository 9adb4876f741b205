import { expect, it } from 'vitest';
import {
  allowedP99,
  findViolations,
  type InputResult,
  type ProbeName,
  type ProbeResult,
  type Round,
} from './judge.ts';

const result = (p99: number, wrong: Partial<ProbeResult> = {}): ProbeResult => ({
  ...{ p50: 1, p99, failed: 0, refused: 0 },
  ...wrong,
});
const input = (wrong: Partial<InputResult> = {}): InputResult => ({
  ...{ sent: 10, requests: 10, taken: 10, refused: 0, failed: 0, answers: { 200: 10 }, slowestMs: 5 },
  ...wrong,
});
const others = (probe: ProbeName, changed: ProbeResult) => ({
  ...{ feed: result(10), 'sign-in': result(10), upload: result(10) },
  [probe]: changed,
});
const round = (probe: ProbeName, attacked: ProbeResult, wrong: Partial<Round> = {}): Round => ({
  quiet: others('feed', result(10)),
  attacked: others(probe, attacked),
  inputs: { search: input() },
  ...wrong,
});

it.each([
  [1, 101],
  [10, 110],
  [40, 200],
  [100, 500],
  [200, 700],
])('allows after a quiet p99 of %i ms one of %i ms', (quiet, allowed) => {
  expect(allowedP99(quiet)).toBe(allowed);
});

it.each(['feed', 'sign-in', 'upload'] as const)(
  'judges the %s: it passes at the allowed time, and one bad round of three does not decide',
  (probe) => {
    const atLimit = round(probe, result(110));
    const above = round(probe, result(110.1));
    expect(findViolations([atLimit, atLimit, round(probe, result(900))])).toEqual([]);
    expect(findViolations([above, above, round(probe, result(10))])).toHaveLength(1);
  },
);

it('fails when nothing was measured', () => {
  expect(findViolations([]).length).toBeGreaterThan(0);
  expect(findViolations([round('feed', result(0), { quiet: others('feed', result(0)) })])).toHaveLength(1);
});

it.each(['quiet', 'attacked'] as const)('fails by one answer that is 5xx while it is %s', (phase) => {
  const failed = round('feed', result(10), { [phase]: others('upload', result(10, { failed: 1 })) });
  expect(findViolations([round('feed', result(10)), failed])).toEqual(['upload: 1 answers were 5xx']);
});

it('fails when another member is refused', () => {
  expect(findViolations([round('sign-in', result(10, { refused: 2 }))])).toEqual([
    'sign-in: 2 requests were refused or had no answer',
  ]);
});

it('fails when an input never reached its expensive work', () => {
  const idle = { inputs: { search: input(), picture: input({ taken: 0, refused: 10 }) } };
  const refused = round('feed', result(10), idle);
  expect(findViolations([refused, refused])).toEqual(["'picture' never reached its expensive work"]);
});

it('fails by a server error to the sender of an input, and not by one that asks for less', () => {
  const sent = (answers: Record<string, number>) =>
    round('feed', result(10), { inputs: { search: input({ failed: 1, answers }) } });
  expect(findViolations([sent({ 200: 9, 503: 1 }), sent({ 200: 8, 429: 1, none: 1 })])).toEqual([]);
  expect(findViolations([sent({ 200: 9, 500: 1 }), sent({ 500: 2, 504: 1 })])).toEqual([
    "'search': 3 answers were 500",
    "'search': 1 answers were 504",
  ]);
});
