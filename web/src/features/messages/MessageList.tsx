import type { Message } from '@tara/contract/messages/messages';
import { empty } from '@tara/contract/notices';
import { clsx } from 'clsx';
import { ArrowDown, MessageCircle } from 'lucide-react';
import {
  Fragment,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { showErrorToast } from '../../lib/call.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon, Spinner } from '../../ui/Icon.tsx';
import { whenInSight } from '../../ui/in-sight.ts';
import { EmptyState } from '../../ui/Page.tsx';
import { useNow } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { fetchOlder } from './chat-cache.ts';
import { OutgoingBubble, StoredBubble } from './MessageBubble.tsx';
import { dayLabel, type ListRow, type LiveChat, listRows } from './use-chat.ts';

interface MessageListProps {
  live: LiveChat;
  /** Under 'No messages.' */
  emptyText: string;
  /** Absent where nobody can write. */
  onReply: ((message: Message) => void) | undefined;
}

/** The messages, newest at the bottom; older ones are fetched when scrolling up. */
export function MessageList({ live, emptyText, onReply }: MessageListProps) {
  const { id, chat, messages, outgoing, newAfter, setIsAtEnd } = live;
  const { items, hasMore } = messages;
  const { profile } = useSession();
  const older = useOlder(id, hasMore);
  const newest = outgoing.at(-1)?.clientKey ?? items.at(-1)?.clientKey;
  const ownNewest = outgoing.length > 0 || items.at(-1)?.userId === profile.id;
  const { scroller, unseen, isAtEnd, isFar, toNewest } = useScrollAnchor(newest, ownNewest);
  const { jumpTo, highlighted } = useJump(id, scroller);
  useScrollToNew(scroller);
  useEffect(() => setIsAtEnd(isAtEnd), [isAtEnd, setIsAtEnd]);
  const rows = listRows(items, outgoing, { viewerId: profile.id, other: chat.other, newAfter });
  const findQuoted = (sequence: number | null | undefined) =>
    sequence == null ? undefined : items.find((message) => message.sequence === sequence);

  const renderRow = (row: ListRow) => {
    if (row.kind === 'day') return <DayLine createdAt={row.createdAt} />;
    if (row.kind === 'new') return <NewLine />;
    const { message, isFirst, isLast, showsName, state } = row;
    if (message.outgoing) {
      const quoted = findQuoted(message.outgoing.replyTo);
      return (
        <li>
          <OutgoingBubble message={message.outgoing} isFirst={isFirst} quoted={quoted} onJump={jumpTo} />
        </li>
      );
    }
    const { sequence, replyTo } = message.stored;
    return (
      <li
        data-sequence={sequence}
        tabIndex={-1}
        className={clsx(
          'rounded-card outline-none transition-colors',
          highlighted === sequence && 'bg-mango-soft',
        )}
      >
        <StoredBubble
          message={message.stored}
          own={message.own}
          isFirst={isFirst}
          isLast={isLast}
          showsName={showsName}
          state={state}
          quoted={findQuoted(replyTo)}
          onJump={jumpTo}
          onReply={onReply}
        />
      </li>
    );
  };
  return (
    <div className="relative min-h-0 flex-1">
      {/* column-reverse: inserting older messages above does not shift the visible ones. */}
      <section
        ref={scroller}
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="flex h-full flex-col-reverse overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
      >
        {rows.length === 0 ? (
          <EmptyState
            icon={MessageCircle}
            title={empty.messages}
            text={emptyText}
            className="my-auto py-4!"
          />
        ) : (
          <div>
            <div ref={older.sentinel} className="flex min-h-px justify-center">
              {older.pending && (
                <span role="status" className="p-3 text-ink-soft">
                  <Spinner />
                  <span className="sr-only">Loading older messages</span>
                </span>
              )}
              {older.failed && (
                <Button size="sm" variant="secondary" className="m-3" onClick={older.load}>
                  Older messages could not be loaded. Try again
                </Button>
              )}
              {!hasMore && <p className="p-3 text-sm text-ink-soft">{empty.olderMessages}</p>}
            </div>
            <ol className="flex flex-col px-3 pb-3 sm:px-4">
              {rows.map((row) => (
                <Fragment key={row.key}>{renderRow(row)}</Fragment>
              ))}
            </ol>
          </div>
        )}
      </section>
      {(unseen || isFar) && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            size="sm"
            variant="secondary"
            icon={<Icon of={ArrowDown} size={16} />}
            onClick={toNewest}
            className="pointer-events-auto shadow-lift"
          >
            {unseen ? 'New message' : 'Jump to latest'}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A line between two days. */
function DayLine({ createdAt }: { createdAt: string }) {
  const now = new Date(useNow());
  return (
    <li className="figures mt-3 mb-1 self-center rounded-full bg-sunken px-3 py-0.5 text-xs text-ink-soft">
      {dayLabel(createdAt, now)}
    </li>
  );
}

/** The line above the messages that arrived since the last visit. */
function NewLine() {
  return (
    <li data-new-messages className="mt-3 mb-1 flex items-center gap-3 text-xs font-semibold text-mango-ink">
      <span aria-hidden="true" className="h-px flex-1 bg-mango/40" />
      New messages
      <span aria-hidden="true" className="h-px flex-1 bg-mango/40" />
    </li>
  );
}

/** Maximum distance from the end that counts as reading the newest message. */
const NEAR_END_PX = 80;
/** From this distance on a button leads to the newest message. */
const FAR_PX = 400;

type Distance = 'end' | 'near' | 'far';

/**
 * Keeps the scroll position when a message is added at the bottom: at the end the list follows; further up it stays and
 * `unseen` is set. The viewer's own message always scrolls to the end.
 */
function useScrollAnchor(newest: string | undefined, ownNewest: boolean) {
  const scroller = useRef<HTMLElement>(null);
  const [unseen, setUnseen] = useState(false);
  const [distance, setDistance] = useState<Distance>('end');
  const seen = useRef({ newest, height: 0 });
  const measure = useCallback(() => {
    // In column-reverse, scrollTop is 0 at the end and negative further up.
    const distancePx = -(scroller.current?.scrollTop ?? 0);
    if (distancePx < NEAR_END_PX) setUnseen(false);
    setDistance(distancePx < NEAR_END_PX ? 'end' : distancePx < FAR_PX ? 'near' : 'far');
  }, []);
  const toNewest = () => {
    if (scroller.current) scroller.current.scrollTop = 0;
    measure();
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { height } = seen.current;
    if (seen.current.newest !== newest) {
      if (ownNewest) element.scrollTop = 0;
      else if (element.scrollTop < -NEAR_END_PX) {
        element.scrollTop -= element.scrollHeight - height;
        setUnseen(true);
      }
    }
    seen.current = { newest, height: element.scrollHeight };
  });
  useEffect(() => {
    const element = scroller.current;
    element?.addEventListener('scroll', measure, { passive: true });
    return () => element?.removeEventListener('scroll', measure);
  }, [measure]);
  return { scroller, unseen, isAtEnd: distance === 'end', isFar: distance === 'far', toNewest };
}

/** Opens a chat at the first new message, where that is above what is shown. */
function useScrollToNew(scroller: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const list = scroller.current;
    const line = list?.querySelector('[data-new-messages]');
    if (!list || !line) return;
    if (line.getBoundingClientRect().top < list.getBoundingClientRect().top)
      line.scrollIntoView({ block: 'start' });
  }, [scroller]);
}

/** How long a message is highlighted after a jump to it. */
const HIGHLIGHT_MS = 2_000;

/** Leads to the message of a sequence, which is fetched if it is older than what is shown. */
function useJump(id: string, scroller: RefObject<HTMLElement | null>) {
  const [target, setTarget] = useState<number | null>(null);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  useEffect(() => {
    const element = scroller.current?.querySelector<HTMLElement>(`[data-sequence="${target}"]`);
    if (target === null || !element) return;
    element.scrollIntoView({ block: 'center' });
    element.focus({ preventScroll: true });
    setTarget(null);
    setHighlighted(target);
  });
  useEffect(() => {
    if (highlighted === null) return;
    const timer = setTimeout(() => setHighlighted(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlighted]);
  const jumpTo = async (sequence: number) => {
    setTarget(sequence);
    if (scroller.current?.querySelector(`[data-sequence="${sequence}"]`)) return;
    try {
      await fetchOlder(id, sequence);
    } catch (error) {
      setTarget(null);
      showErrorToast(error, () => void jumpTo(sequence));
    }
  };
  return { highlighted, jumpTo: (sequence: number) => void jumpTo(sequence) };
}

/** Fetches older messages when the list is scrolled near its top. */
function useOlder(id: string, hasOlder: boolean) {
  const sentinel = useRef<HTMLDivElement>(null);
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState(false);
  const load = async () => {
    setPending(true);
    setFailed(false);
    try {
      await fetchOlder(id);
    } catch {
      // The list shows the failure with a button to retry.
      setFailed(true);
    }
    setPending(false);
  };
  const loadOlder = useEffectEvent(load);
  const watching = hasOlder && !pending && !failed;
  useEffect(() => {
    const element = sentinel.current;
    if (!watching || !element) return;
    return whenInSight(element, () => void loadOlder(), {
      root: element.closest('section'),
      rootMargin: '400px 0px',
    });
  }, [watching]);
  return { sentinel, pending, failed, load: () => void load() };
}
