import { sharedCaptionLength } from '@tara/contract/limits';
import { posts as calls } from '@tara/contract/posts/posts';
import { callUrl } from '@tara/contract/url';
import { and, eq, isNull, lte, notExists, or, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/connect.ts';
import { FileNotFound } from '../../platform/files/store.ts';
import { serve } from '../../platform/http/serve.ts';
import type { PageMeta } from '../../platform/http/web.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { accounts } from '../accounts/index.ts';
import { files, variantOf } from '../files/index.ts';
import { profiles } from '../profiles/index.ts';
import { reportedMembers } from '../visibility/index.ts';
import { posts } from './tables.ts';

/** Wide enough for the previews of other sites, in pixels. */
const pictureWidth = 1080;
/** Seconds that others may keep the picture: so long it may still be seen after its creator stops sharing. */
const pictureMaxAgeSeconds = 300;

/**
 * A post as anybody may see it, with its stored picture: only while its creator shares posts, is neither suspended nor
 * banned, does not leave, and no report about them waits for an admin (decisions §2).
 */
const sharedQuery = (database: Database) =>
  database
    .select({ caption: posts.caption, file: files })
    .from(posts)
    .innerJoin(profiles, and(eq(profiles.id, posts.creatorId), profiles.sharesPosts))
    .innerJoin(
      accounts,
      and(
        eq(accounts.id, profiles.accountId),
        isNull(accounts.blockedAt),
        isNull(accounts.deletesAt),
        or(isNull(accounts.suspendedUntil), lte(accounts.suspendedUntil, sql`now()`)),
      ),
    )
    .leftJoin(files, and(eq(files.id, posts.imageId), eq(files.bucket, 'images')))
    .where(
      and(
        eq(posts.id, sql.placeholder('post')),
        notExists(
          database
            .select({ one: sql`1` })
            .from(reportedMembers)
            .where(eq(reportedMembers.profileId, posts.creatorId)),
        ),
      ),
    )
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

/** Binds the picture of shared posts, the only one that is seen without a session. */
export function sharedPictureRoute(app: FastifyInstance, platform: Platform): void {
  const find = sharedQuery(platform.database);
  serve(app, calls.sharedPicture, async ({ params, reply }) => {
    const [shared] = await find.execute({ post: params.id });
    if (!shared?.file) throw new Problem('post_not_found');
    const { key, mimeType } = variantOf(shared.file, pictureWidth);
    const bytes = await platform.files.read(key).catch((error: unknown) => {
      throw error instanceof FileNotFound ? new Problem('post_not_found', { cause: error }) : error;
    });
    return reply
      .header('cache-control', `public, max-age=${pictureMaxAgeSeconds}`)
      .header('content-security-policy', 'sandbox')
      .header('cross-origin-resource-policy', 'cross-origin')
      .type(mimeType)
      .send(bytes);
  });
}
