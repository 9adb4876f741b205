import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AdminSwap } from './AdminSwap.tsx';
import { navigationMode } from './navigation.ts';

beforeEach(() => {
  navigationMode.set('normal');
  render(
    <>
      <AdminSwap />
      <input aria-label="Caption" />
    </>,
  );
});
afterEach(cleanup);

test('ArrowUp swaps to the admin navigation and back', () => {
  fireEvent.keyDown(document.body, { key: 'ArrowUp' });
  expect(navigationMode.get()).toBe('admin');
  fireEvent.keyDown(document.body, { key: 'ArrowUp' });
  expect(navigationMode.get()).toBe('normal');
});

test('the floating button does the same', () => {
  fireEvent.click(screen.getByRole('button', { name: /Swap the navigation/ }));
  expect(navigationMode.get()).toBe('admin');
});

test('not while typing, and not together with another key', () => {
  fireEvent.keyDown(screen.getByLabelText('Caption'), { key: 'ArrowUp' });
  fireEvent.keyDown(document.body, { key: 'ArrowUp', ctrlKey: true });
  expect(navigationMode.get()).toBe('normal');
});
