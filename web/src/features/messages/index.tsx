import { Link } from '@tanstack/react-router';
import type { Person } from '@tara/contract/members/profiles';
import type { Message } from '@tara/contract/messages/messages';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { useRealtimeLost } from '../../lib/realtime.ts';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { LazyComponent, lazyModule } from '../../ui/lazy-component.tsx';
import { PageTitle } from '../../ui/Page.tsx';
import { MessageInput } from './MessageInput.tsx';
import { MessageList } from './MessageList.tsx';
import type { LiveChat } from './use-chat.ts';

interface ChatPageProps {
  /** The heading, and the window's title. */
  title: string;
  /** The other member; without an id after a block. */
  person: Person;
  /** Under the heading. */
  line: ReactNode;
  back: ReactNode;
  /** At the end of the header. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a chat, as high as the window: only the messages scroll. */
export function ChatPage({ title, person, line, back, actions, children }: ChatPageProps) {
  return (
    <div data-composer className="mx-auto flex min-h-0 w-full max-w-chat flex-1 flex-col pt-safe">
      <PageTitle title={title} />
      <header className="flex shrink-0 items-center gap-2 border-b border-line px-2 py-2 sm:px-4">
        {back}
        {person.id !== '' && (
          <Link
            to="/profile/$id"
            params={{ id: person.id }}
            aria-label={`Profile of ${person.name}`}
            className="flex size-11 shrink-0 items-center justify-center rounded-full"
          >
            <PersonAvatar person={person} />
          </Link>
        )}
        <div className="min-w-0 flex-1">
          <h1 tabIndex={-1} className="truncate text-lg leading-tight font-bold">
            {title}
          </h1>
          <p className="flex h-5 text-sm leading-5 text-ink-soft empty:hidden">{line}</p>
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}

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
    <p role="status" className="h-5 shrink-0 truncate px-4 text-xs leading-5 text-ink-soft sm:px-5">
      {problem ? (
        <span className="font-semibold text-mango-ink">{problem}</span>
      ) : (
        live.isTyping && `${name} is typing…`
      )}
    </p>
  );
}

export { markDelivered, storeChat } from './chat-cache.ts';
export { resumeOutbox } from './outbox.ts';
export { useChat } from './use-chat.ts';
