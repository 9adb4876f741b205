import { Post, posts } from '@tara/contract/posts';
import * as z from 'zod/mini';
import { pagesOf, queryClient, queryOf } from '../../lib/queries.ts';
import type { RealtimeEvent } from '../../lib/realtime.ts';
import { prepended, recordCache } from '../../lib/record-cache.ts';

/** The draft of the quick post, whose text `/create-post` takes over. */
export const quickPostDraft = 'quick-post';

/** Who likes a post is no post. */
const cache = recordCache<Post>(posts.feed.key[0], ({ queryKey }) => queryKey[1] !== posts.likers.key[1]);

/** Names a like of the viewer that is under way. */
export const likeKey = (id: string) => ['like', id];

/** Changes fields of a post in all lists and on its own page. */
export const changePost = cache.change;

/** Removes a deleted post from all lists. */
export const removePost = cache.remove;

/** A post from a cached list, which its page shows before the server responds. */
export const cachedPost = cache.find;

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

/** Shows what an event of the collection 'posts' deleted or changed; false for any other event. */
export const receivePost = (event: RealtimeEvent): boolean => cache.receive(event, SharedFields, likeKey);

/** Inserts the viewer's new post at the top of its lists. */
export function addPost(post: Post): void {
  for (const list of [pagesOf(posts.feed), pagesOf(posts.byCreator, { params: { id: post.creatorId } })]) {
    queryClient.setQueryData(list.queryKey, prepended(post));
  }
  queryClient.setQueryData(queryOf(posts.get, { params: { id: post.id } }).queryKey, post);
  void queryClient.invalidateQueries({ queryKey: posts.recent.key });
}
