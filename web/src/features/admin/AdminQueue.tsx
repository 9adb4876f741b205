import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { empty } from '@tara/contract/notices';
import type { PageOf } from '@tara/contract/page';
import { ArrowLeft, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { wordsOfFailure } from '../../lib/failure.ts';
import { itemsOf } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { QueueList } from './QueueList.tsx';
import { QueueSkeleton } from './QueueSkeleton.tsx';

interface AdminQueueProps<Item extends { id: string }> {
  route: '/verify-users' | '/confirm-plans';
  list: UseInfiniteQueryResult<InfiniteData<PageOf<Item>>>;
  /** The row whose detail is shown: the search param `open`. */
  open: string | undefined;
  icon: LucideIcon;
  /** What will wait here, said while nothing does. */
  about: string;
  /** Said beside the list while nothing is open. */
  choose: { title: string; text: string };
  row: (item: Item) => ReactNode;
  detail: (item: Item) => ReactNode;
}

/** Room for the list and a detail beside each other, also between the navigation and the column of extra links. */
const BESIDE = '(min-width: 900px)';

/**
 * The work list of an admin: side by side where there is room, else one after the other. Nothing opens by itself:
 * every look at identity pictures is recorded, and a second click must never hit the next person's buttons.
 */
export function AdminQueue<Item extends { id: string }>({
  route,
  list,
  open,
  icon,
  about,
  choose,
  row,
  detail,
}: AdminQueueProps<Item>) {
  const beside = useMediaQuery(BESIDE);
  const items = itemsOf(list.data);
  const opened = items.find(({ id }) => id === open);
  const place = useRef<HTMLElement>(null);
  const openedId = opened?.id;
  const before = useRef(openedId);
  // The button that was pressed may be gone: the focus goes where the reading goes on.
  useEffect(() => {
    if (before.current === openedId) return;
    before.current = openedId;
    const heading = openedId ? place.current?.querySelector('h2') : document.querySelector('main h1');
    if (heading instanceof HTMLElement) heading.focus({ preventScroll: beside });
  }, [openedId, beside]);

  if (list.isPending) return <QueueSkeleton beside={beside} />;
  if (list.isLoadingError) {
    const { title, text } = wordsOfFailure(list.error);
    return (
      <ErrorState title={title} text={text} retrying={list.isFetching} onRetry={() => void list.refetch()} />
    );
  }
  if (items.length === 0 && !list.hasNextPage) {
    return <EmptyState icon={icon} title={empty.adminList} text={about} />;
  }
  const rows = <QueueList route={route} list={list} items={items} open={openedId} row={row} />;
  const shown = opened && (
    <section ref={place} aria-label="Details" key={openedId}>
      {detail(opened)}
    </section>
  );
  if (!beside) {
    return shown ? (
      <>
        <Link to={route} className={`${buttonClass({ variant: 'ghost' })} mb-3 -ml-4`}>
          <Icon of={ArrowLeft} />
          Back to the list
        </Link>
        {shown}
      </>
    ) : (
      rows
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,8fr)] items-start gap-5">
      <div className="min-w-0">{rows}</div>
      <div className="sticky top-5">
        {shown ?? (
          <Card>
            <EmptyState icon={icon} {...choose} />
          </Card>
        )}
      </div>
    </div>
  );
}
