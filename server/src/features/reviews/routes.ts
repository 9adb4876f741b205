import { reviews } from '@tara/contract/plans/reviews';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { likeRoutes } from '../likes/index.ts';
import { createComment, deleteComment, listComments } from './comments.ts';
import { likeableReviews } from './likes.ts';
import { getReview, reviewsByOwner } from './read.ts';
import { createReview, updateReview } from './write.ts';

const writing = { perMinute: 30 };

/** Binds the calls of reviews, their likes and their comments. */
export function reviewRoutes(app: FastifyInstance, platform: Pick<Platform, 'database' | 'bus'>): void {
  const { database } = platform;
  serve(app, reviews.create, ({ viewer, body }) => createReview(platform, viewer, body), writing);
  serve(app, reviews.update, ({ viewer, body }) => updateReview(platform, viewer, body), writing);
  serve(app, reviews.byOwner, ({ viewer, params, query }) =>
    reviewsByOwner(database, viewer, params.id, query.cursor),
  );
  serve(app, reviews.get, ({ viewer, params }) => getReview(database, viewer, params.id));

  likeRoutes(app, platform, {
    calls: reviews,
    likeable: likeableReviews,
    readId: ({ reviewId }) => reviewId,
  });
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
