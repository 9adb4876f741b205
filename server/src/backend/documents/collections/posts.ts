import { Id, OptionalId, text, tooLong } from '@tara/contract/fields';
import { captionLength, locationLength, tagsLength } from '@tara/contract/limits';
import { QuickPost } from '@tara/contract/posts/posts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { ownFileId } from '../../../features/files/index.ts';
import {
  createPost,
  createQuickPost,
  deletePost,
  likeablePosts,
  postPopularity,
  postSearch,
  saveIds,
  savePost,
  saves,
  posts as table,
  unsavePost,
  updatePost,
} from '../../../features/posts/index.ts';
import { profiles } from '../../../features/profiles/index.ts';
import { contentVisibleTo, visibleTo } from '../../../features/visibility/index.ts';
import { bestHits } from '../../../platform/database/search.ts';
import { validate } from '../../../platform/http/validation.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { Problem } from '../../../platform/problem.ts';
import {
  attribute,
  type Collection,
  change,
  creation,
  type DocumentSource,
  derived,
  derivedByServer,
  grants,
  ownRecord,
  Reference,
  recordOf,
  related,
  requireId,
  type WriteContext,
} from '../collection.ts';
import { likeCollection } from './likes.ts';
import { imageUrl, person } from './people.ts';

/** Tags are a list on the wire, and the text of the form (§3) is understood as well. */
const Tags = z
  .union([
    z.string(),
    z
      .array(z.string().max(tagsLength))
      .max(100)
      .transform((tags) => tags.join(',')),
  ])
  .pipe(z.string().max(tagsLength, tooLong(tagsLength)));

const postFields = {
  caption: z.optional(text(captionLength)),
  location: z.optional(text(locationLength)),
  tags: z.optional(Tags),
  imageId: OptionalId,
  imageUrl: derivedByServer,
};

/** Whether a picture is the one that the viewer's profile shows. */
const isProfilePicture = async (
  { database }: WriteContext,
  { accountId, profileId }: Viewer,
  imageId: string,
) => {
  const isShown = inArray(profiles.imageId, [imageId, ownFileId(accountId, imageId)]);
  return (await database.$count(profiles, and(eq(profiles.id, profileId), isShown))) > 0;
};

/** What a change of a post goes on from. */
const Shown = z.object({ caption: z.string(), location: z.string(), tags: z.array(z.string()) });

/**
 * How posts are read, from the table or an alias of it.
 * @param creatorName of the alias of the creator's profile.
 */
function postSource(posts: typeof table, creatorName: string): DocumentSource {
  const creator = alias(profiles, creatorName);
  return {
    collectionId: 'posts',
    ...recordOf(posts),
    parties: [creator.accountId],
    permissions: ([owner = '']) => [grants.readByMembers, grants.updateBy(owner), grants.deleteBy(owner)],
    attributes: {
      creator: person(posts.creatorId, creatorName, { indexed: true }),
      creatorId: attribute('string', posts.creatorId, { indexed: true }),
      caption: attribute('string', posts.caption, {
        // The product's own search: the best 30 (decision 0034).
        search: (words, viewer) => {
          const best = bestHits(postSearch, table, words, contentVisibleTo(viewer, postSearch.creatorId));
          return sql`${posts.number} in (select ${best.number} from ${best.table})`;
        },
      }),
      imageUrl: imageUrl(posts.imageId, creator.name),
      imageId: attribute('string', posts.imageId, { indexed: true }),
      location: attribute('string', posts.location),
      tags: attribute('strings', posts.tags, { indexed: true }),
      totalLikes: attribute('integer', posts.totalLikes),
      usedDp: attribute('boolean', posts.usedDp),
      // Reviews have stars; a post has the field (§3) and never a value.
      stars: { ...derived('number', [], () => null), indexed: undefined },
    },
  };
}

const source = postSource(table, 'creator');

/** Posts (§3). */
export const posts: Collection = {
  source: {
    ...source,
    joins: [{ table: postPopularity, on: eq(postPopularity.postId, table.id) }],
    attributes: {
      ...source.attributes,
      totalLikes: {
        ...attribute('integer', postPopularity.totalLikes, {
          indexed: true,
          joinedId: postPopularity.postId,
        }),
        cells: [table.totalLikes],
      },
    },
  },
  readable: {
    list: (viewer) => contentVisibleTo(viewer, table.creatorId),
    one: (viewer) => visibleTo(viewer, table.creatorId),
  },
  announced: true,
  create: creation({
    fields: z.strictObject({ ...postFields, usedDp: z.literal(true).optional() }),
    sets: ({ profileId }) => ({
      ...{ creatorId: profileId, creator: profileId, totalLikes: 0, usedDp: false, stars: null },
    }),
    perMinute: 30,
    // Without a picture of its own a post shows the creator's (decisions §1).
    run: async (context, viewer, { data: { imageId = null, usedDp, ...texts }, documentId }) => {
      const form = { caption: '', location: '', tags: '', ...texts };
      const isQuick = imageId === null || (await isProfilePicture(context, viewer, imageId));
      if (usedDp === true && !isQuick) {
        const fields = { usedDp: 'Is true of a post that shows the profile’s picture alone.' };
        throw new Problem('document_invalid_structure', { fields });
      }
      const post = isQuick
        ? await createQuickPost(
            context,
            viewer,
            { ...form, ...validate(QuickPost, 'data', { caption: form.caption }) },
            documentId,
          )
        : await createPost(context, viewer, { ...form, imageId, alt: '' }, documentId);
      return post.id;
    },
  }),
  update: change({
    fields: z.strictObject({ ...postFields, imageId: z.optional(Id) }),
    perMinute: 30,
    run: (context, viewer, { data: { imageId, ...texts }, document }) => {
      const { caption, location, tags } = Shown.parse(document);
      return updatePost(context, viewer, {
        postId: document.$id,
        ...{ caption, location, tags: tags.join(',') },
        ...texts,
        imageId: imageId ?? null,
      });
    },
  }),
  delete: { perMinute: 30, run: (context, viewer, { $id }) => deletePost(context, viewer, $id) },
};

/** Likes of posts. */
export const likedPosts = likeCollection(likeablePosts, 'postId');

const savedPost = alias(table, 'saved_post') as unknown as typeof table;
const saver = alias(profiles, 'saver');

/** The condition of the viewer's own, of posts that they may read. */
const ownSave = (viewer: Viewer) =>
  and(eq(saves.userId, viewer.profileId), contentVisibleTo(viewer, savedPost.creatorId));

/** What the viewer saved, each with its post and the post's creator (§3). */
export const savedPosts: Collection = {
  source: {
    collectionId: 'saves',
    ...recordOf(saves),
    joins: [{ table: saver, on: eq(saver.id, saves.userId) }],
    parties: [saver.accountId],
    permissions: ownRecord,
    attributes: {
      userId: attribute('string', saves.userId, { indexed: true }),
      postId: attribute('string', saves.postId, { indexed: true }),
      post: related(saves.postId, postSource(savedPost, 'saved_creator'), eq(savedPost.id, saves.postId), {
        indexed: true,
      }),
    },
  },
  readable: { list: ownSave, one: ownSave },
  announced: false,
  create: creation({
    fields: z.strictObject({ postId: Reference }),
    sets: ({ profileId }, { postId }) => ({ userId: profileId, post: postId }),
    perMinute: 120,
    run: async (context, viewer, { data: { postId } }) => {
      await savePost(context, viewer, postId);
      return requireId(await saveIds.find(context.database, viewer.profileId, postId));
    },
  }),
  delete: {
    perMinute: 120,
    run: (context, viewer, { postId }) => unsavePost(context, viewer, String(postId)),
  },
};
