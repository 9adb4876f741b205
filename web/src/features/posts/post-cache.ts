import { type Post, posts } from '@tara/contract/posts';
import { pagesOf, queryClient, queryOf } from '../../lib/queries.ts';
import { prepended, recordCache } from '../../lib/record-cache.ts';

/** The draft of the quick post, whose text `/create-post` takes over. */
export const quickPostDraft = 'quick-post';

/** Who likes a post is no post. */
const cache = recordCache<Post>(posts.feed.key[0], ({ queryKey }) => queryKey[1] !== posts.likers.key[1]);

/** Names a like of the viewer that is under way. */
export const likeKey = (id: string) => ['like', id];

/** Changes fields of a post in all lists and on its own page. */
export function changePost(id: string, part: Partial<Post>): void {
  cache.update((post) => (post.id === id ? { ...post, ...part } : post));
}

/** Removes a deleted post from all lists. */
export function removePost(id: string): void {
  cache.update((post) => (post.id === id ? null : post));
}

/** Inserts the viewer's new post at the top of its lists. */
export function addPost(post: Post): void {
  for (const list of [pagesOf(posts.feed), pagesOf(posts.byCreator, { params: { id: post.creatorId } })]) {
    queryClient.setQueryData(list.queryKey, prepended(post));
  }
  queryClient.setQueryData(queryOf(posts.get, { params: { id: post.id } }).queryKey, post);
  void queryClient.invalidateQueries({ queryKey: posts.recent.key });
}

/** A post from a cached list, which its page shows before the server responds. */
export const cachedPost = (id: string): Post | undefined => cache.find(id);
