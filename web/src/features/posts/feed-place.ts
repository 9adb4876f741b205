import type { InfiniteData } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { PageOf } from '@tara/contract/page';
import { type Post, posts } from '@tara/contract/posts/posts';
import { type RefObject, useLayoutEffect, useState } from 'react';
import { call } from '../../lib/call.ts';
import { pagesOf, queryClient } from '../../lib/queries.ts';

/** Never refetched automatically, because that would shift the posts being read. Newer posts are behind a button. */
export const feedPages = { ...pagesOf(posts.feed), staleTime: Number.POSITIVE_INFINITY };

type FeedData = InfiniteData<PageOf<Post>, string | null>;

/** Where the feed was left in this tab. */
interface FeedPlace {
  /** The history entry that shows it: another one begins at the top. */
  entry: string;
  /** The first post below the header, and its distance from the top of the window, in pixels. */
  postId: string;
  top: number;
  /** The cursors of the pages up to it; the first page has none. */
  cursors: (string | null)[];
}

const storageKey = 'feed-place';
/** The height of the header on phones, in pixels: a post below it is not looked at. */
const headerPx = 64;
/** Most pages that are loaded again; further back the feed begins within the list. */
const mostPages = 10;
/** For so many ms the post is held where it was, while cards above it get their true heights. */
const holdMs = 2_000;

/** The place of a history entry; null for another one, or where storage is forbidden. */
export function readFeedPlace(entry: string | undefined): FeedPlace | null {
  try {
    const place: FeedPlace | null = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    return place !== null && place.entry === entry && Array.isArray(place.cursors) ? place : null;
  } catch {
    // Storage is forbidden, or holds what an older version wrote.
    return null;
  }
}

function writeFeedPlace(place: FeedPlace): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(place));
  } catch {
    // Storage is forbidden or full: the feed begins at the top after a reload.
  }
}

const fetchPage = (cursor: string | null) => call(posts.feed, { query: cursor === null ? {} : { cursor } });

/**
 * For the loader of the feed: after a reload, or when its data is gone, loads the pages up to the place where the feed was
 * left, at once. Posts that came since are between the first page and the second one of before: when they are more than
 * a page, the feed begins with the second one, and they are behind the button for new posts.
 */
export async function loadFeedPlace(entry: string | undefined): Promise<void> {
  const place = readFeedPlace(entry);
  if (place === null || place.cursors.length < 2) return;
  if (queryClient.getQueryData(feedPages.queryKey) !== undefined) return;
  const cursors = [...new Set([null, ...place.cursors.slice(-mostPages)])];
  const [first, ...rest] = await Promise.all(cursors.map(fetchPage));
  const known = new Set(rest[0]?.items.map(({ id }) => id));
  const between =
    first && first.next !== cursors[1] && first.next !== null ? await fetchPage(first.next) : null;
  const isWhole = between === null || between.items.some(({ id }) => known.has(id)) || between.next === null;
  const data: FeedData = {
    pages: [...(isWhole && first ? [first, ...(between ? [between] : [])] : []), ...rest],
    pageParams: [...(isWhole ? [null, ...(between ? [first?.next ?? null] : [])] : []), ...cursors.slice(1)],
  };
  queryClient.setQueryData(feedPages.queryKey, data);
}

/** The card of a post in the feed. */
const findCard = (list: HTMLElement | null, postId: string) =>
  list?.querySelector<HTMLElement>(`[data-post="${CSS.escape(postId)}"]`);

/** The first card that is seen below the header. */
function firstSeen(list: HTMLElement): { postId: string; top: number } | null {
  for (const card of list.querySelectorAll<HTMLElement>('[data-post]')) {
    const { top, bottom } = card.getBoundingClientRect();
    if (bottom > headerPx) return { postId: card.dataset.post ?? '', top };
  }
  return null;
}

/** The cursors of the pages up to the one with the post. */
function cursorsUpTo(postId: string): (string | null)[] {
  const data = queryClient.getQueryData<FeedData>(feedPages.queryKey);
  const index = data?.pages.findIndex(({ items }) => items.some(({ id }) => id === postId)) ?? -1;
  return data?.pageParams.slice(0, index + 1) ?? [];
}

/**
 * Keeps the place of the feed: stored when it is left or the tab goes, and taken again by the same history entry, whatever
 * the heights of the posts above are then. Returns whether there is one to take.
 */
export function useFeedPlace(list: RefObject<HTMLElement | null>): boolean {
  const { history } = useRouter();
  const [entry] = useState(() => history.location.state.__TSR_key);
  const [place] = useState(() => readFeedPlace(entry));

  useLayoutEffect(() => {
    const element = list.current;
    const store = () => {
      const seen = element && entry !== undefined ? firstSeen(element) : null;
      if (seen && entry !== undefined) writeFeedPlace({ entry, ...seen, cursors: cursorsUpTo(seen.postId) });
    };
    addEventListener('pagehide', store);
    return () => {
      removeEventListener('pagehide', store);
      store();
    };
  }, [list, entry]);

  useLayoutEffect(() => {
    if (place === null) return;
    const end = performance.now() + holdMs;
    let frame = 0;
    const hold = () => {
      const card = findCard(list.current, place.postId);
      const offBy = card ? card.getBoundingClientRect().top - place.top : 0;
      if (Math.abs(offBy) >= 1) window.scrollBy({ top: offBy, behavior: 'instant' });
      if (performance.now() < end) frame = requestAnimationFrame(hold);
    };
    const release = () => {
      cancelAnimationFrame(frame);
      for (const name of acts) removeEventListener(name, release);
    };
    // Whoever scrolls decides.
    const acts = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
    for (const name of acts) addEventListener(name, release, { passive: true });
    hold();
    return release;
  }, [list, place]);

  return place !== null;
}
