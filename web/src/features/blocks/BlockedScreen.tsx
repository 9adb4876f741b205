import { Link } from '@tanstack/react-router';
import { blocks } from '@tara/contract/blocks';
import { urlAtWidth } from '@tara/contract/files';
import { ArrowLeft, Ban, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';
import { pagesOf, queryClient, useLoadedPages } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { PersonName } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Card, EmptyState, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { BlockedChat } from './BlockedChat.tsx';
import { changeVisibility } from './change-visibility.ts';

const blockedPages = pagesOf(blocks.blocked);
const mutedPages = pagesOf(blocks.muted);

/** Loads the first page of both lists. */
export const loadBlocked = () =>
  Promise.all([
    queryClient.ensureInfiniteQueryData(blockedPages),
    queryClient.ensureInfiniteQueryData(mutedPages),
  ]);

/** `/settings/blocked`: whom the viewer blocked and muted, and the way to end that. */
export function BlockedScreen() {
  const blocked = useLoadedPages(blockedPages);
  const muted = useLoadedPages(mutedPages);
  return (
    <Page title="Blocked people" width="feed">
      <div className="flex flex-col gap-8">
        <Link
          to="/settings"
          className="touch -mt-2 flex items-center gap-2 self-start font-semibold text-ink-soft hover:text-ink"
        >
          <Icon of={ArrowLeft} size={18} />
          Settings
        </Link>
        <Group
          title="Blocked"
          text="You and they do not see each other anywhere in Tara."
          empty={
            blocked.items.length === 0 && (
              <EmptyState
                icon={Ban}
                title="You blocked nobody."
                text="To block a member, open the … menu of their profile."
              />
            )
          }
        >
          <InfiniteList {...blocked.more}>
            <ul className="divide-y divide-line">
              {blocked.items.map((member) => (
                <Row
                  key={member.id}
                  name={member.name}
                  note={<TimeLabel iso={member.blockedAt} />}
                  action={
                    <Button
                      variant="secondary"
                      size="sm"
                      aria-label={`Unblock ${member.name}`}
                      onClick={() => void changeVisibility('unblock', member)}
                    >
                      Unblock
                    </Button>
                  }
                >
                  {member.mixId !== null && <BlockedChat name={member.name} mixId={member.mixId} />}
                </Row>
              ))}
            </ul>
          </InfiniteList>
        </Group>
        <Group
          title="Muted"
          text="You do not see their posts, comments and reviews. They are not notified."
          empty={muted.items.length === 0 && <EmptyState icon={VolumeX} title="You muted nobody." />}
        >
          <InfiniteList {...muted.more}>
            <ul className="divide-y divide-line">
              {muted.items.map((member) => (
                <Row
                  key={member.id}
                  name={
                    <Link
                      to="/profile/$id"
                      params={{ id: member.id }}
                      className="flex min-w-0 items-center gap-1.5 hover:underline"
                    >
                      <PersonName person={member} />
                    </Link>
                  }
                  note={`@${member.username}`}
                  picture={<Avatar name={member.name} src={urlAtWidth(member.picture.imageUrl, 96)} />}
                  action={
                    <Button
                      variant="secondary"
                      size="sm"
                      aria-label={`Unmute ${member.name}`}
                      onClick={() => void changeVisibility('unmute', member)}
                    >
                      Unmute
                    </Button>
                  }
                />
              ))}
            </ul>
          </InfiniteList>
        </Group>
      </div>
    </Page>
  );
}

interface GroupProps {
  title: string;
  text: string;
  empty: ReactNode;
  children: ReactNode;
}

function Group({ title, text, empty, children }: GroupProps) {
  return (
    <section aria-label={title}>
      <h2 className="px-1 text-lg font-semibold">{title}</h2>
      <p className="mb-3 px-1 text-ink-soft">{text}</p>
      <Card padding="none">{empty || children}</Card>
    </section>
  );
}

interface RowProps {
  name: ReactNode;
  note: ReactNode;
  picture?: ReactNode;
  action: ReactNode;
  /** Below, over the whole width. */
  children?: ReactNode;
}

function Row({ name, note, picture, action, children }: RowProps) {
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-3 px-4 py-3 sm:px-5">
      {picture}
      <div className="min-w-0 flex-1">
        <div className="truncate font-semibold">{name}</div>
        <p className="truncate text-sm text-ink-soft">{note}</p>
      </div>
      <div className="shrink-0">{action}</div>
      {children}
    </li>
  );
}

/** The skeleton of both lists. */
export function BlockedSkeleton() {
  return (
    <Page title="Blocked people" width="feed">
      <Skeletons count={2} label="Loading blocked people">
        {() => (
          <div className="mb-8">
            <Skeleton width={120} height={22} />
            <Skeleton width="70%" />
            <Skeleton shape="box" height={72} className="mt-3 rounded-card!" />
          </div>
        )}
      </Skeletons>
    </Page>
  );
}
