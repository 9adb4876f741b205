import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetOutboxes, openOutboxes } from '../../lib/outbox-storage.ts';
import { discardComment, retryComment, sendComment, useCommentOutbox } from './comment-outbox.ts';

const fetchMock = vi.fn(async (): Promise<Response> => {
  throw new TypeError('Failed to fetch');
});
const outbox = () => useCommentOutbox.getState().comments;
const sentBodies = () =>
  fetchMock.mock.calls.map((args) => JSON.parse(String((args as unknown as [string, RequestInit])[1].body)));

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock);
  fetchMock.mockClear();
  openOutboxes('Ana');
});
afterEach(() => {
  forgetOutboxes();
  vi.unstubAllGlobals();
});

test('a comment that failed keeps its text, and is sent again with the same key', async () => {
  sendComment('review', 'How lovely');
  expect(outbox()).toMatchObject([{ body: 'How lovely', failure: null }]);
  await vi.waitFor(() => expect(outbox()).toMatchObject([{ failure: { title: expect.any(String) } }]));
  const key = outbox()[0]?.clientKey ?? '';
  retryComment(key);
  expect(outbox()).toMatchObject([{ body: 'How lovely', failure: null }]);
  await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(2));
  expect(sentBodies().map(({ clientKey }) => clientKey)).toEqual([key, key]);
  discardComment(key);
  expect(outbox()).toEqual([]);
});

test('the next load sends a comment that was being sent again, with the same key', async () => {
  fetchMock.mockImplementation(() => new Promise(() => {}));
  sendComment('review', 'On its way');
  await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledOnce());
  openOutboxes(null);
  openOutboxes('Ana');
  expect(outbox()).toMatchObject([{ body: 'On its way', failure: null }]);
  await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(2));
  const [first, second] = sentBodies();
  expect(second).toEqual(first);
});
