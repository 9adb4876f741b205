import { reviews } from '@tara/contract/reviews';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { createReview } from './create.ts';
import { getReview, reviewsByOwner } from './read.ts';

export function reviewRoutes(app: FastifyInstance, platform: Pick<Platform, 'database' | 'bus'>): void {
  const { database } = platform;
  serve(app, reviews.create, ({ viewer, body }) => createReview(platform, viewer, body), { perMinute: 30 });
  serve(app, reviews.byOwner, ({ viewer, params, query }) =>
    reviewsByOwner(database, viewer, params.id, query.cursor),
  );
  serve(app, reviews.get, ({ viewer, params }) => getReview(database, viewer, params.id));
}
