import { expect, test } from 'vitest';
import { cut } from './cut.ts';

test('a short text stays as it is', () => {
  expect(cut('x'.repeat(30), 30)).toBe('x'.repeat(30));
});

test('a longer one ends in two dots (§9)', () => {
  expect(cut('x'.repeat(31), 30)).toBe(`${'x'.repeat(30)}..`);
});

test('no sign is cut in two', () => {
  expect(cut('👍👍👍', 2)).toBe('👍👍..');
});
