import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Avatar } from './Avatar.tsx';

afterEach(cleanup);

test.each([
  ['xs', 10],
  ['sm', 10],
  ['md', 25],
  ['xl', 25],
] as const)('an avatar of size %s has the quality %d (§9-preview-quality)', (size, quality) => {
  render(<Avatar name="Ana" src="/preview?width=96&quality=30" size={size} alt="Ana" />);
  expect(screen.getByRole('img').getAttribute('src')).toBe(`/preview?width=96&quality=${quality}`);
});

test('an avatar of another address keeps it', () => {
  render(<Avatar name="Ana" src="/picture?width=96" alt="Ana" />);
  expect(screen.getByRole('img').getAttribute('src')).toBe('/picture?width=96');
});
