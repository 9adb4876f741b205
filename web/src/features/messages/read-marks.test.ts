import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../lib/queries.ts';
import { sampleChat } from '../../testing/chat-samples.ts';
import { cachedChat, storeChat } from './chat-cache.ts';
import { markDelivered, markRead } from './read-marks.ts';

let bodies: unknown[];
let isOffline: boolean;
let chats = 0;
/** Marks that were sent are remembered: each test has a chat of its own. */
let chatId: string;

beforeEach(() => {
  bodies = [];
  isOffline = false;
  chats += 1;
  chatId = `chat ${chats}`;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    if (isOffline) throw new TypeError('Failed to fetch');
    const { delivered, read = 0 } = JSON.parse(String(body));
    bodies.push({ delivered, read });
    return Response.json({ delivered, read, unread: 0 });
  });
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the newest of several looks is told once, and never a lower one', async () => {
  markRead(chatId, 3);
  markRead(chatId, 5);
  markRead(chatId, 4);
  await vi.advanceTimersByTimeAsync(400);
  markRead(chatId, 5);
  markDelivered(chatId, 2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(bodies).toEqual([{ delivered: 5, read: 5 }]);
});

test('messages that arrive elsewhere are told once in a second', async () => {
  for (const sequence of [1, 2, 3]) {
    markDelivered(chatId, sequence);
    await vi.advanceTimersByTimeAsync(300);
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(bodies).toEqual([{ delivered: 3, read: 0 }]);
});

test('a mark without a connection is told by the next look', async () => {
  isOffline = true;
  markRead(chatId, 2);
  await vi.advanceTimersByTimeAsync(400);
  isOffline = false;
  markRead(chatId, 2);
  await vi.advanceTimersByTimeAsync(400);
  expect(bodies).toEqual([{ delivered: 2, read: 2 }]);
});

test('what the chat is known to have read is not told again, and a new mark ends its unread count', async () => {
  const chat = sampleChat({ id: chatId, lastSequence: 4, unread: 2, own: { delivered: 4, read: 2 } });
  storeChat({ chat, messages: { items: [], hasMore: false } });
  markDelivered(chatId, 4);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(bodies).toEqual([]);
  markRead(chatId, 4);
  await vi.advanceTimersByTimeAsync(400);
  expect(cachedChat(chatId)?.chat).toMatchObject({ unread: 0, own: { delivered: 4, read: 4 } });
});
