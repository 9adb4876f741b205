import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SCREEN_UNAVAILABLE } from '../lib/call.ts';
import { queryClient } from '../lib/queries.ts';
import { sampleSession } from '../testing/samples.ts';
import { renderAppAt } from '../testing/screen.tsx';
import { stubServer } from '../testing/stub-server.ts';

const server = stubServer();

/** What the error screen does once the server answers. */
const recovery = vi.hoisted(() => ({ onReachable: async (_isNewVersion: boolean) => {} }));
vi.mock('../lib/recovery.ts', async (original) => ({
  ...(await original<object>()),
  watchServer(onReachable: typeof recovery.onReachable) {
    recovery.onReachable = onReachable;
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

test('a screen whose code is gone is loaded in the new version', async () => {
  server.answer('GET /api/post/saved', 200, { items: [], next: null });
  const reload = await openFailing('/saved');
  await recovery.onReachable(true);
  expect(reload).toHaveBeenCalledOnce();
});
