import type { Message } from '@tara/contract/messages';
import { describe, expect, it } from 'vitest';
import { lastBeforeGap, mergeMessages } from './messages.ts';

const message = (sequence: number): Message => ({
  id: `m${sequence}`,
  chatId: 'c',
  replyTo: null,
  admin: false,
  unsent: false,
  sequence,
  userId: 'ana',
  name: 'Ana',
  body: `${sequence}`,
  picture: null,
  clientKey: `key-${sequence}`,
  createdAt: '2026-01-01T00:00:00.000+00:00',
});
const sequences = (messages: Message[]) => messages.map(({ sequence }) => sequence);

describe('the messages of a chat', () => {
  it('are unique and in order, however they arrived', () => {
    const merged = mergeMessages([message(3), message(2)], [message(4), message(3), message(1)]);
    expect(sequences(merged)).toEqual([1, 2, 3, 4]);
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
