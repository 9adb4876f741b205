import { expect, it } from 'vitest';
import { allowedRatio, type FeedResult, findViolations, type InputResult, type Round } from './judge.ts';

const feed = (p99: number, wrong: Partial<FeedResult> = {}): FeedResult => ({
  p50: 1,
  p99,
  failed: 0,
  refused: 0,
  ...wrong,
});
const input = (wrong: Partial<InputResult> = {}): InputResult => ({
  sent: 10,
  taken: 10,
  refused: 0,
  failed: 0,
  slowestMs: 5,
  ...wrong,
});
const round = (attackedP99: number, wrong: Partial<Round> = {}): Round => ({
  quiet: feed(10),
  attacked: feed(attackedP99),
  inputs: { search: input() },
  ...wrong,
});

it('passes at the allowed ratio, and one bad round of three does not decide', () => {
  const atLimit = round(10 * allowedRatio);
  expect(findViolations([atLimit, atLimit, round(900)])).toEqual([]);
});

it('fails above the allowed ratio', () => {
  const above = round(10 * allowedRatio + 0.1);
  expect(findViolations([above, above, round(10)])).toHaveLength(1);
});

it('fails when nothing was measured', () => {
  expect(findViolations([])).toHaveLength(1);
  expect(findViolations([round(0, { quiet: feed(0) })])).toHaveLength(1);
});

it.each(['quiet', 'attacked'] as const)('fails by one answer that is 5xx while it is %s', (phase) => {
  const failed = round(10, { [phase]: feed(10, { failed: 1 }) });
  expect(findViolations([round(10), failed, round(10)])).toEqual([
    '1 reads of the feed were answered with 5xx',
  ]);
});

it('fails when the feed is refused', () => {
  const refused = round(10, { attacked: feed(10, { refused: 2 }) });
  expect(findViolations([refused])).toEqual(['2 reads of the feed were refused or had no answer']);
});

it('fails when an input never reached its expensive work', () => {
  const refused = round(10, { inputs: { search: input(), picture: input({ taken: 0, refused: 10 }) } });
  expect(findViolations([refused, refused])).toEqual(["'picture' never reached its expensive work"]);
});
