import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useRenewedUrl } from './VerifyUsersScreen.tsx';

afterEach(cleanup);

function watch(first: string) {
  const askAgain = vi.fn(async () => undefined);
  const hook = renderHook(({ newest }) => useRenewedUrl(newest, askAgain), {
    initialProps: { newest: first },
  });
  return { ...hook, askAgain };
}

test('a working link is kept when the list has a newer one, because each load is recorded as a view', () => {
  const { result, rerender, askAgain } = watch('/picture?until=1');
  rerender({ newest: '/picture?until=2' });
  expect(result.current.url).toBe('/picture?until=1');
  expect(askAgain).not.toHaveBeenCalled();
});

test('an expired link is replaced by a new one', () => {
  const { result, rerender, askAgain } = watch('/picture?until=1');
  act(() => result.current.onError());
  expect(result.current.failed).toBe(true);
  expect(askAgain).toHaveBeenCalledTimes(1);
  rerender({ newest: '/picture?until=2' });
  expect(result.current).toMatchObject({ url: '/picture?until=2', failed: false });
});

test('a picture that fails again waits for the person', () => {
  const { result, rerender, askAgain } = watch('/picture?until=1');
  act(() => result.current.onError());
  rerender({ newest: '/picture?until=2' });
  act(() => result.current.onError());
  expect(result.current.failed).toBe(true);
  expect(askAgain).toHaveBeenCalledTimes(1);
  act(() => result.current.retry());
  expect(askAgain).toHaveBeenCalledTimes(2);
});
