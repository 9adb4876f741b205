import { ChatEvent, type ChatKind, Message } from '@tara/contract/messages';
import { unsentBody } from '@tara/contract/notices';
import { type CollectionId, channel } from '@tara/contract/realtime';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLoaded } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { announce } from '../../ui/feedback.ts';
import { useSession } from '../accounts/index.ts';
import {
  catchUp,
  chatKey,
  markDelivered,
  markRead,
  type OpenChat,
  receiveMessage,
  setOtherMark,
  trimChat,
} from './chat-cache.ts';
import { resumeOutbox, useOutbox } from './outbox.ts';

const collections = {
  conversation: 'conversations',
  receipt: 'conversationReceipts',
} as const satisfies Record<ChatKind, CollectionId>;

/** How long 'is typing' is shown after the last sign of it. */
const TYPING_MS = 5_000;

/** One screen's chat. */
export interface ChatAdapter {
  id: string;
  kind: ChatKind;
  /** Makes the call that opens the chat again; its reply goes through `storeChat`. */
  open: () => Promise<OpenChat>;
}

/** A chat with its stored messages and those of the outbox, live while its screen is shown. */
export function useChat({ id, kind, open }: ChatAdapter) {
  const { profile } = useSession();
  const { chat, messages } = useLoaded<OpenChat, ReturnType<typeof chatKey>>({
    queryKey: chatKey(id),
    queryFn: open,
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
  useEffect(() => resumeOutbox(profile.id), [profile.id]);
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
