import { Review, type ReviewComment, reviews } from '@tara/contract/reviews';
import * as z from 'zod/mini';
import { pagesOf, queryClient } from '../../lib/queries.ts';
import type { RealtimeEvent } from '../../lib/realtime.ts';
import { prepended, recordCache } from '../../lib/record-cache.ts';
import { announce } from '../../ui/feedback.ts';

const [path] = reviews.get.key;
const isComments = (name: unknown) => name === 'comments';
const reviewCache = recordCache<Review>(path, ({ queryKey }) => !isComments(queryKey[1]));
const commentCache = recordCache<ReviewComment>(path, ({ queryKey }) => isComments(queryKey[1]));

/** Names a like of the viewer that is under way. */
export const reviewLikeKey = (id: string) => ['like review', id];

export const commentPages = (reviewId: string) => pagesOf(reviews.comments, { params: { id: reviewId } });

/** Changes fields of a review in all lists and on its own page. */
export function changeReview(id: string, part: Partial<Review>): void {
  reviewCache.update((review) => (review.id === id ? { ...review, ...part } : review));
}

/** Puts a new comment first in the list of its review. */
export function addComment(comment: ReviewComment): void {
  queryClient.setQueryData(commentPages(comment.reviewId).queryKey, prepended(comment));
}

/** Removes a deleted comment. */
export function removeComment(id: string): void {
  commentCache.update((comment) => (comment.id === id ? null : comment));
}

/** The fields of a review that are the same for all viewers, which an event may change. */
const SharedFields = z.partial(z.omit(Review, { id: true, liked: true, createdAt: true }));

/** Shows what an event of the collection 'reviews' changed. */
export function receiveReview({ events, payload }: RealtimeEvent): void {
  const [name = ''] = events;
  const id = String(payload.id ?? payload.$id);
  if (name.endsWith('.delete')) reviewCache.update((review) => (review.id === id ? null : review));
  if (!name.endsWith('.update')) return;
  const changed = SharedFields.safeParse(payload);
  if (!changed.success) return;
  const { totalLikes: _total, ...others } = changed.data;
  // A like of the viewer that is under way is shown already; its reply has the new total.
  const isLiking = queryClient.isMutating({ mutationKey: reviewLikeKey(id) }) > 0;
  changeReview(id, isLiking ? others : changed.data);
}

/** Shows and announces a comment of somebody else. */
export function receiveComment(comment: ReviewComment, ownId: string): void {
  addComment(comment);
  if (comment.creatorId !== ownId) announce(`${comment.creator.name}: ${comment.body}`);
}
