import { getRouteApi, Link, redirect, useNavigate } from '@tanstack/react-router';
import type { SessionContext } from '@tara/contract/accounts/accounts';
import { counts } from '@tara/contract/counts';
import { firstPages, requestMessages } from '@tara/contract/limits';
import { type Conversation, conversations } from '@tara/contract/messages/conversations';
import { type Chat, ChatEvent, type ReadOnlyReason } from '@tara/contract/messages/messages';
import { notices } from '@tara/contract/notices';
import { problemNotice } from '@tara/contract/problems';
import { channel } from '@tara/contract/wire/realtime';
import { ArrowLeft, Ban, Check, EyeOff, Flag, type LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, Suspense, useState } from 'react';
import {
  invalidateWithoutRefetch,
  queryClient,
  queryOf,
  readReply,
  useCall,
  useLoaded,
} from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { Button, buttonClass, iconButtonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { timeLabel, useNow } from '../../ui/TimeLabel.tsx';
import { changeVisibility, MemberMenu, ReportDialog } from '../blocks/index.ts';
import { ChatPage, ChatPanel, preloadWarning, storeChat, useChat } from '../messages/index.ts';

const route = getRouteApi('/_main/chats/$id');

/** A conversation by its pair key; its messages go to the cache that both kinds of chat share. */
function conversationQuery(mixId: string) {
  const where = { params: { mixId }, query: firstPages('conversation') };
  return {
    queryKey: queryOf(conversations.conversation, where).queryKey as readonly unknown[],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Conversation> => {
      const { conversation, messages } = await readReply(conversations.conversation, { ...where, signal });
      storeChat({ chat: conversation.chat, messages });
      return conversation;
    },
    // Realtime keeps the data fresh; a remount refetches it.
    staleTime: 0,
    refetchOnWindowFocus: false,
  };
}

/** Loads the conversation of a pair for one of the two; anybody else is taken to the list (§5). */
export async function loadConversation(
  mixId: string | undefined,
  { account }: SessionContext,
): Promise<void> {
  if (!mixId?.includes(account.id)) throw redirect({ to: '/chats', replace: true });
  await Promise.all([queryClient.ensureQueryData(conversationQuery(mixId)), preloadWarning()]);
}

/** /chats/{id}?mixId=…: the conversation with one other member. */
export function ConversationScreen() {
  const { mixId = '' } = route.useSearch();
  const conversation = useLoaded(conversationQuery(mixId));
  const { id, person } = conversation;
  const open = () => queryClient.fetchQuery(conversationQuery(mixId));
  usePresenceUpdates(mixId, id);
  const live = useChat({ id, kind: 'conversation', open });
  const { request, readOnly } = live.chat;
  // Only who sent a request writes in it.
  const isFull = request === 'sent' && (live.messages.items.at(-1)?.sequence ?? 0) >= requestMessages;
  return (
    <ChatPage
      title={person.name}
      person={person}
      line={<PresenceLine conversation={conversation} />}
      back={
        <Link to="/chats" aria-label="Back to the chats" className={iconButtonClass()}>
          <Icon of={ArrowLeft} />
        </Link>
      }
      actions={<MemberMenu member={person} />}
    >
      <ChatPanel
        live={live}
        name={person.name}
        emptyText="Say hello."
        allowsPictures={request !== 'sent'}
        readOnly={readOnlyNotice(readOnly ?? (isFull ? 'request' : null), conversation)}
        notice={
          <RequestNotice conversation={conversation} request={request} isFull={isFull} onAnswered={open} />
        }
      />
    </ChatPage>
  );
}

/** Keeps the presence of the other member true while the conversation is open. */
function usePresenceUpdates(mixId: string, id: string): void {
  const { queryKey } = conversationQuery(mixId);
  useRealtime(
    [channel.document('conversations', id)],
    ({ payload }) => {
      const { data: event } = ChatEvent.safeParse(payload);
      if (!event?.presence) return;
      const { online, lastSeenAt } = event.presence;
      queryClient.setQueryData<Conversation>(
        queryKey,
        (cached) => cached && { ...cached, online, lastSeenAt },
      );
    },
    // Changes of presence before the subscription are not announced again.
    () => void queryClient.invalidateQueries({ queryKey }),
  );
}

/** 'Online' or when the other was last seen; the username while that is hidden, so that the name stays in its place. */
function PresenceLine({ conversation }: { conversation: Conversation }) {
  const now = new Date(useNow());
  const { online, lastSeenAt, person } = conversation;
  if (online) return <span className="text-leaf">Online</span>;
  if (lastSeenAt) return `Last seen ${lastSeenLabel(lastSeenAt, now)}`;
  return person.username && <span className="truncate">@{person.username}</span>;
}

/** 'just now', '5m ago', 'yesterday', '14 Mar'. */
function lastSeenLabel(iso: string, now: Date): string {
  const label = timeLabel(iso, now);
  if (/^\d+[mh]$/.test(label)) return `${label} ago`;
  return /^\d/.test(label) ? label : label.toLowerCase();
}

/** Why nobody can write, and what can be done; undefined while one can. */
function readOnlyNotice(reason: ReadOnlyReason | 'request' | null, { person }: Conversation): ReactNode {
  if (reason === null) return undefined;
  if (reason === 'request') {
    const { title, text } = problemNotice('chat_request_full');
    return (
      <p className="text-balance">
        <strong className="block font-semibold text-ink">{title}</strong>
        <span className="block first-letter:uppercase">{text}</span>
      </p>
    );
  }
  if (reason !== 'expired')
    return <p className="first-letter:uppercase">{problemNotice('chat_read_only').text}.</p>;
  const { title, text } = notices.expiredConversation;
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
      <p>
        <strong className="block font-semibold text-ink">{title}</strong>
        <span className="block first-letter:uppercase">{text}</span>
      </p>
      {person.id !== '' && (
        <Link
          to="/profile/plans/$id"
          params={{ id: person.id }}
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
        >
          Plans of {person.name}
        </Link>
      )}
    </div>
  );
}

interface RequestNoticeProps {
  conversation: Conversation;
  request: Chat['request'];
  /** Whether no message more can be sent before it is accepted. */
  isFull: boolean;
  /** Reads the conversation again. */
  onAnswered: () => Promise<unknown>;
}

/** Above the input while a first message waits for an answer. */
function RequestNotice({ conversation: { id, person }, request, isFull, onAnswered }: RequestNoticeProps) {
  const navigate = useNavigate();
  const [isReporting, setIsReporting] = useState(false);
  const answer = useCall(conversations.answerRequest, {
    invalidates: [counts.own],
    onSuccess: async (_, { body }) => {
      invalidateWithoutRefetch(conversations.list);
      if (body.answer === 'accept') await onAnswered();
      else await navigate({ to: '/chats', replace: true });
    },
  });
  if (request === null) return null;
  if (request === 'sent') {
    if (isFull) return null;
    return (
      <p className="shrink-0 border-t border-line px-4 py-2 text-sm text-ink-soft">
        {person.name} sees this as a message request. Until it is accepted you can send {requestMessages}{' '}
        messages, without pictures.
      </p>
    );
  }
  const send = (choice: 'accept' | 'ignore') => answer.mutate({ body: { convoId: id, answer: choice } });
  const isPending = (choice: string) => answer.isPending && answer.variables.body.answer === choice;
  const leave = () => navigate({ to: '/chats', replace: true });
  return (
    <section
      aria-label="Message request"
      className="flex shrink-0 flex-col gap-2 border-t border-line bg-surface px-3 py-2 sm:px-4"
    >
      <p className="text-sm">{person.name} wants to write to you.</p>
      <div className="flex flex-wrap gap-2">
        <NoticeButton icon={Check} pending={isPending('accept')} onClick={() => send('accept')}>
          Accept
        </NoticeButton>
        <NoticeButton
          variant="secondary"
          icon={EyeOff}
          pending={isPending('ignore')}
          onClick={() => send('ignore')}
        >
          Ignore
        </NoticeButton>
        <NoticeButton
          variant="ghost"
          icon={Ban}
          onClick={() => void changeVisibility('block', person, leave)}
        >
          Block
        </NoticeButton>
        <NoticeButton variant="ghost" icon={Flag} onClick={() => setIsReporting(true)}>
          Report
        </NoticeButton>
      </div>
      {isReporting && (
        <Suspense>
          <ReportDialog
            what={person.name}
            target={{ kind: 'member', recordId: person.id }}
            onClose={() => setIsReporting(false)}
          />
        </Suspense>
      )}
    </section>
  );
}

type NoticeButtonProps = Omit<ComponentProps<typeof Button>, 'icon'> & { icon: LucideIcon };

/** A small button, without its icon on phones: four are in a row. */
const NoticeButton = ({ icon, ...button }: NoticeButtonProps) => (
  <Button {...button} size="sm" icon={<Icon of={icon} size={16} className="max-sm:hidden" />} />
);
