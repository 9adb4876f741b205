import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { forgetOutboxes } from '../lib/outbox-storage.ts';
import { sampleComment, sampleMessage } from '../testing/samples.ts';
import { stubServer } from '../testing/stub-server.ts';
import { useOutboxes } from './outboxes.ts';

const server = stubServer();
afterEach(() => {
  cleanup();
  forgetOutboxes();
});

const entry = { state: 'sending', failure: null, createdAt: '2026-01-02T03:04:05.000Z' };
const message = {
  ...{ chatId: 'AnaBen', kind: 'conversation', userId: 'Ana', body: 'Wait for me', replyTo: null },
  ...{ hasPicture: false, picture: null, upload: { step: 'idle' } },
};
const likes = { liked: true, totalLikes: 5, before: { liked: false, totalLikes: 4 }, mayBeStored: true };
const store = (name: string, fields: object) =>
  localStorage.setItem(
    `outbox:Ana:${name}:left-in-${name}`,
    JSON.stringify({ ...entry, ...fields, clientKey: `left-in-${name}` }),
  );
const left = () => Object.keys(localStorage).filter((key) => key.startsWith('outbox:'));

test('what an earlier load left is sent, whichever screen is shown', async () => {
  server.answer('POST /api/message/sendMessage', 200, sampleMessage({ userId: 'Ana' }));
  server.answer('POST /api/post/like', 200, { status: 'ok', totalLikes: 5, liked: true });
  server.answer('POST /api/review/like', 200, { status: 'ok', totalLikes: 5, liked: true });
  store('messages', message);
  store('postLikes', { ...likes, recordId: 'p1' });
  store('reviewLikes', { ...likes, recordId: 'r1' });
  renderHook(() => useOutboxes('Ana'));
  await vi.waitFor(() => expect(left()).toEqual([]));
  expect(server.requests.map(({ line }) => line).toSorted()).toEqual([
    'POST /api/message/sendMessage',
    'POST /api/post/like',
    'POST /api/review/like',
  ]);
});

test('what another tab writes is sent here when that one is closed', async () => {
  const comment = sampleComment({ clientKey: 'left-in-comments' });
  server.answer('POST /api/review/createComment', 200, { comment, totalComments: 1 });
  renderHook(() => useOutboxes('Ana'));
  store('comments', { reviewId: 'r1', body: 'How lovely' });
  dispatchEvent(new StorageEvent('storage', { key: 'outbox:Ana:comments:left-in-comments' }));
  await vi.waitFor(() => expect(left()).toEqual([]));
  expect(server.requests.map(({ body }) => body)).toEqual([
    { reviewId: 'r1', body: 'How lovely', clientKey: 'left-in-comments' },
  ]);
});

test('nothing is sent while nobody is signed in', async () => {
  store('messages', message);
  const { rerender } = renderHook(({ account }) => useOutboxes(account), {
    initialProps: { account: 'Ben' as string | undefined },
  });
  rerender({ account: undefined });
  await import('../features/messages/outbox.ts');
  expect([server.requests, left()]).toEqual([[], ['outbox:Ana:messages:left-in-messages']]);
});
