import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { skeletons } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { Post, posts } from '@tara/contract/posts';
import { channel } from '@tara/contract/realtime';
import { ArrowUp, Images } from 'lucide-react';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { showErrorToast } from '../../lib/failure.ts';
import { allItems, pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { whenIdle } from '../../ui/lazy-component.tsx';
import { EmptyState, Skeletons } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { PostCard, PostCardSkeleton, PostCardSpace, wasCardRendered } from './PostCard.tsx';
import { changePost, likeKey, removePost } from './post-cache.ts';

/** Never refetched automatically, because that would shift the posts being read. Newer posts are behind a button. */
export const feedPages = { ...pagesOf(posts.feed), staleTime: Number.POSITIVE_INFINITY };

export function FeedSkeleton() {
  return (
    <Skeletons count={skeletons.homeFeed} label="Loading posts" className="flex flex-col gap-5">
      {() => <PostCardSkeleton />}
    </Skeletons>
  );
}

/** The cards that are painted first. Those below follow in pieces, which keeps the page responsive meanwhile. */
const FIRST_CARDS = 2;

/** All members' posts by last update, as an endless list. */
export function Feed() {
  const { profile } = useSession();
  const newer = useNewerPosts(profile.id);
  const { items, more } = useLoadedPages(feedPages);
  // Back at the feed, the card that was looked at is there at once.
  const isReturning = items.some(({ id }) => wasCardRendered(id));
  const renderedCount = useDeferredValue(items.length, isReturning ? items.length : FIRST_CARDS);
  return (
    <>
      {newer.hasNewer && <NewPosts onShow={newer.show} />}
      {items.length === 0 && (
        <EmptyState
          icon={Images}
          title={empty.posts}
          text="What people share appears here. Start with a post of your own."
          action={
            <Link to="/create-post" className={buttonClass()}>
              Create Post
            </Link>
          }
        />
      )}
      <InfiniteList {...more} ahead={1600} end={items.length > 0 ? 'You have seen all posts.' : undefined}>
        <div className="flex flex-col gap-5">
          {items.map((post, index) =>
            index < renderedCount ? (
              <PostCard key={post.id} post={post} eager={index === 0} />
            ) : (
              <PostCardSpace key={post.id} id={post.id} />
            ),
          )}
        </div>
      </InfiniteList>
    </>
  );
}

function NewPosts({ onShow }: { onShow: () => Promise<void> }) {
  const [pending, setPending] = useState(false);
  const show = async () => {
    setPending(true);
    try {
      await onShow();
      window.scrollTo({ top: 0 });
    } catch (error) {
      showErrorToast(error, () => void show());
    } finally {
      setPending(false);
    }
  };
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-18 z-20 -mb-5 flex h-0 items-start justify-center md:top-4"
    >
      <Button
        size="sm"
        pending={pending}
        icon={<Icon of={ArrowUp} size={16} />}
        onClick={() => void show()}
        className="pointer-events-auto animate-rise rounded-full! shadow-lift"
      >
        New posts
      </Button>
    </div>
  );
}

/** A feed older than this is compared with the server when it is shown again. */
const FRESH_MS = 30_000;

/** The fields of a post that are the same for all viewers, which an event may change. */
const SharedFields = z.partial(
  z.pick(Post, {
    caption: true,
    location: true,
    tags: true,
    picture: true,
    updatedAt: true,
    totalLikes: true,
  }),
);

/** Whether others have posted since the feed was fetched. New posts are behind a button, so that the feed does not jump.
 * `show` loads them.
 */
function useNewerPosts(ownId: string): { hasNewer: boolean; show: () => Promise<void> } {
  const client = useQueryClient();
  const [hasNewer, setHasNewer] = useState(false);
  const pendingRequest = useRef<AbortController>(undefined);

  /** Compares the first page with the feed, because realtime events can be missed. */
  const compareWithServer = async () => {
    const cached = client.getQueryData(feedPages.queryKey);
    if (!cached) return;
    pendingRequest.current?.abort();
    const controller = new AbortController();
    pendingRequest.current = controller;
    try {
      const { items } = await call(posts.feed, { query: {}, signal: controller.signal });
      const ids = new Set(allItems(cached).map(({ id }) => id));
      for (const post of items) if (ids.has(post.id)) changePost(post.id, post);
      setHasNewer(items.some((post) => !ids.has(post.id) && post.creatorId !== ownId));
    } catch {
      // A background check: on failure the feed stays as it is.
    }
  };

  const dataAgeMs = () =>
    Date.now() - (client.getQueryState(feedPages.queryKey)?.dataUpdatedAt ?? Date.now());
  const cancelIdle = useRef<() => void>(undefined);
  const compareWhenIdle = () => {
    cancelIdle.current?.();
    cancelIdle.current = whenIdle(() => void compareWithServer());
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the feed is shown again
  useEffect(() => {
    if (dataAgeMs() > FRESH_MS) void compareWithServer();
    return () => {
      cancelIdle.current?.();
      pendingRequest.current?.abort();
    };
  }, []);

  useRealtime(
    [channel.collection('posts')],
    (event) => {
      const id = String(event.payload.id ?? event.payload.$id);
      const name = event.events[0] ?? '';
      if (name.endsWith('.delete')) removePost(id);
      else if (name.endsWith('.update')) {
        const changed = SharedFields.safeParse(event.payload);
        const { totalLikes: _total, ...others } = changed.data ?? {};
        // A like of the viewer that is under way is shown already; its reply has the new total.
        const isLiking = client.isMutating({ mutationKey: likeKey(id) }) > 0;
        if (changed.success) changePost(id, isLiking ? others : changed.data);
      } else if (event.payload.creatorId !== ownId) setHasNewer(true);
    },
    // The first page has just been fetched: the comparison is for what changed until now, and can wait.
    () => (dataAgeMs() > FRESH_MS ? void compareWithServer() : compareWhenIdle()),
  );

  const show = async () => {
    const first = await call(posts.feed, { query: {} });
    client.setQueryData(feedPages.queryKey, { pages: [first], pageParams: [null] });
    setHasNewer(false);
  };
  return { hasNewer, show };
}
