import { reviews } from '@tara/contract/reviews';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { createComment, deleteComment, listComments } from './comments.ts';
import { countReviewLikes, likeReview, unlikeReview } from './like.ts';
import { getReview, reviewsByOwner } from './read.ts';
import { createReview, updateReview } from './write.ts';

const writing = { perMinute: 30 };
const liking = { perMinute: 120 };

/** Binds the calls of reviews, their likes and their comments. */
export function reviewRoutes(app: FastifyInstance, platform: Pick<Platform, 'database' | 'bus'>): void {
  const { database } = platform;
  serve(app, reviews.create, ({ viewer, body }) => createReview(platform, viewer, body), writing);
  serve(app, reviews.update, ({ viewer, body }) => updateReview(platform, viewer, body), writing);
  serve(app, reviews.byOwner, ({ viewer, params, query }) =>
    reviewsByOwner(database, viewer, params.id, query.cursor),
  );
  serve(app, reviews.get, ({ viewer, params }) => getReview(database, viewer, params.id));

  for (const [call, answer] of [
    [reviews.like, likeReview],
    [reviews.unlike, unlikeReview],
    [reviews.updateLikes, countReviewLikes],
  ] as const) {
    serve(
      app,
      call,
      async ({ viewer, body }) => {
        const { totalLikes, liked } = await answer(platform, viewer, body.reviewId);
        return { status: 'ok' as const, totalLikes, liked };
      },
      liking,
    );
  }

  serve(app, reviews.comments, ({ viewer, params, query }) =>
    listComments(database, viewer, params.id, query.cursor),
  );
  serve(app, reviews.createComment, ({ viewer, body }) => createComment(platform, viewer, body), writing);
  serve(
    app,
    reviews.deleteComment,
    ({ viewer, body }) => deleteComment(platform, viewer, body.commentId),
    writing,
  );
}
