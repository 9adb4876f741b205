import { expect, it } from 'vitest';
import { isMet } from './requirement.ts';

it.each([
  [0.7, { atLeast: 0.7 }, true],
  [0.69, { atLeast: 0.7 }, false],
  [1.5, { atMost: 1.5 }, true],
  [1.51, { atMost: 1.5 }, false],
  // Nothing was measured.
  [Number.NaN, { atLeast: 0.7 }, false],
  [Number.NaN, { atMost: 1.5 }, false],
])('judges %d against %j: %s', (figure, bound, met) => {
  expect(isMet(figure, bound)).toBe(met);
});
