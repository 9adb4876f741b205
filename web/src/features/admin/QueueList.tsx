import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PageOf } from '@tara/contract/page';
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { InfiniteList } from '../../ui/InfiniteList.tsx';

interface QueueListProps<Item extends { id: string }> {
  route: '/verify-users' | '/confirm-plans';
  list: UseInfiniteQueryResult<InfiniteData<PageOf<Item>>>;
  items: Item[];
  open: string | undefined;
  row: (item: Item) => ReactNode;
}

/** The rows that wait, oldest first; the next page comes before the end. */
export function QueueList<Item extends { id: string }>({
  route,
  list,
  items,
  open,
  row,
}: QueueListProps<Item>) {
  return (
    <InfiniteList
      hasMore={list.hasNextPage}
      pending={list.isFetchingNextPage}
      failed={list.isFetchNextPageError}
      loadMore={() => void list.fetchNextPage()}
    >
      <ul
        aria-label="Waiting"
        className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface empty:hidden"
      >
        {items.map((item) => (
          <li key={item.id}>
            <Link
              to={route}
              search={{ open: item.id }}
              preload={false}
              resetScroll={false}
              aria-current={item.id === open ? 'true' : undefined}
              className={cx(
                'flex min-h-16 items-center gap-3 px-4 py-3 transition-colors -outline-offset-2!',
                item.id === open ? 'bg-guava-soft' : 'hover:bg-sunken',
              )}
            >
              {row(item)}
            </Link>
          </li>
        ))}
      </ul>
    </InfiniteList>
  );
}
