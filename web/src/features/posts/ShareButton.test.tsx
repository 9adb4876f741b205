import { accounts } from '@tara/contract/accounts';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient, setQueryDataOf } from '../../lib/queries.ts';
import { samplePost, sampleSession } from '../../testing/samples.ts';
import { useToasts } from '../../ui/feedback.ts';
import { ShareButton } from './ShareButton.tsx';

const url = () => `${location.origin}/post/p1`;
const newestToast = () => useToasts.getState().queue.at(-1);
const writeText = vi.fn<(text: string) => Promise<void>>();

/** Presses Share in a browser that has these functions, as a member of this id. */
function press(system: object, { id = 'Ben', sharesPosts = false } = {}) {
  vi.stubGlobal('navigator', { clipboard: { writeText }, ...system });
  setQueryDataOf(accounts.session, {}, sampleSession(id, { profile: { sharesPosts } }));
  vi.spyOn(queryClient, 'prefetchQuery').mockResolvedValue();
  render(<ShareButton post={samplePost({ creatorId: 'Ana' })} />);
  fireEvent.click(screen.getByRole('button', { name: 'Share' }));
}

beforeEach(() => {
  useToasts.setState({ queue: [] });
  writeText.mockReset().mockResolvedValue();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('the link goes to the system’s own sheet where there is one', async () => {
  const share = vi.fn().mockResolvedValue(undefined);
  press({ canShare: () => true, share });
  await vi.waitFor(() => expect(share).toHaveBeenCalledWith({ title: 'A post on Tara', url: url() }));
  expect(writeText).not.toHaveBeenCalled();
});

test('a closed sheet copies nothing; one that fails does not keep the link from being copied', async () => {
  const share = vi.fn().mockRejectedValue(new DOMException('', 'AbortError'));
  press({ canShare: () => true, share });
  await vi.waitFor(() => expect(share).toHaveBeenCalled());
  expect(writeText).not.toHaveBeenCalled();
  cleanup();
  press({ canShare: () => true, share: async () => Promise.reject(new DOMException('', 'NotAllowedError')) });
  await vi.waitFor(() => expect(newestToast()?.title).toBe('The link is copied.'));
});

test('elsewhere it is copied, and a toast says so', async () => {
  press({});
  await vi.waitFor(() => expect(newestToast()).toMatchObject({ title: 'The link is copied.' }));
  expect(writeText).toHaveBeenCalledWith(url());
  expect(newestToast()?.text).toBeUndefined();
});

test('the creator reads that others see nothing of it, unless posts are shown in shared links', async () => {
  press({}, { id: 'Ana' });
  await vi.waitFor(() => expect(newestToast()?.text).toContain('sees nothing of your post'));
  cleanup();
  press({}, { id: 'Ana', sharesPosts: true });
  await vi.waitFor(() => expect(useToasts.getState().queue).toHaveLength(2));
  expect(newestToast()?.text).toBeUndefined();
});

test('a link that cannot be copied is shown', async () => {
  writeText.mockRejectedValue(new DOMException('', 'NotAllowedError'));
  press({});
  await vi.waitFor(() =>
    expect(newestToast()).toMatchObject({ title: 'The link could not be copied.', text: url() }),
  );
});
