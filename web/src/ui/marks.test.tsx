import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { PersonName } from './facts.tsx';

afterEach(cleanup);

test('a verified member’s name is read with its mark, any other without', () => {
  const { rerender } = render(<PersonName person={{ name: 'Ana', verified: true }} />);
  expect(screen.getByText('Verified')).toBeTruthy();
  for (const verified of [null, false]) {
    rerender(<PersonName person={{ name: 'Ana', verified }} />);
    expect(screen.queryByText('Verified')).toBeNull();
  }
  expect(screen.getByText('Ana')).toBeTruthy();
});
