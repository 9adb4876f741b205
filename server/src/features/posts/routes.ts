import { posts } from '@tara/contract/posts';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { countLikes, type Likes, savePost, setLike, unsavePost } from './like.ts';
import { listLikers } from './likers.ts';
import { postReads } from './read.ts';
import { sharedPictureRoute } from './shared.ts';
import { createPost, createQuickPost, deletePost, updatePost } from './write.ts';

const ok = { status: 'ok' } as const;
const likesReply = ({ totalLikes, liked }: Likes) => ({ ...ok, totalLikes, liked });
const writing = { perMinute: 30 };
const liking = { perMinute: 120 };

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
  serve(
    app,
    posts.delete,
    async ({ viewer, body }) => {
      await deletePost(platform, viewer, body.postId);
      return ok;
    },
    writing,
  );

  serve(
    app,
    posts.like,
    async ({ viewer, body }) => likesReply(await setLike(platform, viewer, body.postId, true)),
    liking,
  );
  serve(
    app,
    posts.unlike,
    async ({ viewer, body }) => likesReply(await setLike(platform, viewer, body.postId, false)),
    liking,
  );
  serve(
    app,
    posts.updateLikes,
    async ({ viewer, body }) => likesReply(await countLikes(database, viewer, body.postId)),
    liking,
  );
  serve(
    app,
    posts.save,
    async ({ viewer, body }) => {
      await savePost(platform, viewer, body.postId);
      return ok;
    },
    liking,
  );
  serve(
    app,
    posts.unsave,
    async ({ viewer, body }) => {
      await unsavePost(platform, viewer, body.postId);
      return ok;
    },
    liking,
  );
}
