import { reviews } from '@tara/contract/reviews';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { call } from '../../lib/call.ts';
import { errorNotice, type Notice } from '../../lib/failure.ts';
import { addComment, changeReview } from './review-cache.ts';

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
