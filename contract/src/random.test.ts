import { expect, it } from 'vitest';
import { drawBytes, drawFraction, drawInt, drawText, drawUuid, replaceRandom } from './random.ts';

/** Bytes that count up from 0, in one sequence over all draws. */
function counting() {
  let next = 0;
  return { fill: (bytes: Uint8Array) => bytes.set(Array.from(bytes, () => next++ % 256)) };
}

const draws = () => [[...drawBytes(2)], drawText(4, 'abc'), drawInt(1000), drawFraction(), drawUuid()];

it('the same source repeats every draw, and the former source comes back', () => {
  const run = () => {
    const putBack = replaceRandom(counting());
    const drawn = draws();
    putBack();
    return drawn;
  };
  const first = run();
  expect(first.slice(0, 2)).toEqual([[0, 1], 'cabc']);
  expect(run()).toEqual(first);
  expect(draws()).not.toEqual(first);
});

it('bytes of the system differ, also across the blocks in which they are drawn', () => {
  const bytes = drawBytes(20_000);
  const pieces = new Set(
    Array.from({ length: 2500 }, (_, index) => bytes.slice(index * 8, index * 8 + 8).join()),
  );
  expect(pieces.size).toBe(2500);
  expect(drawUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('bytes and numbers that would favour some values are drawn again', () => {
  const bytes = [255, 255, 254, ...Array(6).fill(255), 0, 0, 0, 0, 3, 233];
  const putBack = replaceRandom({
    fill: (target) => target.set(bytes.splice(0, target.length)),
  });
  expect(drawText(1, 'abc')).toBe('c');
  expect(drawInt(1000)).toBe(1);
  putBack();
});

it('numbers reach from 0 to below the end', () => {
  const numbers = Array.from({ length: 500 }, () => drawInt(5));
  expect([...new Set(numbers)].sort()).toEqual([0, 1, 2, 3, 4]);
  const fractions = Array.from({ length: 500 }, drawFraction);
  expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...fractions)).toBeLessThan(1);
});
