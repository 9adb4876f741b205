import { ChatEvent, type ChatKind, Message, type ReadMark } from '@tara/contract/messages/messages';
import { unsentBody } from '@tara/contract/notices';
import { type CollectionId, channel } from '@tara/contract/wire/realtime';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLoaded } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { announce } from '../../ui/feedback.ts';
import { dateLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import {
  cachedChat,
  catchUp,
  chatKey,
  markDelivered,
  markRead,
  type OpenChat,
  receiveMessage,
  setOtherMark,
  trimChat,
} from './chat-cache.ts';
import { deleteForeignPictures, type Outgoing, useOutbox } from './outbox.ts';

const collections = {
  conversation: 'conversations',
  receipt: 'conversationReceipts',
} as const satisfies Record<ChatKind, CollectionId>;

/** How long 'is typing' is shown after the last sign of it. */
const TYPING_MS = 5_000;

/** One screen's chat. */
interface ChatAdapter {
  id: string;
  kind: ChatKind;
  /** Makes the call that opens the chat again; its reply goes through `storeChat`. */
  open: () => Promise<unknown>;
}

/** A chat with its stored messages and those of the outbox, live while its screen is shown. */
export function useChat({ id, kind, open }: ChatAdapter) {
  const { profile } = useSession();
  const { chat, messages } = useLoaded<OpenChat, ReturnType<typeof chatKey>>({
    queryKey: chatKey(id),
    queryFn: async () => {
      await open();
      const opened = cachedChat(id);
      if (opened === undefined) throw new Error(`The chat ${id} was not stored.`);
      return opened;
    },
    // The record of the screen refetches it; realtime keeps it fresh.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  const [isAtEnd, setIsAtEnd] = useState(true);
  const isLookedAt = useWindowFocus() && isAtEnd;
  const newest = messages.items.at(-1)?.sequence ?? 0;
  // After which sequence messages are new: the read mark when the chat was opened, or one's own last message.
  const [newAfter, setNewAfter] = useState(() => {
    const own = messages.items.findLast(({ userId }) => userId === profile.id);
    return Math.max(chat.own.read, own?.sequence ?? 0);
  });
  const hasNew = messages.items.some(({ sequence, userId }) => sequence > newAfter && userId !== profile.id);
  const typing = useTyping();

  useEffect(() => mark(id, newest, isLookedAt), [id, newest, isLookedAt]);
  useEffect(() => void deleteForeignPictures(profile.id), [profile.id]);
  useEffect(() => () => trimChat(id), [id]);

  const handleReceived = (received: readonly Message[]) => {
    const others = received.filter(({ userId }) => userId !== profile.id);
    for (const { name, body } of others) announce(`${name}: ${body || 'a picture'}`);
    for (const { userId } of others) typing.stop(userId);
    const last = received.at(-1)?.sequence;
    // What arrives before one's eyes is not new; the line above what is stays.
    if (isLookedAt && !hasNew && last !== undefined) setNewAfter(last);
  };
  const handleEvent = (payload: unknown) => {
    const { data: message } = Message.safeParse(payload);
    if (message) {
      // This also replaces its text, where that was announced.
      if (message.unsent && message.userId !== profile.id) announce(`${message.name}: ${unsentBody}`);
      // If fetching missed messages fails, the next message or catch-up fetches them.
      receiveMessage(id, message).then(handleReceived, () => undefined);
      return;
    }
    const { data: event } = ChatEvent.safeParse(payload);
    if (event?.mark && event.mark.memberId !== profile.id) setOtherMark(id, event.mark);
    if (event?.typing && event.typing !== profile.id) typing.start(event.typing);
    if (event?.changed) open().catch(() => undefined);
  };
  const subscriptions = useRef(0);
  useRealtime(
    [channel.document(collections[kind], id)],
    ({ payload }) => handleEvent(payload),
    () => {
      subscriptions.current += 1;
      const wasLost = subscriptions.current > 1;
      // What changed of the chat itself meanwhile.
      if (wasLost) open().catch(() => undefined);
      catchUp(id, wasLost).then(handleReceived, () => undefined);
      mark(id, newest, isLookedAt);
    },
  );

  const arrived = new Set(messages.items.map(({ clientKey }) => clientKey));
  const outgoing = useOutbox().messages.filter(
    ({ chatId, clientKey }) => chatId === id && !arrived.has(clientKey),
  );
  return {
    id,
    kind,
    chat,
    messages,
    outgoing,
    newAfter,
    isTyping: typing.isShown,
    setIsAtEnd,
    /** Takes the line above the new messages away. */
    clearNew: () => setNewAfter(newest),
  };
}

export type LiveChat = ReturnType<typeof useChat>;

/** Marks the newest message of a chat as read when somebody looks at it, else as delivered. */
function mark(id: string, newest: number, isLookedAt: boolean): void {
  if (newest === 0) return;
  if (isLookedAt) markRead(id, newest);
  else markDelivered(id, newest);
}

/** Whether the other member types, until some seconds after the last sign of it or their message. */
function useTyping() {
  const [userId, setUserId] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    isShown: userId !== null,
    start(typing: string) {
      clearTimeout(timer.current);
      setUserId(typing);
      timer.current = setTimeout(() => setUserId(null), TYPING_MS);
    },
    stop: (typing: string) => setUserId((current) => (current === typing ? null : current)),
  };
}

const focusEvents = ['focus', 'blur'] as const;

function subscribeToFocus(listener: () => void): () => void {
  for (const name of focusEvents) addEventListener(name, listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    for (const name of focusEvents) removeEventListener(name, listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Whether the person looks at this window. */
const useWindowFocus = () =>
  useSyncExternalStore(subscribeToFocus, () => document.visibilityState === 'visible' && document.hasFocus());

/** What the other member has of an own message. */
export type MessageState = 'Sent' | 'Delivered' | 'Read';

/** One message of the list: stored, or still in the outbox. */
type ListMessage = { key: string; own: boolean; createdAt: string } & (
  | { stored: Message; outgoing?: undefined }
  | { stored?: undefined; outgoing: Outgoing }
);

export type ListRow =
  | { kind: 'day'; key: string; createdAt: string }
  | { kind: 'new'; key: string }
  | {
      kind: 'message';
      key: string;
      message: ListMessage;
      /** The first and the last of a group: one author, one minute. */
      isFirst: boolean;
      isLast: boolean;
      /** Where the author changes to somebody other than the viewer. */
      showsName: boolean;
      /** On the last group of each state; null while marks are hidden. */
      state: MessageState | null;
    };

interface ListOptions {
  /** Profile id of the viewer. */
  viewerId: string;
  /** The marks of the other member; null while hidden. */
  other: ReadMark | null;
  /** The line 'New messages' is before the first message of others after this sequence; null for no line. */
  newAfter: number | null;
}

const MINUTE_MS = 60_000;
const minuteOf = ({ createdAt }: ListMessage) => Math.floor(new Date(createdAt).getTime() / MINUTE_MS);
const dayOf = ({ createdAt }: ListMessage) => new Date(createdAt).toDateString();

/** The day of a separator: 'Today', 'Yesterday', else the date (§5). */
export function dayLabel(createdAt: string, now: Date): string {
  const day = new Date(createdAt).toDateString();
  if (day === now.toDateString()) return 'Today';
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day === yesterday.toDateString() ? 'Yesterday' : dateLabel(createdAt);
}

function isSameAuthor(a: ListMessage, b: ListMessage): boolean {
  if (a.own || b.own) return a.own === b.own;
  return a.stored?.userId === b.stored?.userId && a.stored?.admin === b.stored?.admin;
}

const isGrouped = (a: ListMessage, b: ListMessage) => isSameAuthor(a, b) && minuteOf(a) === minuteOf(b);

function stateOf(sequence: number, { delivered, read }: ReadMark): MessageState {
  if (sequence <= read) return 'Read';
  return sequence <= delivered ? 'Delivered' : 'Sent';
}

/** The rows of a chat, oldest first: messages grouped by author and minute, with lines between days. */
export function listRows(
  stored: readonly Message[],
  outgoing: readonly Outgoing[],
  { viewerId, other, newAfter }: ListOptions,
): ListRow[] {
  const messages: ListMessage[] = [
    ...stored.map((message) => ({
      key: message.clientKey,
      own: message.userId === viewerId,
      createdAt: message.createdAt,
      stored: message,
    })),
    ...outgoing.map((message) => ({
      key: message.clientKey,
      own: true,
      createdAt: message.createdAt,
      outgoing: message,
    })),
  ];
  const firstNew = messages.find(
    (message) => !message.own && newAfter !== null && (message.stored?.sequence ?? 0) > newAfter,
  );
  const rows = messages.flatMap((message, index): ListRow[] => {
    const before = messages[index - 1];
    const after = messages[index + 1];
    const startsDay = before === undefined || dayOf(before) !== dayOf(message);
    const isNew = message === firstNew;
    const isSeparated = startsDay || isNew;
    const row: ListRow = {
      kind: 'message',
      key: message.key,
      message,
      isFirst: isSeparated || !isGrouped(before, message),
      isLast: after === undefined || after === firstNew || !isGrouped(message, after),
      showsName: !message.own && (isSeparated || !isSameAuthor(before, message)),
      state: null,
    };
    return [
      ...(startsDay
        ? [{ kind: 'day' as const, key: `day ${message.key}`, createdAt: message.createdAt }]
        : []),
      ...(isNew ? [{ kind: 'new' as const, key: `new ${message.key}` }] : []),
      row,
    ];
  });
  return other ? withStates(rows, other) : rows;
}

/** Adds the state to the last group of each state. */
function withStates(rows: readonly ListRow[], other: ReadMark): ListRow[] {
  let later: MessageState | null = null;
  return rows
    .toReversed()
    .map((row) => {
      if (row.kind !== 'message' || !row.message.own || !row.message.stored || !row.isLast) return row;
      const state = stateOf(row.message.stored.sequence, other);
      const isShown = state !== later;
      later = state;
      return isShown ? { ...row, state } : row;
    })
    .toReversed();
}
