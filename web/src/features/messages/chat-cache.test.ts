import type { Message } from '@tara/contract/messages/messages';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { queryClient } from '../../lib/queries.ts';
import { sampleChat, sampleMessage } from '../../testing/samples.ts';
import {
  cachedChat,
  lastBeforeGap,
  markDelivered,
  markRead,
  mergeMessages,
  storeChat,
  trimChat,
} from './chat-cache.ts';

const message = (sequence: number, part: Partial<Message> = {}) =>
  sampleMessage({ sequence, clientKey: `key-${sequence}`, body: `${sequence}`, ...part });
const sequences = (messages: Message[]) => messages.map(({ sequence }) => sequence);

describe('the messages of a chat', () => {
  it('are unique and in order, however they arrived', () => {
    const merged = mergeMessages([message(3), message(2)], [message(4), message(3), message(1)]);
    expect(sequences(merged)).toEqual([1, 2, 3, 4]);
  });
  it('that were taken back stay so, though an older reply arrives later', () => {
    const unsent = message(2, { unsent: true, body: 'message unsent' });
    expect(mergeMessages([message(1), unsent], [message(2), message(3)])[1]).toBe(unsent);
    expect(mergeMessages([message(1), message(2)], [unsent])[1]).toBe(unsent);
  });
  it('have a gap where one was missed', () => {
    expect(lastBeforeGap([message(4), message(5), message(8)], false)).toBe(5);
  });
  it('may start late, because older ones are fetched by scrolling', () => {
    expect(lastBeforeGap([message(4), message(5)], false)).toBeNull();
    expect(lastBeforeGap([], true)).toBeNull();
  });
  it('begin with the first where nothing older is left to fetch', () => {
    expect(lastBeforeGap([message(3)], true)).toBe(0);
    expect(lastBeforeGap([message(1), message(2)], true)).toBeNull();
  });
});

test('a chat that is left keeps its newest 30 messages', () => {
  const messages = Array.from({ length: 40 }, (_, index) => message(index + 1));
  storeChat({ chat: sampleChat({ id: 'long' }), messages: { items: messages, hasMore: false } });
  trimChat('long');
  expect(sequences(cachedChat('long')?.messages.items ?? [])).toEqual(sequences(messages.slice(10)));
});

describe('read marks', () => {
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

  test('the newest of several read marks is sent once, and never a lower one', async () => {
    markRead(chatId, 3);
    markRead(chatId, 5);
    markRead(chatId, 4);
    await vi.advanceTimersByTimeAsync(400);
    markRead(chatId, 5);
    markDelivered(chatId, 2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(bodies).toEqual([{ delivered: 5, read: 5 }]);
  });

  test('messages that arrive elsewhere are acknowledged once in a second', async () => {
    for (const sequence of [1, 2, 3]) {
      markDelivered(chatId, sequence);
      await vi.advanceTimersByTimeAsync(300);
    }
    await vi.advanceTimersByTimeAsync(100);
    expect(bodies).toEqual([{ delivered: 3, read: 0 }]);
  });

  test('a mark without a connection is sent with the next look', async () => {
    isOffline = true;
    markRead(chatId, 2);
    await vi.advanceTimersByTimeAsync(400);
    isOffline = false;
    markRead(chatId, 2);
    await vi.advanceTimersByTimeAsync(400);
    expect(bodies).toEqual([{ delivered: 2, read: 2 }]);
  });

  test('what the chat is known to have read is not sent again, and a new mark ends its unread count', async () => {
    const chat = sampleChat({ id: chatId, lastSequence: 4, unread: 2, own: { delivered: 4, read: 2 } });
    storeChat({ chat, messages: { items: [], hasMore: false } });
    markDelivered(chatId, 4);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(bodies).toEqual([]);
    markRead(chatId, 4);
    await vi.advanceTimersByTimeAsync(400);
    expect(cachedChat(chatId)?.chat).toMatchObject({ unread: 0, own: { delivered: 4, read: 4 } });
  });
});
