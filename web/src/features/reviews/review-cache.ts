import { plans } from '@tara/contract/plans';
import { profiles } from '@tara/contract/profiles';
import { Review, type ReviewComment, reviews } from '@tara/contract/reviews';
import * as z from 'zod/mini';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { call } from '../../lib/call.ts';
import { errorNotice, type Notice } from '../../lib/failure.ts';
import { invalidate, pagesOf, queryClient, setQueryDataOf } from '../../lib/queries.ts';
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
export const changeReview = reviewCache.change;

/** Shows a review that was written or changed, and refetches where its stars count. */
export function storeReview(review: Review): void {
  setQueryDataOf(reviews.get, { params: { id: review.id } }, review);
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
export const receiveReview = (event: RealtimeEvent) =>
  reviewCache.receive(event, SharedFields, reviewLikeKey);

/** Shows and announces a comment of somebody else. */
export function receiveComment(comment: ReviewComment, ownId: string): void {
  addComment(comment);
  if (comment.creatorId !== ownId) announce(`${comment.creator.name}: ${comment.body}`);
}

/** A comment that is being sent or has failed. */
export interface OutgoingComment {
  reviewId: string;
  body: string;
  /** The same for every attempt, so that the server stores the comment once. */
  clientKey: string;
  /** Why sending failed; null while it is being sent. */
  failure: Notice | null;
  createdAt: string;
}

interface Outbox {
  comments: readonly OutgoingComment[];
}

/** Why a comment of an earlier page load is still here: whether it arrived is unknown, and sending it again is safe. */
const interrupted: Notice = { title: 'Sending was interrupted', text: 'please try again' };

/** Comments that are not stored yet. They outlive their screen and a reload of this tab, so that no text is lost. */
export const useCommentOutbox = create<Outbox>()(
  persist((): Outbox => ({ comments: [] }), {
    name: 'comments',
    storage: createJSONStorage(() => sessionStorage),
    merge: (stored, current) => {
      const { comments = [] } = (stored ?? {}) as Partial<Outbox>;
      return {
        ...current,
        comments: comments.map((comment) => ({ ...comment, failure: comment.failure ?? interrupted })),
      };
    },
  }),
);

const setComments = (change: (comments: readonly OutgoingComment[]) => readonly OutgoingComment[]) =>
  useCommentOutbox.setState(({ comments }) => ({ comments: change(comments) }));

const setFailure = (clientKey: string, failure: Notice | null) =>
  setComments((comments) =>
    comments.map((comment) => (comment.clientKey === clientKey ? { ...comment, failure } : comment)),
  );

/** Shows a comment at once and sends it. */
export function sendComment(reviewId: string, body: string): void {
  const clientKey = crypto.randomUUID();
  const createdAt = new Date().toISOString();
  setComments((comments) => [{ reviewId, body, clientKey, failure: null, createdAt }, ...comments]);
  void deliver(clientKey);
}

/** Sends a comment that failed again. */
export function retryComment(clientKey: string): void {
  setFailure(clientKey, null);
  void deliver(clientKey);
}

/** Gives up a comment that failed. */
export function discardComment(clientKey: string): void {
  setComments((comments) => comments.filter((comment) => comment.clientKey !== clientKey));
}

async function deliver(clientKey: string): Promise<void> {
  const outgoing = useCommentOutbox.getState().comments.find((comment) => comment.clientKey === clientKey);
  if (!outgoing) return;
  const { reviewId, body } = outgoing;
  try {
    const { comment, totalComments } = await call(reviews.createComment, {
      body: { reviewId, body, clientKey },
    });
    addComment(comment);
    changeReview(reviewId, { totalComments });
    discardComment(clientKey);
  } catch (error) {
    setFailure(clientKey, errorNotice(error));
  }
}
