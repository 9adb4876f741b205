import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { Spinner } from './Icon.tsx';
import { whenInSight } from './in-sight.ts';
import { whenIdle } from './lazy-component.tsx';
import { EmptyState } from './Page.tsx';

interface InfiniteListProps {
  /** There is another page. */
  hasMore: boolean;
  /** The next page is being fetched. */
  pending: boolean;
  loadMore: () => void;
  /** The last page failed; `loadMore` is then only called by the button. */
  failed?: boolean;
  /** How far before the end the next page is fetched, in pixels, once the first sight is over. */
  ahead?: number;
  /** Shown at the very end, e.g. 'No more conversation.'. */
  end?: ReactNode;
  /** The items. */
  children: ReactNode;
}

/** The frame of endless lists: fetches the next page before the end is reached. */
export function InfiniteList({
  hasMore,
  pending,
  loadMore,
  failed,
  ahead = 900,
  end,
  children,
}: InfiniteListProps) {
  const sentinel = useRef<HTMLDivElement>(null);
  const loadNext = useEffectEvent(loadMore);
  const watching = hasMore && !pending && !failed;
  const aheadPx = useIsFirstSight() ? 0 : ahead;
  // Observed again after each page: if the sentinel stays visible after a short page, no event fires.
  useEffect(() => {
    const element = sentinel.current;
    if (!watching || !element) return;
    return whenInSight(element, () => loadNext(), { rootMargin: `${aheadPx}px 0px` });
  }, [watching, aheadPx]);
  return (
    <>
      {children}
      <div ref={sentinel} className="flex min-h-px flex-col items-center">
        {pending && hasMore && (
          <div role="status" className="p-6 text-ink-soft">
            <Spinner size={24} />
            <span className="sr-only">Loading more</span>
          </div>
        )}
        {failed && !pending && (
          <div role="alert" className="flex flex-col items-center gap-3 p-6 text-center text-ink-soft">
            More could not be loaded.
            <Button variant="secondary" size="sm" onClick={loadMore}>
              Try again
            </Button>
          </div>
        )}
        {!hasMore && !pending && end && <div className="p-6 text-center text-sm text-ink-soft">{end}</div>}
      </div>
    </>
  );
}

interface PagedListProps<Item> extends Pick<InfiniteListProps, 'ahead' | 'end'> {
  /** The items of the pages so far, and how the next page is fetched. */
  list: { items: Item[]; more: Pick<InfiniteListProps, 'hasMore' | 'pending' | 'failed' | 'loadMore'> };
  /** Shown in place of a list without items. */
  empty: ComponentProps<typeof EmptyState>;
  children: (items: Item[]) => ReactNode;
}

/** An endless list of what `useLoadedPages` read. */
export function PagedList<Item>({ list: { items, more }, empty, children, ...frame }: PagedListProps<Item>) {
  if (items.length === 0 && !more.hasMore) return <EmptyState {...empty} />;
  return (
    <InfiniteList {...more} {...frame}>
      {children(items)}
    </InfiniteList>
  );
}

/** Whether a list has just been shown: until the person scrolls or acts, or an idle moment later. */
function useIsFirstSight(): boolean {
  const [isFirstSight, setIsFirstSight] = useState(true);
  useEffect(() => {
    const end = () => setIsFirstSight(false);
    const cancelIdle = whenIdle(end);
    addEventListener('scroll', end, { once: true, passive: true });
    return () => {
      cancelIdle();
      removeEventListener('scroll', end);
    };
  }, []);
  return isFirstSight;
}
