import { act, cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { confirm } from './confirm.ts';
import { announce } from './LiveRegion.tsx';
import { Overlays } from './Overlays.tsx';
import { toast, useToasts } from './toast.ts';

beforeEach(() => useToasts.setState({ queue: [] }));
afterEach(cleanup);
// The parts of an overlay are loaded lazily.
configure({ asyncUtilTimeout: 20_000 });

it('shows toasts one at a time, each until it is dismissed or its time is over', async () => {
  render(<Overlays />);
  act(() => {
    toast({ title: 'First', durationMs: Number.POSITIVE_INFINITY });
    toast({ title: 'Second', text: 'and last' });
  });
  await screen.findByText('First');
  expect(screen.queryByText('Second')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await screen.findByText('Second');
  expect(screen.queryByText('First')).toBeNull();
});

it('ignores a toast that is already queued', () => {
  toast({ title: 'Something went wrong' });
  toast({ title: 'Something went wrong' });
  expect(useToasts.getState().queue).toHaveLength(1);
});

it('asks and returns the answer', async () => {
  render(<Overlays />);
  const ask = () => {
    let answer = Promise.resolve(false);
    act(() => {
      answer = confirm({ title: 'Are you sure?', confirmLabel: 'Delete' });
    });
    return { answer };
  };
  const first = ask();
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(await first.answer).toBe(true);
  const second = ask();
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(await second.answer).toBe(false);
});

it('announces a repeated text again', () => {
  const { container } = render(<Overlays />);
  const region = container.querySelector('[aria-live=polite]');
  act(() => announce('New message from Ana'));
  const first = region?.textContent;
  expect(first?.trim()).toBe('New message from Ana');
  act(() => announce('New message from Ana'));
  expect(region?.textContent?.trim()).toBe('New message from Ana');
  expect(region?.textContent).not.toBe(first);
});
