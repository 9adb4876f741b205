import { reviews } from '@tara/contract/reviews';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { createComment, deleteComment, listComments } from './comments.ts';
import { createReview } from './create.ts';
import { countReviewLikes, likeReview, type ReviewLikes, unlikeReview } from './like.ts';
import { getReview, reviewsByOwner } from './read.ts';
import { updateReview } from './update.ts';

const ok = { status: 'ok' } as const;
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

  const likesReply = ({ totalLikes, liked }: ReviewLikes) => ({ ...ok, totalLikes, liked });
  serve(
    app,
    reviews.like,
    async ({ viewer, body }) => likesReply(await likeReview(platform, viewer, body.reviewId)),
    liking,
  );
  serve(
    app,
    reviews.unlike,
    async ({ viewer, body }) => likesReply(await unlikeReview(platform, viewer, body.reviewId)),
    liking,
  );
  serve(
    app,
    reviews.updateLikes,
    async ({ viewer, body }) => likesReply(await countReviewLikes(database, viewer, body.reviewId)),
    liking,
  );

  serve(app, reviews.comments, ({ viewer, params, query }) =>
    listComments(database, viewer, params.id, query.cursor),
  );
  serve(app, reviews.createComment, ({ viewer, body }) => createComment(platform, viewer, body), writing);
  serve(
    app,
    reviews.deleteComment,
    async ({ viewer, body }) => {
      await deleteComment(platform, viewer, body.commentId);
      return ok;
    },
    writing,
  );
}
