import { Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import type { Person } from '@tara/contract/profiles';
import type { ReactNode } from 'react';
import { Page, PageTitle, Skeleton } from '../../ui/Page.tsx';
import { Avatar } from '../../ui/Picture.tsx';

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
            <Avatar name={person.name} src={urlAtWidth(person.picture.imageUrl, 96)} />
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

const WIDTHS = ['55%', '40%', '62%', '30%', '48%', '58%'];

/** The skeleton of a chat. */
export function ChatSkeleton({ title, hasCard = false }: { title: string; hasCard?: boolean }) {
  return (
    <Page title={title} width="chat" hideTitle>
      <div role="status" aria-label="Loading the chat" aria-busy="true" className="flex flex-col gap-4">
        {hasCard && <Skeleton shape="box" height={48} className="rounded-card" />}
        {WIDTHS.map((width, index) => (
          <Skeleton
            key={width}
            shape="box"
            width={width}
            height={52}
            className={index % 2 === 0 ? undefined : 'self-end'}
          />
        ))}
      </div>
    </Page>
  );
}
