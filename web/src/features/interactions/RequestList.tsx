import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Interaction } from '@tara/contract/interactions';
import type { ReactNode } from 'react';
import { InfiniteList } from '../../ui/InfiniteList.tsx';

/** The requests of one list, as far as it was read; `empty` when there is none. */
export function RequestList({
  items,
  list,
  heading,
  empty,
  children,
}: {
  items: Interaction[];
  list: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >;
  /** For screen readers, where the eye has the screen's or the tab's own. */
  heading?: string;
  empty: ReactNode;
  children: (request: Interaction) => ReactNode;
}) {
  if (items.length === 0) return empty;
  return (
    <InfiniteList
      hasMore={list.hasNextPage}
      pending={list.isFetchingNextPage}
      failed={list.isFetchNextPageError}
      loadMore={() => void list.fetchNextPage()}
    >
      {heading && <h2 className="sr-only">{heading}</h2>}
      <ul className="flex flex-col gap-4">
        {items.map((request) => (
          <li key={request.id}>{children(request)}</li>
        ))}
      </ul>
    </InfiniteList>
  );
}
