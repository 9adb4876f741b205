import { Link } from '@tanstack/react-router';
import type { Person } from '@tara/contract/members/profiles';
import type { ReactNode } from 'react';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { PageTitle } from '../../ui/Page.tsx';

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
          <p className="flex min-h-5 text-sm leading-hint text-ink-soft empty:hidden">{line}</p>
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}
