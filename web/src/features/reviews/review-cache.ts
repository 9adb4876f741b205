import { profiles } from '@tara/contract/members/profiles';
import { plans } from '@tara/contract/plans/plans';
import { Review, type ReviewComment, reviews } from '@tara/contract/plans/reviews';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { createLikes } from '../../lib/likes.ts';
import { invalidate, pagesOf, queryClient, setQueryData } from '../../lib/queries.ts';
import type { RealtimeEvent } from '../../lib/realtime.ts';
import { prepended, recordCache } from '../../lib/record-cache.ts';
import { announce } from '../../ui/feedback.ts';

const reviewCache = recordCache<Review>(reviews.get, reviews.byOwner);
const commentCache = recordCache<ReviewComment>(reviews.comments);

export const commentPages = (reviewId: string) => pagesOf(reviews.comments, { params: { id: reviewId } });

/** Changes fields of a review in all lists and on its own page. */
export const changeReview = reviewCache.change;

/** Likes or unlikes a review (§4). */
export const toggleReviewLike = createLikes({
  name: 'reviewLikes',
  cache: reviewCache,
  send: (name, reviewId, totalLikes, signal) =>
    call(reviews[name], { body: { reviewId, totalLikes }, signal }),
});

/** Shows a review that was written or changed, and refetches where its stars count. */
export function storeReview(review: Review): void {
  setQueryData(reviews.get, { params: { id: review.id } }, review);
  void invalidate(reviews.byOwner, profiles.get, plans.get, plans.byCreator);
}

/** Puts a new comment first in the list of its review. */
export function addComment(comment: ReviewComment): void {
  queryClient.setQueryData(commentPages(comment.reviewId).queryKey, prepended(comment));
}

/** Removes a deleted comment. */
export const removeComment = commentCache.remove;

/** The fields of a review that are the same for all viewers, which an event may change. */
const SharedFields = z.partial(z.omit(Review, { id: true, liked: true, createdAt: true }));

/** Shows what an event of the collection 'reviews' changed. */
export const receiveReview = (event: RealtimeEvent) => reviewCache.receive(event, SharedFields);

/** Shows and announces a comment of somebody else. */
export function receiveComment(comment: ReviewComment, ownId: string): void {
  addComment(comment);
  if (comment.creatorId !== ownId) announce(`${comment.creator.name}: ${comment.body}`);
}

export const reviewPages = (ownerId: string) => pagesOf(reviews.byOwner, { params: { id: ownerId } });
