import { expect, it } from 'vitest';
import { Random } from './random.ts';

it('draws the same for the same seed, and otherwise for another', () => {
  const draw = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => random.int(0, 1_000));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(8)).not.toEqual(draw(7));
});

it('deals each item once before any comes again', () => {
  const random = new Random(3);
  const dealt = Array.from({ length: 6 }, () => random.deal('deck', () => ['a', 'b', 'c']));
  expect(dealt.slice(0, 3).sort()).toEqual(['a', 'b', 'c']);
  expect(dealt.slice(3).sort()).toEqual(['a', 'b', 'c']);
});
