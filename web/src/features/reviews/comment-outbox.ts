import { reviews } from '@tara/contract/plans/reviews';
import { call, type Notice } from '../../lib/call.ts';
import { createOutbox, type Unsent } from '../../lib/outbox.ts';
import { addComment, changeReview } from './review-cache.ts';

/** A comment that is being sent or has failed. */
export interface OutgoingComment extends Unsent {
  reviewId: string;
  body: string;
}

/** Why a comment of an earlier page load is still here: whether it arrived is unknown, and sending it again is safe. */
const interrupted: Notice = { title: 'Sending was interrupted', text: 'please try again' };

const outbox = createOutbox<'comments', OutgoingComment>({
  name: 'comments',
  // No comment waits for another.
  queueOf: ({ clientKey }) => clientKey,
  repeats: false,
  async send({ reviewId, body, clientKey }) {
    const { comment, totalComments } = await call(reviews.createComment, {
      body: { reviewId, body, clientKey },
    });
    addComment(comment);
    changeReview(reviewId, { totalComments });
  },
  restore: (comment) => ({ ...comment, state: 'failed', failure: comment.failure ?? interrupted }),
});

export const { store: useCommentOutbox, sendAgain: retryComment, discard: discardComment } = outbox;

/** Shows a comment at once and sends it. */
export const sendComment = (reviewId: string, body: string) => void outbox.add({ reviewId, body });
