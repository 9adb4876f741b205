import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../lib/queries.ts';
import { samplePost } from '../../testing/samples.ts';
import { useDoubleTapLike } from './double-tap.tsx';

const single = vi.fn();
const fetchMock = vi.fn((_address: string) => new Promise<Response>(() => {}));

function Shown({ liked }: { liked: boolean }) {
  const { handlers, heart } = useDoubleTapLike(samplePost({ liked }), single);
  return (
    <button type="button" {...handlers}>
      picture {heart && 'with a heart'}
    </button>
  );
}

const show = (liked: boolean) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Shown liked={liked} />
    </QueryClientProvider>,
  );
const press = (pointerType: string) => {
  const picture = screen.getByRole('button');
  fireEvent.pointerDown(picture, { pointerType });
  fireEvent.click(picture, { detail: 1 });
};

beforeEach(() => vi.stubGlobal('fetch', fetchMock));
afterEach(() => {
  cleanup();
  single.mockClear();
  fetchMock.mockClear();
  vi.unstubAllGlobals();
});

test('a double tap likes, shows a heart and opens nothing', async () => {
  show(false);
  press('touch');
  press('touch');
  await screen.findByText(/with a heart/);
  await vi.waitFor(() => expect(fetchMock.mock.calls[0]?.[0]).toContain('/like'));
  await vi.waitFor(() => expect(screen.queryByText(/with a heart/)).toBeNull());
  expect(single).not.toHaveBeenCalled();
});

test('a double tap on a liked post does not take the like back', async () => {
  show(true);
  press('touch');
  press('touch');
  await screen.findByText(/with a heart/);
  expect(fetchMock).not.toHaveBeenCalled();
});

test('a tap waits for a second one; a mouse and a key do not', async () => {
  show(false);
  press('touch');
  expect(single).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(single).toHaveBeenCalledOnce());
  press('mouse');
  expect(single).toHaveBeenCalledTimes(2);
  fireEvent.click(screen.getByRole('button'), { detail: 0 });
  expect(single).toHaveBeenCalledTimes(3);
  expect(fetchMock).not.toHaveBeenCalled();
});
