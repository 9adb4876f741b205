import { sharedCaptionLength } from '@tara/contract/limits';
import { posts as calls } from '@tara/contract/posts/posts';
import { callUrl } from '@tara/contract/url';
import { and, eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/connect.ts';
import { serve } from '../../platform/http/serve.ts';
import type { PageMeta } from '../../platform/http/web.ts';
import type { Platform } from '../../platform/platform.ts';
import { accounts, isShownOutside } from '../accounts/index.ts';
import { files, sendOutside } from '../files/index.ts';
import { profiles } from '../profiles/index.ts';
import { posts } from './tables.ts';

/** A post as anybody may see it, with its stored picture: only while its creator shares posts. */
const sharedQuery = (database: Database) =>
  database
    .select({ caption: posts.caption, file: files })
    .from(posts)
    .innerJoin(profiles, and(eq(profiles.id, posts.creatorId), profiles.sharesPosts))
    .innerJoin(accounts, and(eq(accounts.id, profiles.accountId), isShownOutside(profiles.id)))
    .leftJoin(files, and(eq(files.id, posts.imageId), eq(files.bucket, 'images')))
    .where(eq(posts.id, sql.placeholder('post')))
    .prepare('post_shared');

/** The first 100 characters of a caption on one line. An emoji is never cut in two. */
function preview(caption: string): string {
  const characters = [...caption.replace(/\s+/g, ' ').trim()];
  if (characters.length <= sharedCaptionLength) return characters.join('');
  return `${characters.slice(0, sharedCaptionLength).join('').trimEnd()}…`;
}

/**
 * What the page of a path says of itself to sites that show links. For `/post/{id}` the post's picture and the beginning
 * of its caption where they are shared, otherwise nothing of its own; null for the path of another page.
 */
export function describePostPage({ database, config }: Pick<Platform, 'database' | 'config'>) {
  const find = sharedQuery(database);
  return async (path: string): Promise<PageMeta | null> => {
    const id = /^\/post\/([\w.-]{1,36})\/?$/.exec(path)?.[1];
    if (id === undefined) return null;
    const [shared] = await find.execute({ post: id });
    if (!shared) return {};
    const description = preview(shared.caption);
    return {
      title: 'A post on Tara',
      ...(description === '' ? {} : { description }),
      ...(shared.file
        ? {
            imageUrl: `${config.publicUrl}${callUrl(calls.sharedPicture, { params: { id } })}`,
            imageAlt: 'The picture of the post',
          }
        : {}),
    };
  };
}

/** Binds the picture of shared posts. */
export function sharedPictureRoute(app: FastifyInstance, platform: Platform): void {
  const find = sharedQuery(platform.database);
  serve(app, calls.sharedPicture, async ({ params, reply }) => {
    const [shared] = await find.execute({ post: params.id });
    return sendOutside(platform, reply, shared?.file, 'post_not_found');
  });
}
