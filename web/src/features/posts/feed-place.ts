import type { InfiniteData } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { PageOf } from '@tara/contract/page';
import { type Post, posts } from '@tara/contract/posts/posts';
import { type RefObject, useLayoutEffect, useState } from 'react';
import { call } from '../../lib/call.ts';
import { pagesOf, queryClient } from '../../lib/queries.ts';
import { useSession } from '../accounts/index.ts';

/** Never refetched automatically, because that would shift the posts being read. Newer posts are behind a button. */
export const feedPages = { ...pagesOf(posts.feed), staleTime: Number.POSITIVE_INFINITY };

type FeedData = InfiniteData<PageOf<Post>, string | null>;

/** Where the feed was left in this tab. */
interface FeedPlace {
  /** The history entry that shows it: another one begins at the top. */
  entry: string;
  /** Whose feed it is, by the id of the profile. */
  memberId: string;
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
/** Most pages from the newest post on, to those that were there before. */
const mostNewer = 4;
/** For so many ms the post is held where it was, while cards above it get their true heights. */
const holdMs = 2_000;

const isCursor = (value: unknown) => value === null || typeof value === 'string';

/** The place of a history entry; null for another one, or where nothing readable is stored. */
function readFeedPlace(entry: string | undefined): FeedPlace | null {
  try {
    const place: FeedPlace | null = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    const isReadable =
      place?.entry === entry &&
      typeof place?.postId === 'string' &&
      Number.isFinite(place.top) &&
      Array.isArray(place.cursors) &&
      place.cursors.every(isCursor);
    return isReadable ? place : null;
  } catch {
    // Storage is forbidden, or holds what an older version wrote.
    return null;
  }
}

/** Stores a place; null: the feed begins at the top. */
function writeFeedPlace(place: FeedPlace | null): void {
  try {
    if (place === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(place));
  } catch {
    // Storage is forbidden or full: the feed begins at the top after a reload.
  }
}

const fetchPage = (cursor: string | null) => call(posts.feed, { query: cursor === null ? {} : { cursor } });

/** Pages of a list, each with its cursor. */
type CursorPages = { cursor: string | null; page: PageOf<Post> }[];

/** The pages from the newest post on until `isEnd`; null when they are more than `mostNewer`. */
async function fetchNewer(isEnd: (page: PageOf<Post>) => boolean): Promise<CursorPages | null> {
  const pages: CursorPages = [];
  for (let cursor: string | null = null; pages.length < mostNewer; ) {
    const page: PageOf<Post> = await fetchPage(cursor);
    pages.push({ cursor, page });
    if (page.next === null || isEnd(page)) return pages;
    cursor = page.next;
  }
  return null;
}

/** The pages up to a place; null when it is not found among them. */
async function fetchUpTo({ postId, cursors }: FeedPlace): Promise<CursorPages | null> {
  const all = cursors.filter((cursor) => cursor !== null);
  const later = all.slice(-mostPages);
  const isLast = ({ items }: PageOf<Post>) => items.some(({ id }) => id === postId);
  if (later.length === 0) return fetchNewer(isLast);
  const pages = await Promise.all(later.map(async (cursor) => ({ cursor, page: await fetchPage(cursor) })));
  // What is before the first of these pages is behind the button for new posts: here, and where too many came since.
  if (later.length < all.length) return pages;
  const ids = new Set(pages[0]?.page.items.map(({ id }) => id));
  const newer = await fetchNewer(
    ({ items, next }) => next === later[0] || items.some(({ id }) => ids.has(id)),
  );
  return [...(newer ?? []), ...pages];
}

/**
 * For the loader of the feed: after a reload, or when its data is gone, loads the pages up to the place where the feed was
 * left. What fails leaves the feed to begin at the top.
 */
export async function loadFeedPlace(entry: string | undefined): Promise<void> {
  const place = readFeedPlace(entry);
  if (place === null || queryClient.getQueryData(feedPages.queryKey) !== undefined) return;
  const pages = await fetchUpTo(place).catch(() => null);
  if (pages === null) return writeFeedPlace(null);
  const data: FeedData = {
    pages: pages.map(({ page }) => page),
    pageParams: pages.map(({ cursor }) => cursor),
  };
  queryClient.setQueryData(feedPages.queryKey, data);
}

/** The card of a post in the feed. */
const findCard = (list: HTMLElement | null, postId: string) =>
  list?.querySelector<HTMLElement>(`[data-post="${CSS.escape(postId)}"]`);

/** The first card that is seen below the header; null while that is the first of the list: the feed is at its top. */
function firstSeen(list: HTMLElement): { postId: string; top: number } | null {
  for (const [index, card] of list.querySelectorAll<HTMLElement>('[data-post]').entries()) {
    const { top, bottom } = card.getBoundingClientRect();
    if (bottom > headerPx) return index === 0 ? null : { postId: card.dataset.post ?? '', top };
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
  const memberId = useSession().profile.id;
  const [entry] = useState(() => history.location.state.__TSR_key);
  const [place] = useState(() => {
    const stored = readFeedPlace(entry);
    return stored?.memberId === memberId ? stored : null;
  });

  useLayoutEffect(() => {
    const element = list.current;
    const store = () => {
      const seen = element && firstSeen(element);
      writeFeedPlace(
        seen && entry !== undefined ? { entry, memberId, ...seen, cursors: cursorsUpTo(seen.postId) } : null,
      );
    };
    // A phone that discards a hidden tab says no more than that it is hidden.
    const storeHidden = () => document.visibilityState === 'hidden' && store();
    addEventListener('pagehide', store);
    document.addEventListener('visibilitychange', storeHidden);
    return () => {
      removeEventListener('pagehide', store);
      document.removeEventListener('visibilitychange', storeHidden);
      store();
    };
  }, [list, entry, memberId]);

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
