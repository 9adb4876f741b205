import { Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import type { Message, MessagesPage } from '@tara/contract/messages';
import type { Person } from '@tara/contract/profiles';
import { Info } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { PersonName } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { exactTime } from '../../ui/TimeLabel.tsx';

/** A member as a line: face, name and handle, linked to the profile. */
export function PersonLine({ person, part, heading }: { person: Person; part?: string; heading?: boolean }) {
  const Name = heading ? 'h2' : 'p';
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={person.name} src={urlAtWidth(person.picture.imageUrl, 96)} size={heading ? 'lg' : 'md'} />
      <div className="min-w-0">
        {part && <p className="text-sm text-ink-soft">{part}</p>}
        <Name tabIndex={heading ? -1 : undefined} className={heading ? 'text-lg font-bold' : 'font-semibold'}>
          <Link
            to="/profile/$id"
            params={{ id: person.id }}
            className="inline-flex max-w-full hover:underline"
          >
            <PersonName person={person} size={18} />
          </Link>
        </Name>
        <p className="truncate text-sm text-ink-soft">@{person.username}</p>
      </div>
    </div>
  );
}

/** Shown instead of the buttons: why this admin cannot decide about the record. */
export function UndecidableNote({ reason }: { reason: string }) {
  return (
    <p className="flex items-start gap-2 rounded-control bg-sunken p-3 text-ink-soft">
      <Icon of={Info} className="mt-0.5 shrink-0" />
      {reason}
    </p>
  );
}

interface AuditedPlanChatProps {
  /** Reads the newest messages, or those before a sequence. */
  read: (where: { before?: number }, onSuccess: (page: MessagesPage) => void) => void;
  isPending: boolean;
  /** The message that was reported. */
  reportedId?: string;
}

/** The plan chat of a dispute, of a request without an answer, or of a report: opened only by a press, since each look is audited. */
export function AuditedPlanChat({ read, isPending, reportedId }: AuditedPlanChatProps) {
  const [shown, setShown] = useState<MessagesPage | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const isOpen = shown !== null;
  // It begins at the reported message, else at the newest one, as chats do.
  useLayoutEffect(() => {
    if (!isOpen || !list.current) return;
    const { current: box } = list;
    const reported = box.querySelector<HTMLElement>('[aria-current]');
    box.scrollTop = reported ? reported.offsetTop - box.clientHeight / 2 : box.scrollHeight;
  }, [isOpen]);
  const oldest = shown?.items[0];
  const readOlder = () =>
    read(oldest ? { before: oldest.sequence } : {}, ({ items, hasMore }) =>
      setShown((now) => ({ items: [...items.toReversed(), ...(now?.items ?? [])], hasMore })),
    );
  return (
    <section aria-label="The plan chat" className="flex flex-col items-start gap-2">
      {shown === null && (
        <p className="text-sm text-ink-soft">Looking into the plan chat is written to the audit log.</p>
      )}
      {(shown === null || shown.hasMore) && (
        <Button variant="secondary" size="sm" pending={isPending} onClick={readOlder}>
          {shown === null ? 'Open the plan chat' : 'Show older messages'}
        </Button>
      )}
      {shown !== null && (
        <ol
          ref={list}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
          tabIndex={0}
          className="relative max-h-96 w-full overflow-y-auto rounded-card bg-sunken p-4"
          aria-label="Messages"
        >
          {shown.items.length === 0 && <li className="text-ink-soft">Nothing was written.</li>}
          {shown.items.map((message) => (
            <MessageLine key={message.id} message={message} isReported={message.id === reportedId} />
          ))}
        </ol>
      )}
    </section>
  );
}

function MessageLine({ message, isReported }: { message: Message; isReported: boolean }) {
  const { name, body, picture, createdAt } = message;
  return (
    <li
      aria-current={isReported ? 'true' : undefined}
      className={isReported ? 'my-1.5 -ml-3 border-l-4 border-ember pl-2' : 'py-1.5'}
    >
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-ink-soft">
        <span className="font-semibold wrap-anywhere">{name}</span>
        <time dateTime={createdAt}>{exactTime(createdAt)}</time>
      </p>
      {picture && (
        <img
          src={urlAtWidth(picture.imageUrl, 320)}
          alt={picture.alt || `Picture of ${name}`}
          className="my-1 h-40 rounded-control object-contain"
        />
      )}
      <p className="wrap-anywhere whitespace-pre-line">{body}</p>
      {isReported && <p className="text-sm font-semibold">This message was reported.</p>}
    </li>
  );
}
