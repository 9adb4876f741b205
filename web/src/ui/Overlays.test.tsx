import { act, cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { announce, confirm, dismissNotice, toast, useToasts } from './feedback.ts';
import { ImageViewer } from './lazy-overlays.tsx';
import { ConfirmDialog, Overlays } from './Overlays.tsx';
import { stubWidth } from './testing/stub-width.ts';

beforeEach(() => useToasts.setState({ queue: [] }));
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});
// The parts of an overlay are loaded lazily.
configure({ asyncUtilTimeout: 20_000 });

it('shows toasts one at a time (§9-toast-one-at-a-time), each until it is dismissed or its time is over', async () => {
  render(<Overlays />);
  act(() => {
    toast({ title: 'First' });
    toast({ title: 'Second', text: 'and last' });
  });
  await screen.findByText('First');
  expect(screen.queryByText('Second')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await screen.findByText('Second');
  expect(screen.queryByText('First')).toBeNull();
});

it('decisions §2: a permanent toast gives way to a later one and comes back, until its notice no longer holds', async () => {
  const permanent = { title: 'Check your email' };
  render(<Overlays />);
  act(() => toast({ ...permanent, durationMs: Number.POSITIVE_INFINITY }));
  await screen.findByText(permanent.title);
  act(() => toast({ title: 'Request sent' }));
  await screen.findByText('Request sent');
  expect(screen.queryByText(permanent.title)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await screen.findByText(permanent.title);
  act(() => dismissNotice(permanent));
  expect(screen.queryByText(permanent.title)).toBeNull();
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

it('an announcement is gone five seconds later, and a newer one stays as long', () => {
  vi.useFakeTimers();
  const { container } = render(<Overlays />);
  const spoken = () => container.querySelector('[aria-live=polite]')?.textContent?.trim();
  act(() => announce('Too long'));
  act(() => void vi.advanceTimersByTime(3_000));
  act(() => announce('Request sent!'));
  act(() => void vi.advanceTimersByTime(4_999));
  expect(spoken()).toBe('Request sent!');
  act(() => void vi.advanceTimersByTime(1));
  expect(spoken()).toBe('');
});

it.each([
  ['a dialog at 768 px and wider (§2-delete-post-dialog, §9-dialog-breakpoint)', 768, false],
  ['a drawer below (§2-delete-post-drawer, §9-dialog-breakpoint)', 767, true],
])('what cannot be taken back is asked in %s', async (_what, width, isDrawer) => {
  stubWidth(width);
  const onConfirm = vi.fn();
  render(
    <ConfirmDialog
      open
      onOpenChange={() => {}}
      title="Are you sure?"
      confirmLabel="Delete"
      onConfirm={onConfirm}
    />,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Are you sure?' });
  expect(dialog.hasAttribute('data-vaul-drawer')).toBe(isDrawer);
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(onConfirm).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});

it('a picture opens full screen, and closes by its button and by a tap (§2-viewer-tap)', async () => {
  const onClose = vi.fn();
  const viewer = (open: boolean) => <ImageViewer open={open} onClose={onClose} src="/sea.jpg" alt="Sea" />;
  const { rerender } = render(viewer(false));
  expect(screen.queryByRole('img', { name: 'Sea' })).toBeNull();
  rerender(viewer(true));
  fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalled();
  onClose.mockClear();
  // The second click of two is for enlarging.
  const picture = screen.getByRole('img', { name: 'Sea' });
  fireEvent.click(picture);
  fireEvent.click(picture);
  fireEvent.pointerDown(picture, { clientX: 10, clientY: 10 });
  fireEvent.click(picture, { clientX: 60, clientY: 10 });
  fireEvent.pointerDown(picture, { clientX: 60, clientY: 10 });
  fireEvent.click(picture, { clientX: 60, clientY: 10 });
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  screen.getByRole('button', { name: 'Zoom in' });
});

it.each([
  ['5000 ms (§9-toast-default)', undefined, 5000],
  ['3000 ms, as errors of files and forms (§9-toast-normal)', 3000, 3000],
])('a toast is there for %s', async (_what, durationMs, stays) => {
  render(<Overlays />);
  // Loads the stage.
  act(() => toast({ title: 'First' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  await vi.waitFor(() => expect(useToasts.getState().queue).toEqual([]));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  act(() => toast({ title: 'Second', durationMs }));
  expect(screen.getByText('Second')).toBeDefined();
  act(() => void vi.advanceTimersByTime(stays - 1));
  expect(screen.queryByRole('button', { name: 'Dismiss' })).not.toBeNull();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
});

/** What becomes of a toast that is swiped by so many pixels. */
async function swipedBy(pixels: number) {
  act(() => toast({ title: 'Swiped' }));
  const item = (await screen.findByText('Swiped')).closest('li') ?? document.body;
  item.setPointerCapture = () => {};
  item.releasePointerCapture = () => {};
  item.hasPointerCapture = () => true;
  const pointer = { pointerId: 1, pointerType: 'touch', button: 0, clientY: 0 };
  fireEvent.pointerDown(item, { ...pointer, clientX: 0 });
  fireEvent.pointerMove(item, { ...pointer, clientX: 20 });
  fireEvent.pointerMove(item, { ...pointer, clientX: pixels });
  fireEvent.pointerUp(item, { ...pointer, clientX: pixels });
  return item.getAttribute('data-swipe');
}

it('a toast stays when it is swiped by 50 px, and goes by more (§9-toast-swipe)', async () => {
  render(<Overlays />);
  expect(await swipedBy(50)).toBe('cancel');
  act(() => useToasts.setState({ queue: [] }));
  expect(await swipedBy(51)).toBe('end');
});
