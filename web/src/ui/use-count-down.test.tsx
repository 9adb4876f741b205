import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useCountDown } from './use-count-down.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('counts down, says once that it is done, and starts again', () => {
  const onDone = vi.fn();
  const { result } = renderHook(() => useCountDown(3, onDone));
  expect(result.current.left).toBe(3);
  act(() => void vi.advanceTimersByTime(2_000));
  expect(result.current.left).toBe(1);
  act(() => void vi.advanceTimersByTime(5_000));
  expect(result.current).toMatchObject({ left: 0, done: true });
  expect(onDone).toHaveBeenCalledOnce();
  act(() => result.current.restart(60));
  expect(result.current).toMatchObject({ left: 60, done: false });
});
