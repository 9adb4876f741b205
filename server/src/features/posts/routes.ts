import { posts } from '@tara/contract/posts/posts';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { likeRoutes } from '../likes/index.ts';
import { listLikers } from './likers.ts';
import { likeablePosts } from './likes.ts';
import { postReads } from './read.ts';
import { savePost, unsavePost } from './save.ts';
import { sharedPictureRoute } from './shared.ts';
import { createPost, createQuickPost, deletePost, updatePost } from './write.ts';

const writing = { perMinute: 30 };
const saving = { perMinute: 120 };

/** Binds the calls of posts. */
export function postRoutes(app: FastifyInstance, platform: Platform): void {
  const { database } = platform;
  const read = postReads(database);
  sharedPictureRoute(app, platform);

  serve(app, posts.feed, async ({ viewer, query }) => read.feed(viewer, query.cursor));
  serve(app, posts.recent, async ({ viewer, query }) => read.recent(viewer, query.cursor));
  serve(app, posts.popular, async ({ viewer, query }) => read.popular(viewer, query.cursor));
  serve(app, posts.saved, async ({ viewer, query }) => read.saved(viewer, query.cursor));
  serve(app, posts.search, async ({ viewer, query }) => read.search(viewer, query.search), {
    perMinute: 120,
  });
  serve(app, posts.likers, async ({ viewer, params, query }) =>
    listLikers(database, viewer, params.id, query.cursor),
  );
  serve(app, posts.byCreator, async ({ viewer, params, query }) =>
    read.byCreator(viewer, params.id, query.cursor),
  );
  serve(app, posts.get, async ({ viewer, params }) => read.one(viewer, params.id));

  serve(app, posts.create, async ({ viewer, body }) => createPost(platform, viewer, body), writing);
  serve(app, posts.quick, async ({ viewer, body }) => createQuickPost(platform, viewer, body), writing);
  serve(app, posts.update, async ({ viewer, body }) => updatePost(platform, viewer, body), writing);
  serve(app, posts.delete, ({ viewer, body }) => deletePost(platform, viewer, body.postId), writing);

  likeRoutes(app, platform, { calls: posts, likeable: likeablePosts, readId: ({ postId }) => postId });
  serve(app, posts.save, ({ viewer, body }) => savePost(platform, viewer, body.postId), saving);
  serve(app, posts.unsave, ({ viewer, body }) => unsavePost(platform, viewer, body.postId), saving);
}
