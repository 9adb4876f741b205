import { expect, it } from 'vitest';
import { platformFee } from '../interactions/interactions.ts';

it.each([
  [250_00, 0, 0],
  [250_00, 500, 12_50],
  [100_01, 550, 5_50],
  [100_01, 333, 3_33],
  [100_00, 1, 1],
  [99, 100, 0],
  [999_999_999, 10_000, 999_999_999],
])(
  'takes of %i centavos at %i basis points %i centavos, never more than the exact part',
  (of, points, fee) => {
    expect(platformFee(of, points)).toBe(fee);
    expect(fee * 10_000).toBeLessThanOrEqual(of * points);
  },
);
