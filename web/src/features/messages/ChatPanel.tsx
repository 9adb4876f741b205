import type { Message } from '@tara/contract/messages/messages';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { useRealtimeLost } from '../../lib/realtime.ts';
import { LazyComponent, lazyModule } from '../../ui/lazy-component.tsx';
import { MessageInput } from './MessageInput.tsx';
import { MessageList } from './MessageList.tsx';
import type { LiveChat } from './use-chat.ts';

const warning = lazyModule(() => import('./OffPlatformWarning.tsx'));

/** Loads the code of what is above the messages, which would push them down later; without a network it loads later. */
export const preloadWarning = (): Promise<unknown> => warning.preload().catch(() => undefined);

interface ChatPanelProps {
  live: LiveChat;
  /** Name of the other member. */
  name: string;
  /** Under 'No messages.' */
  emptyText: string;
  /** Shown in place of the input: why nobody can write. */
  readOnly?: ReactNode;
  /** Above the input. */
  notice?: ReactNode;
  /** Pictures can be sent too. */
  allowsPictures?: boolean;
}

/** The messages of a chat and where one writes; as high as there is room for it. */
export function ChatPanel({
  live,
  name,
  emptyText,
  readOnly,
  notice,
  allowsPictures = true,
}: ChatPanelProps) {
  const [replyTo, setReplyTo] = useState<Message | null>(null);
  return (
    <>
      <LazyComponent module={warning} isWanted props={{ chatId: live.id, messages: live.messages.items }} />
      <MessageList live={live} emptyText={emptyText} onReply={readOnly ? undefined : setReplyTo} />
      <StatusLine live={live} name={name} />
      {notice}
      {readOnly ? (
        <div className="shrink-0 border-t border-line p-4 text-center text-ink-soft">{readOnly}</div>
      ) : (
        <MessageInput
          id={live.id}
          kind={live.kind}
          allowsPictures={allowsPictures}
          replyTo={replyTo}
          onReplyTo={setReplyTo}
          onSend={live.clearNew}
        />
      )}
    </>
  );
}

const subscribeToNetwork = (listener: () => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/** One line that is always there, so that nothing jumps: the connection, else whether the other types. */
function StatusLine({ live, name }: { live: LiveChat; name: string }) {
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  const isLost = useRealtimeLost() || live.outgoing.some(({ state }) => state === 'retrying');
  const problem = isOnline
    ? isLost && 'Tara cannot be reached. Trying again.'
    : 'You are offline. Messages are sent when you are back.';
  return (
    <p
      role="status"
      className="h-[1lh] shrink-0 truncate px-4 text-xs leading-[calc(20/12)] text-ink-soft sm:px-5"
    >
      {problem ? (
        <span className="font-semibold text-mango-ink">{problem}</span>
      ) : (
        live.isTyping && `${name} is typing…`
      )}
    </p>
  );
}
