import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleRequest } from '../../testing/samples.ts';
import { useRefreshWhenChanged } from './interaction-cache.ts';

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const refresh = vi.fn(async () => {});

/** Lets so many ms pass. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Shows requests that change so many seconds from now; null: never. */
const show = (...seconds: (number | null)[]) =>
  renderHook(({ requests }) => useRefreshWhenChanged(requests, refresh), {
    initialProps: {
      requests: seconds.map((count) =>
        sampleRequest({ changesAt: count === null ? null : inSeconds(count) }),
      ),
    },
  });

beforeEach(() => {
  vi.useFakeTimers();
  refresh.mockReset().mockResolvedValue();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('fetches requests again once the first of them changes, and not before', async () => {
  show(null, 600, 60);
  await pass(60_000);
  expect(refresh).toHaveBeenCalledTimes(0);
  await pass(1_000);
  expect(refresh).toHaveBeenCalledTimes(1);
});

test('fetches nothing for requests that never change, or later than a timer can wait', async () => {
  show(null, 30 * 24 * 3_600);
  await pass(24 * 3_600_000);
  expect(refresh).toHaveBeenCalledTimes(0);
});

test('fetches again half a minute later while the server’s clock is behind or cannot be reached', async () => {
  refresh.mockRejectedValueOnce(new Error('offline'));
  const { rerender } = show(0);
  await pass(1_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  await pass(29_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  await pass(1_000);
  expect(refresh).toHaveBeenCalledTimes(2);
  rerender({ requests: [sampleRequest({ changesAt: null })] });
  await pass(3_600_000);
  expect(refresh).toHaveBeenCalledTimes(2);
});
