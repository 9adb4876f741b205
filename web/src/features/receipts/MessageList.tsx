import type { Message } from '@tara/contract/messages';
import { empty } from '@tara/contract/notices';
import { ArrowDown, MessageCircle } from 'lucide-react';
import { Fragment, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { dateLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { MessageBubble } from './MessageBubble.tsx';
import { discard, type Outgoing, sendAgain } from './outbox.ts';
import { fetchOlder } from './receipt-query.ts';

interface MessageListProps {
  id: string;
  stored: readonly Message[];
  outgoing: readonly Outgoing[];
  hasOlder: boolean;
}

/** The messages, newest at the bottom; older ones are fetched when scrolling up. */
export function MessageList({ id, stored, outgoing, hasOlder }: MessageListProps) {
  const { profile } = useSession();
  const older = useOlder(id, hasOlder);
  const newest = outgoing.at(-1)?.clientKey ?? stored.at(-1)?.clientKey;
  const ownNewest = outgoing.length > 0 || stored.at(-1)?.userId === profile.id;
  const { scroller, unseen, toNewest } = useScrollAnchor(newest, ownNewest);
  const isEmpty = stored.length === 0 && outgoing.length === 0;
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
        {isEmpty ? (
          <EmptyState
            icon={MessageCircle}
            title={empty.messages}
            text="Agree here on where and when you meet."
            className="my-auto"
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
            </div>
            <ol className="flex flex-col gap-3 px-3 py-4 sm:px-4">
              {stored.map((message, index) => (
                <Fragment key={message.clientKey}>
                  <DayLine day={message.createdAt} before={stored[index - 1]?.createdAt} />
                  <MessageBubble
                    own={message.userId === profile.id}
                    name={message.name}
                    body={message.body}
                    picture={message.picture}
                    createdAt={message.createdAt}
                  />
                </Fragment>
              ))}
              {outgoing.map((message) => (
                <MessageBubble
                  key={message.clientKey}
                  own
                  name={profile.name}
                  body={message.body}
                  preview={message.picture?.previewUrl}
                  createdAt={message.createdAt}
                  sending={message}
                  onAgain={() => sendAgain(message.clientKey)}
                  onDiscard={() => discard(message.clientKey)}
                />
              ))}
            </ol>
          </div>
        )}
      </section>
      {unseen && (
        <div className="absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            size="sm"
            variant="secondary"
            icon={<Icon of={ArrowDown} size={16} />}
            onClick={toNewest}
            className="shadow-lift"
          >
            New message
          </Button>
        </div>
      )}
    </div>
  );
}

/** A line between two days. */
function DayLine({ day, before }: { day: string; before: string | undefined }) {
  const label = dateLabel(day);
  if (before !== undefined && dateLabel(before) === label) return null;
  return (
    <li className="figures self-center rounded-full bg-sunken px-3 py-0.5 text-xs text-ink-soft">{label}</li>
  );
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
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void loadOlder(), {
      root: element.closest('section'),
      rootMargin: '400px 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [watching]);
  return { sentinel, pending, failed, load: () => void load() };
}

/** Maximum distance from the end that counts as reading the newest message. */
const NEAR_END_PX = 80;

/** Keeps the scroll position when a message is added at the bottom: at the end the list
 * follows; further up it stays and `unseen` is set. The viewer's own message always scrolls to the end.
 */
function useScrollAnchor(newest: string | undefined, ownNewest: boolean) {
  const scroller = useRef<HTMLElement>(null);
  const [unseen, setUnseen] = useState(false);
  const seen = useRef({ newest, height: 0 });
  const toNewest = () => {
    if (scroller.current) scroller.current.scrollTop = 0;
    setUnseen(false);
  };
  // In column-reverse, scrollTop is 0 at the end and negative further up.
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
    if (!element) return;
    const scrolled = () => element.scrollTop > -NEAR_END_PX && setUnseen(false);
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => element.removeEventListener('scroll', scrolled);
  }, []);
  return { scroller, unseen, toNewest };
}
