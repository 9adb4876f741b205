import { counts } from '@tara/contract/counts';
import { firstPages, maxPagesPerCall, messagesPerScreen } from '@tara/contract/limits';
import {
  type Chat,
  type ChatEvent,
  type Message,
  type MessagesPage,
  messages,
  type ReadMark,
} from '@tara/contract/messages/messages';
import { call } from '../../lib/call.ts';
import { invalidate, queryClient } from '../../lib/queries.ts';

/** A chat with its cached messages, oldest first: what both kinds have in common. */
export interface OpenChat {
  chat: Chat;
  messages: MessagesPage;
}

export const chatKey = (id: string) => ['open chat', id] as const;

export const cachedChat = (id: string) => queryClient.getQueryData<OpenChat>(chatKey(id));

function updateChat(id: string, change: (cached: OpenChat) => OpenChat): void {
  queryClient.setQueryData<OpenChat>(chatKey(id), (cached) => cached && change(cached));
}

/** Marks never fall: a reply in flight may be older than what is cached. */
const highestMark = (a: ReadMark, b: ReadMark): ReadMark => ({
  delivered: Math.max(a.delivered, b.delivered),
  read: Math.max(a.read, b.read),
});

/** Appends the newest pages to the cached messages, unless there is a gap between them. */
function mergeNewest(cached: MessagesPage | undefined, newest: MessagesPage): MessagesPage {
  const items = mergeMessages([], newest.items);
  const last = cached?.items.at(-1)?.sequence ?? 0;
  const isContiguous = cached !== undefined && items[0] !== undefined && items[0].sequence <= last + 1;
  return isContiguous
    ? { items: mergeMessages(cached.items, items), hasMore: cached.hasMore }
    : { items, hasMore: newest.hasMore };
}

/** Stores what the call that opens a chat replied. Older cached messages and higher marks stay. */
export function storeChat({ chat, messages }: OpenChat): OpenChat {
  const cached = cachedChat(chat.id);
  const stored = {
    chat: cached
      ? {
          ...chat,
          own: highestMark(chat.own, cached.chat.own),
          other: chat.other && (cached.chat.other ? highestMark(chat.other, cached.chat.other) : chat.other),
        }
      : chat,
    messages: mergeNewest(cached?.messages, messages),
  };
  queryClient.setQueryData<OpenChat>(chatKey(chat.id), stored);
  return stored;
}

/** Drops all but the newest messages: a chat that nobody looks at receives no event when one is
 * unsent. */
export function trimChat(id: string): void {
  updateChat(id, (cached) => {
    const items = cached.messages.items.slice(-messagesPerScreen);
    const hasMore = cached.messages.hasMore || items.length < cached.messages.items.length;
    return { ...cached, messages: { items, hasMore } };
  });
}

/** Adds stored messages to the cache, in place of their earlier versions. */
export function addMessages(id: string, received: readonly Message[]): void {
  updateChat(id, (cached) => {
    const items = mergeMessages(cached.messages.items, received);
    const lastSequence = Math.max(cached.chat.lastSequence, items.at(-1)?.sequence ?? 0);
    return {
      chat: { ...cached.chat, lastSequence },
      messages: { ...cached.messages, items },
    };
  });
}

/** The marks of the other member. Null marks are a choice of one of the two, and stay. */
export function setOtherMark(id: string, mark: NonNullable<ChatEvent['mark']>): void {
  updateChat(id, (cached) => {
    const { other } = cached.chat;
    return other ? { ...cached, chat: { ...cached.chat, other: highestMark(other, mark) } } : cached;
  });
}

/** One's own marks, as the server stored them. */
export function setOwnMark(id: string, mark: ReadMark, unread: number): void {
  updateChat(id, (cached) => ({
    ...cached,
    chat: { ...cached.chat, own: highestMark(cached.chat.own, mark), unread },
  }));
}

/** Fetches all messages after a sequence. */
async function fetchAfter(id: string, sequence: number): Promise<Message[]> {
  const fetched: Message[] = [];
  let after = sequence;
  for (;;) {
    const { items, hasMore } = await call(messages.list, {
      params: { chatId: id },
      query: { after, pages: maxPagesPerCall },
    });
    addMessages(id, items);
    fetched.push(...items);
    const last = items.at(-1);
    if (!hasMore || last === undefined) return fetched;
    after = last.sequence;
  }
}

/** Fetches the messages before the oldest cached one, down to `sequence` if given. */
export async function fetchOlder(id: string, sequence?: number): Promise<void> {
  const cached = cachedChat(id);
  const oldest = cached?.messages.items[0];
  if (cached === undefined || oldest === undefined || oldest.sequence === 1) return;
  const { pages } = sequence === undefined ? firstPages(cached.chat.kind) : { pages: maxPagesPerCall };
  const { items, hasMore } = await call(messages.list, {
    params: { chatId: id },
    query: { before: oldest.sequence, pages },
  });
  updateChat(id, (before) => ({
    ...before,
    messages: { items: mergeMessages(before.messages.items, items), hasMore },
  }));
  const first = items.reduce((lowest, item) => Math.min(lowest, item.sequence), oldest.sequence);
  if (sequence !== undefined && hasMore && first > sequence) await fetchOlder(id, sequence);
}

/** The last cached sequence before a gap, or the newest if there is no gap; 0 without messages. */
function lastContiguousSequence(id: string): number {
  const cached = cachedChat(id)?.messages;
  if (cached === undefined) return 0;
  return lastBeforeGap(cached.items, !cached.hasMore) ?? cached.items.at(-1)?.sequence ?? 0;
}

/**
 * Fetches missed messages, and after a lost connection also the cached ones again, because some may have been taken
 * back. Returns those that were not cached.
 */
export async function catchUp(id: string, wasLost: boolean): Promise<Message[]> {
  const items = cachedChat(id)?.messages.items ?? [];
  const before = new Set(items.map(({ sequence }) => sequence));
  const start = wasLost ? (items[0]?.sequence ?? 1) - 1 : lastContiguousSequence(id);
  const fetched = await fetchAfter(id, start);
  return fetched.filter(({ sequence }) => !before.has(sequence));
}

/**
 * Adds a received message to the cache, and fetches missed ones before it. Returns those that were not cached: none for
 * a message that was taken back.
 */
export async function receiveMessage(id: string, message: Message): Promise<Message[]> {
  const cached = cachedChat(id);
  if (cached === undefined) return [];
  const isKnown = cached.messages.items.some(({ sequence }) => sequence === message.sequence);
  const [first] = cached.messages.items;
  // Taken back before what is cached: it is fetched by scrolling.
  if (!isKnown && first !== undefined && message.sequence < first.sequence) return [];
  addMessages(id, [message]);
  if (isKnown) return [];
  const missed = lastContiguousSequence(id) < message.sequence ? await catchUp(id, false) : [];
  return mergeMessages(missed, [message]);
}

/**
 * Merges two sets of stored messages, unique and oldest first. Sequences start at 1 without gaps. Of two versions the
 * received one stays, but a message that was unsent never reappears: a reply in flight may be older than that.
 */
export function mergeMessages(stored: readonly Message[], received: readonly Message[]): Message[] {
  const bySequence = new Map(stored.map((message) => [message.sequence, message]));
  for (const message of received) {
    if (!bySequence.get(message.sequence)?.unsent || message.unsent)
      bySequence.set(message.sequence, message);
  }
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}

/** The last sequence before a gap, or null if there is none: later messages must be fetched. `isComplete` means that
 * no older messages are left to fetch, so that the first sequence must be 1.
 */
export function lastBeforeGap(
  messages: readonly Pick<Message, 'sequence'>[],
  isComplete: boolean,
): number | null {
  const [first] = messages;
  if (first === undefined) return null;
  let last = isComplete ? 0 : first.sequence - 1;
  for (const { sequence } of messages) {
    if (sequence !== last + 1) return last;
    last = sequence;
  }
  return null;
}

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

/** Sends soon that a chat is read up to a sequence. Marks never fall. */
export const markRead = (chatId: string, sequence: number) =>
  schedule(chatId, { delivered: sequence, read: sequence }, READ_DELAY_MS);

/** Sends soon that messages up to a sequence arrived, while their chat is not looked at. */
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
    if (read > 0) await invalidate(counts.own);
  } catch {
    // Without a connection; the next message, look or reconnect sends it again.
  }
}
