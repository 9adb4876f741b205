import type { Message } from '@tara/contract/messages';
import { describe, expect, it } from 'vitest';
import { sampleMessage } from '../../testing/chat-samples.ts';
import { lastBeforeGap, mergeMessages } from './messages.ts';

const message = (sequence: number, part: Partial<Message> = {}) =>
  sampleMessage({ sequence, clientKey: `key-${sequence}`, body: `${sequence}`, ...part });
const sequences = (messages: Message[]) => messages.map(({ sequence }) => sequence);

describe('the messages of a chat', () => {
  it('are unique and in order, however they arrived', () => {
    const merged = mergeMessages([message(3), message(2)], [message(4), message(3), message(1)]);
    expect(sequences(merged)).toEqual([1, 2, 3, 4]);
  });
  it('that were taken back stay so, though an older reply arrives later (§4-unsend)', () => {
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
