import { reviews } from '@tara/contract/plans/reviews';
import { call } from '../../lib/call.ts';
import { createOutbox, type Unsent } from '../../lib/outbox.ts';
import { addComment, changeReview } from './review-cache.ts';

/** A comment that is being sent or has failed. */
export interface OutgoingComment extends Unsent {
  reviewId: string;
  body: string;
}

const outbox = createOutbox<'comments', OutgoingComment>({
  name: 'comments',
  // No comment waits for another.
  queueOf: ({ clientKey }) => clientKey,
  repeats: false,
  async send({ reviewId, body, clientKey }, signal) {
    const { comment, totalComments } = await call(reviews.createComment, {
      body: { reviewId, body, clientKey },
      signal,
    });
    addComment(comment);
    changeReview(reviewId, { totalComments });
  },
});

export const { store: useCommentOutbox, sendAgain: retryComment, discard: discardComment } = outbox;

/** Shows a comment at once and sends it. */
export const sendComment = (reviewId: string, body: string) => void outbox.add({ reviewId, body });
