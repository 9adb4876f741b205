import { expect, test } from 'vitest';
import { bioPreview } from './PeopleScreen.tsx';

test('a bio of 41 characters is shown whole, a longer one ends in an ellipsis', () => {
  const whole = 'a'.repeat(41);
  expect(bioPreview(whole)).toBe(whole);
  expect(bioPreview(`${whole}b`)).toBe(`${whole}…`);
});

test('an emoji is never cut in two', () => {
  expect(bioPreview('🌴'.repeat(42))).toBe(`${'🌴'.repeat(41)}…`);
});
