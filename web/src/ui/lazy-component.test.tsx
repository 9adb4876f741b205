import { cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { LazyComponent, lazyModule, lazyPart } from './lazy-component.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('a component that cannot be loaded leaves the rest in place and appears once it can', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout'] });
  const load = vi
    .fn()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue({ default: () => <p>Part</p> });
  const Part = lazyPart(load);
  render(
    <>
      <p>Rest</p>
      <Suspense>
        <Part />
      </Suspense>
    </>,
  );
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  expect(screen.getByText('Rest')).toBeTruthy();
  expect(screen.queryByText('Part')).toBeNull();
  await vi.advanceTimersByTimeAsync(2000);
  expect(await screen.findByText('Part')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(2);
});

test('a component that was preloaded is there at the first render', async () => {
  const part = lazyModule(async () => ({ default: () => <p>Part</p> }));
  await part.preload();
  render(<LazyComponent module={part} isWanted props={{}} fallback={<p>Loading</p>} />);
  expect(screen.queryByText('Loading')).toBeNull();
  expect(screen.getByText('Part')).toBeTruthy();
});
