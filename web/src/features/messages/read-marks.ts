import { messages, type ReadMark } from '@tara/contract/messages';
import { call } from '../../lib/call.ts';
import { invalidate } from '../../lib/queries.ts';
import { cachedChat, setOwnMark } from './chat-cache.ts';

/** Delay of a read mark; a newer one of that time goes along. */
const READ_DELAY_MS = 400;
/** At most one mark of received messages is sent for a chat in this time. */
const DELIVERED_DELAY_MS = 1_000;

interface PendingMark extends ReadMark {
  delayMs: number;
  timer: ReturnType<typeof setTimeout>;
}

const pending = new Map<string, PendingMark>();
/** What the server has stored, of chats that are not cached too. */
const confirmed = new Map<string, ReadMark>();

/** Tells soon that a chat is read up to a sequence. Marks never fall. */
export const markRead = (chatId: string, sequence: number) =>
  schedule(chatId, { delivered: sequence, read: sequence }, READ_DELAY_MS);

/** Tells soon that messages up to a sequence arrived, while their chat is not looked at. */
export const markDelivered = (chatId: string, sequence: number) =>
  schedule(chatId, { delivered: sequence, read: 0 }, DELIVERED_DELAY_MS);

function schedule(chatId: string, mark: ReadMark, delayMs: number): void {
  const known = [cachedChat(chatId)?.chat.own, confirmed.get(chatId), pending.get(chatId)];
  const delivered = Math.max(mark.delivered, ...known.map((other) => other?.delivered ?? 0));
  const read = Math.max(mark.read, ...known.map((other) => other?.read ?? 0));
  if (known.some((other) => other && other.delivered >= delivered && other.read >= read)) return;
  const earlier = pending.get(chatId);
  // A mark that is due sooner takes the newer sequence along.
  if (earlier && earlier.delayMs <= delayMs) {
    pending.set(chatId, { ...earlier, delivered, read });
    return;
  }
  clearTimeout(earlier?.timer);
  const timer = setTimeout(() => void sendMark(chatId), delayMs);
  pending.set(chatId, { delivered, read, delayMs, timer });
}

async function sendMark(chatId: string): Promise<void> {
  const mark = pending.get(chatId);
  pending.delete(chatId);
  if (mark === undefined) return;
  const { delivered, read } = mark;
  try {
    const body = read > 0 ? { chatId, delivered, read } : { chatId, delivered };
    const { unread, ...stored } = await call(messages.mark, { body });
    confirmed.set(chatId, stored);
    setOwnMark(chatId, stored, unread);
    if (read > 0) await invalidate(messages.unread);
  } catch {
    // Without a connection; the next message, look or reconnect tells it again.
  }
}
