import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SCREEN_UNAVAILABLE } from '../lib/call.ts';
import { queryClient } from '../lib/queries.ts';
import { samplePost, sampleSession } from '../testing/samples.ts';
import { renderAppAt } from '../testing/screen.tsx';
import { stubServer } from '../testing/stub-server.ts';

const server = stubServer();

/** What the error screen does once the server answers. */
const recovery = vi.hoisted(() => ({
  onReachable: async (_isNewVersion: boolean) => {},
  attempts: { count: 0 },
  watches: 0,
}));
vi.mock('../lib/recovery.ts', async (original) => ({
  ...(await original<object>()),
  watchServer(onReachable: typeof recovery.onReachable, attempts: typeof recovery.attempts) {
    Object.assign(recovery, { onReachable, attempts, watches: recovery.watches + 1 });
    return () => undefined;
  },
}));
vi.mock('../features/posts/SavedScreen.tsx', () => ({
  SavedScreen() {
    throw new Error(SCREEN_UNAVAILABLE);
  },
}));

const { queries } = queryClient.getDefaultOptions();
beforeEach(() => queryClient.setDefaultOptions({ queries: { ...queries, retryDelay: 0 } }));
afterEach(cleanup);

async function openFailing(path: string) {
  for (const method of ['error', 'warn'] as const) vi.spyOn(console, method).mockImplementation(() => {});
  server.answer('GET /api/account/session', 200, sampleSession('Ana'));
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  renderAppAt([path]);
  await screen.findByRole('button', { name: 'Try again' });
  return reload;
}

test('a screen that lacks its data reads it again, and loads no new version', async () => {
  server.answer('GET /api/post/one/p1', 502, 'a page of the proxy');
  const reload = await openFailing('/post/p1');
  const reads = () => server.requests.filter(({ line }) => line === 'GET /api/post/one/p1').length;
  const before = reads();
  await recovery.onReachable(true);
  await vi.waitFor(() => expect(reads()).toBeGreaterThan(before));
  expect(reload).not.toHaveBeenCalled();
});

test('a screen that fails again waits longer for each try, until one succeeds or it is left', async () => {
  server.answer('GET /api/post/one/p1', 503, 'a page of the proxy');
  await openFailing('/post/p1');
  const tryAgain = async () => {
    const before = recovery.watches;
    // As the watch does before it calls back.
    recovery.attempts.count += 1;
    await recovery.onReachable(false);
    return before;
  };
  for (const count of [1, 2, 3]) {
    const before = await tryAgain();
    await vi.waitFor(() => expect(recovery.watches).toBeGreaterThan(before));
    expect(recovery.attempts.count).toBe(count);
  }
  server.answer('GET /api/post/one/p1', 200, samplePost({ id: 'p1' }));
  await tryAgain();
  await vi.waitFor(() => expect(recovery.attempts.count).toBe(0));
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a screen whose code is gone is loaded in the new version', async () => {
  server.answer('GET /api/post/saved', 200, { items: [], next: null });
  const reload = await openFailing('/saved');
  await recovery.onReachable(true);
  expect(reload).toHaveBeenCalledOnce();
});
