import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useRefreshAt } from './refresh.ts';

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const refresh = vi.fn(async () => {});

/** Lets so many ms pass. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const show = (...times: (string | null)[]) =>
  renderHook((props) => useRefreshAt(props.times, refresh), { initialProps: { times } });

beforeEach(() => {
  vi.useFakeTimers();
  refresh.mockReset().mockResolvedValue();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('data is fetched again at the first of its times, and not before', async () => {
  show(null, inSeconds(600), inSeconds(60));
  await pass(60_000);
  expect(refresh).toHaveBeenCalledTimes(0);
  await pass(1_000);
  expect(refresh).toHaveBeenCalledTimes(1);
});

test('data that never changes, or later than a timer can wait, is not fetched again', async () => {
  show(null, inSeconds(30 * 24 * 3_600));
  await pass(24 * 3_600_000);
  expect(refresh).toHaveBeenCalledTimes(0);
});

test('data is fetched every half a minute while the server’s clock is behind or it cannot be reached', async () => {
  refresh.mockRejectedValueOnce(new Error('offline'));
  const { rerender } = show(inSeconds(0));
  await pass(1_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  await pass(29_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  await pass(1_000);
  expect(refresh).toHaveBeenCalledTimes(2);
  rerender({ times: [null] });
  await pass(3_600_000);
  expect(refresh).toHaveBeenCalledTimes(2);
});
