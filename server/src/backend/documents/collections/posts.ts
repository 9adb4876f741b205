import { Id, text, tooLong } from '@tara/contract/fields';
import { captionLength, locationLength, tagsLength } from '@tara/contract/limits';
import { QuickPost } from '@tara/contract/posts';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import {
  createPost,
  createQuickPost,
  deletePost,
  postSearch,
  posts as table,
  updatePost,
} from '../../../features/posts/index.ts';
import { profiles } from '../../../features/profiles/index.ts';
import { contentVisibleTo, visibleTo } from '../../../features/visibility/index.ts';
import { bestHits } from '../../../platform/database/search.ts';
import { validate } from '../../../platform/http/validation.ts';
import {
  attribute,
  type Collection,
  change,
  creation,
  derived,
  derivedByServer,
  grants,
} from '../collection.ts';
import { imageUrl, person } from './people.ts';

const creator = alias(profiles, 'creator');

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
  imageId: z.optional(Id),
  imageUrl: derivedByServer,
};

/** What a change of a post goes on from. */
const Shown = z.object({ caption: z.string(), location: z.string(), tags: z.array(z.string()) });

/** Posts (§3). */
export const posts: Collection = {
  source: {
    collectionId: 'posts',
    table,
    id: table.id,
    createdAt: table.createdAt,
    updatedAt: table.updatedAt,
    sequence: table.number,
    parties: [creator.accountId],
    permissions: ([owner = '']) => [grants.readByMembers, grants.updateBy(owner), grants.deleteBy(owner)],
    attributes: {
      creator: person(table.creatorId, 'creator', { indexed: true }),
      creatorId: attribute('string', table.creatorId, { indexed: true }),
      caption: attribute('string', table.caption, {
        // The product's own search: the best 30 (decision 0034).
        search: (text, viewer) => {
          const best = bestHits(postSearch, table, text, contentVisibleTo(viewer, postSearch.creatorId));
          return sql`${table.number} in (select ${best.number} from ${best.table})`;
        },
      }),
      imageUrl: imageUrl(table.imageId, creator.name),
      imageId: attribute('string', table.imageId, { indexed: true }),
      location: attribute('string', table.location),
      tags: attribute('strings', table.tags),
      totalLikes: attribute('integer', table.totalLikes),
      usedDp: attribute('boolean', table.usedDp),
      // Reviews have stars; a post has the field (§3) and never a value.
      stars: { ...derived('number', [], () => null), indexed: undefined },
    },
  },
  readable: {
    list: (viewer) => contentVisibleTo(viewer, table.creatorId),
    one: (viewer) => visibleTo(viewer, table.creatorId),
  },
  announced: true,
  create: creation({
    fields: z.strictObject(postFields),
    sets: ({ profileId }) => ({ creatorId: profileId, creator: profileId, totalLikes: 0, usedDp: false }),
    perMinute: 30,
    // Without a picture of its own a post shows the creator's (decisions §1).
    run: async (context, viewer, { data: { imageId, ...texts }, documentId }) => {
      const form = { caption: '', location: '', tags: '', ...texts };
      const post =
        imageId === undefined
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
    fields: z.strictObject(postFields),
    perMinute: 30,
    run: (context, viewer, { data: { imageId, ...texts }, document }) => {
      const { caption, location, tags } = Shown.parse(document);
      const isNew = imageId !== undefined && imageId !== document.imageId;
      return updatePost(context, viewer, {
        postId: document.$id,
        ...{ caption, location, tags: tags.join(',') },
        ...texts,
        ...(isNew ? { imageId } : {}),
      });
    },
  }),
  delete: { perMinute: 30, run: (context, viewer, { $id }) => deletePost(context, viewer, $id) },
};
