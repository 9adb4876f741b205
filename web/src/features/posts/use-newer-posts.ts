import { useQueryClient } from '@tanstack/react-query';
import { type Post, posts } from '@tara/contract/posts';
import { channel } from '@tara/contract/realtime';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../lib/call.ts';
import { itemsOf, pagesOf } from '../../lib/queries.ts';
import { type RealtimeEvent, useRealtime } from '../../lib/realtime.ts';
import { changePost, removePost } from './post-cache.ts';

const feed = pagesOf(posts.feed);
/** Older than this, a feed that is shown again is compared with the server. Milliseconds. */
const FRESH = 30_000;

/** What an event says about a post besides what is each viewer's own. */
function sharedPart({ payload }: RealtimeEvent): Partial<Post> {
  const { caption, location, tags, picture, updatedAt } = payload as Partial<Post>;
  return Object.fromEntries(
    Object.entries({ caption, location, tags, picture, updatedAt }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

/**
 * Posts of others that came since the feed was read. They wait behind a pill: what is being read must not jump.
 * `show` brings them in.
 */
export function useNewerPosts(ownId: string): { waiting: boolean; show: () => Promise<void> } {
  const client = useQueryClient();
  const [waiting, setWaiting] = useState(false);
  const asking = useRef<AbortController>(undefined);

  /** Reads the first page beside the feed: realtime is only a hint. */
  const compare = async () => {
    const known = client.getQueryData(feed.queryKey);
    if (!known) return;
    asking.current?.abort();
    const now = new AbortController();
    asking.current = now;
    try {
      const { items } = await call(posts.feed, { query: {}, signal: now.signal });
      const ids = new Set(itemsOf(known).map(({ id }) => id));
      for (const post of items) if (ids.has(post.id)) changePost(post.id, post);
      setWaiting(items.some((post) => !ids.has(post.id) && post.creatorId !== ownId));
    } catch {
      // Nobody asked for this: the feed stays as it is.
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the feed is shown again
  useEffect(() => {
    const age = Date.now() - (client.getQueryState(feed.queryKey)?.dataUpdatedAt ?? Date.now());
    if (age > FRESH) void compare();
    return () => asking.current?.abort();
  }, []);

  useRealtime(
    [channel.collection('posts')],
    (event) => {
      const id = String(event.payload.id ?? event.payload.$id);
      const name = event.events[0] ?? '';
      if (name.endsWith('.delete')) removePost(id);
      else if (name.endsWith('.update')) changePost(id, sharedPart(event));
      else if (event.payload.creatorId !== ownId) setWaiting(true);
    },
    () => void compare(),
  );

  const show = async () => {
    const first = await call(posts.feed, { query: {} });
    client.setQueryData(feed.queryKey, { pages: [first], pageParams: [null] });
    setWaiting(false);
  };
  return { waiting, show };
}
