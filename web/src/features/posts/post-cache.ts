import type { InfiniteData, Query } from '@tanstack/react-query';
import type { PageOf } from '@tara/contract/page';
import { type Post, posts } from '@tara/contract/posts';
import { pagesOf, queryClient, queryOf } from '../../lib/queries.ts';

/** The draft of the quick post, whose text `/create-post` takes over. */
export const quickPostDraft = 'quick-post';

type Pages = InfiniteData<PageOf<Post>>;
type Cached = Post | Pages;
type Change = (post: Post) => Post | null;

/** All cached data of the posts' calls: a post, or pages of posts. */
const allPosts = { queryKey: posts.feed.key.slice(0, 1) };

/** Applies a change to the posts in `data`; null removes a post. Returns the same object if nothing changed. */
function withChange(data: Cached, change: Change): Cached {
  if (!('pages' in data)) return change(data) ?? data;
  let isChanged = false;
  const pages = data.pages.map((page) => {
    const items = page.items.flatMap((post) => {
      const next = change(post);
      isChanged ||= next !== post;
      return next ?? [];
    });
    return { ...page, items };
  });
  return isChanged ? { ...data, pages } : data;
}

function updateQuery(query: Query, change: Change): void {
  const data = query.state.data as Cached | undefined;
  if (!data) return;
  const next = withChange(data, change);
  if (next !== data) queryClient.setQueryData(query.queryKey, next, { updatedAt: query.state.dataUpdatedAt });
}

/** Changes posts in all cached data. Responses that were already in flight may be
 * older than the change, so it is applied again when they arrive.
 */
function updateEverywhere(change: Change): void {
  const cache = queryClient.getQueryCache();
  const queries = cache.findAll(allPosts);
  const inFlight = new Set(queries.filter((query) => query.state.fetchStatus === 'fetching'));
  for (const query of queries) updateQuery(query, change);
  if (inFlight.size === 0) return;
  const stop = cache.subscribe(({ type, query }) => {
    if (!inFlight.has(query) || (type === 'updated' && query.state.fetchStatus === 'fetching')) return;
    if (type !== 'updated' && type !== 'removed') return;
    inFlight.delete(query);
    if (inFlight.size === 0) stop();
    if (type === 'updated') updateQuery(query, change);
  });
}

/** Names a like of the viewer that is under way. */
export const likeKey = (id: string) => ['like', id];

/** Changes fields of a post in all lists and on its own page. */
export function changePost(id: string, part: Partial<Post>): void {
  updateEverywhere((post) => (post.id === id ? { ...post, ...part } : post));
}

/** Removes a deleted post from all lists. */
export function removePost(id: string): void {
  updateEverywhere((post) => (post.id === id ? null : post));
}

const prepended = (post: Post) => (data: Pages | undefined) => {
  const [first, ...rest] = data?.pages ?? [];
  if (!data || !first || first.items.some(({ id }) => id === post.id)) return data;
  return { ...data, pages: [{ ...first, items: [post, ...first.items] }, ...rest] };
};

/** Inserts the viewer's new post at the top of its lists. */
export function addPost(post: Post): void {
  for (const list of [pagesOf(posts.feed), pagesOf(posts.byCreator, { params: { id: post.creatorId } })]) {
    queryClient.setQueryData(list.queryKey, prepended(post));
  }
  queryClient.setQueryData(queryOf(posts.get, { params: { id: post.id } }).queryKey, post);
  void queryClient.invalidateQueries({ queryKey: posts.recent.key });
}

/** A post from a cached list, which its page shows before the server responds. */
export function cachedPost(id: string): Post | undefined {
  for (const query of queryClient.getQueryCache().findAll(allPosts)) {
    const data = query.state.data as Cached | undefined;
    const post =
      data &&
      ('pages' in data ? data.pages.flatMap((page) => page.items).find((post) => post.id === id) : data);
    if (post?.id === id) return post;
  }
  return undefined;
}
