import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AdminSwap } from './MainLayout.tsx';
import { useNavigationMode } from './navigation.tsx';

beforeEach(() => {
  useNavigationMode.setState({ mode: 'normal' });
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
  expect(useNavigationMode.getState().mode).toBe('admin');
  fireEvent.keyDown(document.body, { key: 'ArrowUp' });
  expect(useNavigationMode.getState().mode).toBe('normal');
});

test('the floating button swaps to the admin navigation', () => {
  fireEvent.click(screen.getByRole('button', { name: /Swap the navigation/ }));
  expect(useNavigationMode.getState().mode).toBe('admin');
});

test('ArrowUp does not change the navigation while typing, or together with another key', () => {
  fireEvent.keyDown(screen.getByLabelText('Caption'), { key: 'ArrowUp' });
  fireEvent.keyDown(document.body, { key: 'ArrowUp', ctrlKey: true });
  expect(useNavigationMode.getState().mode).toBe('normal');
});
