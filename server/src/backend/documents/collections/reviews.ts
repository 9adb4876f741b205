import { tooLong } from '@tara/contract/fields';
import { tagsLength } from '@tara/contract/limits';
import { NewReview, NewReviewComment, ReviewChange } from '@tara/contract/plans/reviews';
import { eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as z from 'zod';
import { profiles } from '../../../features/profiles/index.ts';
import {
  commentListedFor,
  reviewComments as comments,
  commentVisibleTo,
  createComment,
  createReview,
  deleteComment,
  likeableReviews,
  reviewListedFor,
  reviewPhotos,
  reviewVisibleTo,
  reviews as table,
  updateReview,
} from '../../../features/reviews/index.ts';
import { validate } from '../../../platform/http/validation.ts';
import { Problem } from '../../../platform/problem.ts';
import {
  attribute,
  type Collection,
  change,
  creation,
  derivedByServer,
  grants,
  recordOf,
  texts,
} from '../collection.ts';
import { likeCollection } from './likes.ts';
import { person } from './people.ts';
import { planRelation } from './plans.ts';

const creator = alias(profiles, 'creator');
const photos = sql`from ${reviewPhotos} where ${reviewPhotos.reviewId} = ${table.id}`;
const firstPhoto = sql<string | null>`(select ${reviewPhotos.imageId} ${photos}
  order by ${reviewPhotos.position} limit 1)`;

/** A list as documents have it, or separated by commas as forms do. */
const tags = z
  .union([z.array(z.string()), z.string()], 'Must be a list of texts.')
  .transform((sent) => (Array.isArray(sent) ? sent.join(',') : sent))
  .pipe(z.string().max(tagsLength, tooLong(tagsLength)))
  .optional();

const PhotoIds = z.array(z.string()).max(100);

/** What §3 has beside the list: `imageId` is one photo or several, empty for none. */
const photoNames = {
  imageId: z
    .union([PhotoIds, z.string(), z.null()], 'Must be an id or a list of ids.')
    .transform((sent) => (Array.isArray(sent) ? sent : [sent ?? ''].filter((id) => id !== '')))
    .optional(),
  imageUrl: derivedByServer,
};

/** The photos that a writer names by `imageIds`, by `imageId`, or by both, `imageId` having the first of `imageIds`. @throws Problem `document_invalid_structure` */
function photosOf(imageId: string[] = [], imageIds?: string[]): string[] {
  if (imageIds === undefined || imageIds.length === 0) return imageId;
  if (imageId.every((id, index) => id === imageIds[index])) return imageIds;
  throw new Problem('document_invalid_structure', {
    fields: { imageId: 'Must be the first photos of imageIds.' },
  });
}

/** What is not sent stays: without the defaults of the form. */
const { reviewId: _reviewId, ...changeable } = {
  ...ReviewChange.shape,
  ...photoNames,
  tags,
  imageIds: PhotoIds,
};
/** What a change goes on from. */
const Shown = z.object(ReviewChange.shape);
/** The photos of a creation, as the form has them. */
const Photos = z.object({ imageIds: NewReview.shape.imageIds });

/** Reviews (§3), each of one confirmed request. */
export const reviews: Collection = {
  source: {
    collectionId: 'reviews',
    ...recordOf(table),
    parties: [creator.accountId],
    permissions: ([author = '']) => [grants.readByMembers, grants.updateBy(author)],
    attributes: {
      creator: person(table.creatorId, 'creator', { indexed: true }),
      creatorId: attribute('string', table.creatorId, { indexed: true }),
      owner: person(table.ownerId, 'owner', { indexed: true }),
      ownerId: attribute('string', table.ownerId, { indexed: true }),
      plan: planRelation(table.planId, 'plan'),
      planId: attribute('string', table.planId, { indexed: true }),
      caption: attribute('string', table.caption),
      imageId: attribute('string', firstPhoto),
      imageUrl: {
        ...attribute('string', firstPhoto),
        present: ([id], { pictures }) => (id === null ? null : pictures.stored('images', String(id))),
      },
      imageIds: texts(
        sql`(select json_agg(${reviewPhotos.imageId} order by ${reviewPhotos.position}) ${photos})`,
      ),
      location: attribute('string', table.location),
      stars: attribute('integer', table.stars),
      tags: attribute('strings', table.tags),
      totalLikes: attribute('integer', table.totalLikes),
      totalComments: attribute('integer', table.totalComments),
    },
  },
  readable: { list: reviewListedFor, one: reviewVisibleTo },
  announced: true,
  create: creation({
    fields: z.strictObject({ ...NewReview.shape, ...photoNames, tags }),
    sets: ({ profileId }) => ({ creator: profileId, creatorId: profileId, totalLikes: 0, totalComments: 0 }),
    relatedSets: async ({ interactionId }, read) => {
      const { creator, plan, planId } = await read('planInteractions', interactionId);
      return { owner: creator, ownerId: Object(creator).$id, plan, planId };
    },
    run: async (context, viewer, { data: { imageId, imageUrl: _derived, ...sent }, documentId }) => {
      const photos = validate(Photos, 'data', { imageIds: photosOf(imageId, sent.imageIds) });
      const form = { ...sent, ...photos, tags: sent.tags ?? '' };
      return (await createReview(context, viewer, form, documentId ?? undefined)).id;
    },
    perMinute: 30,
  }),
  update: change({
    fields: z.strictObject(changeable).partial(),
    run: async (context, viewer, { data: { imageId, imageIds, ...data }, document }) => {
      const isSame = imageId === undefined && imageIds === undefined;
      const photos = isSame ? {} : { imageIds: photosOf(imageId, imageIds) };
      const form = { ...document, tags: String(document.tags), ...data, ...photos, reviewId: document.$id };
      await updateReview(context, viewer, validate(Shown, 'data', form));
    },
    perMinute: 30,
  }),
};

/** Likes of reviews. */
export const likedReviews = likeCollection(likeableReviews, 'reviewId');

const writer = alias(profiles, 'creator');

/** Comments on reviews (§3), which every member may write (§6). */
export const reviewComments: Collection = {
  source: {
    collectionId: 'reviewComments',
    ...recordOf(comments),
    joins: [{ table, on: eq(table.id, comments.reviewId) }],
    parties: [writer.accountId],
    permissions: ([author = '']) => [grants.readByMembers, grants.deleteBy(author)],
    attributes: {
      reviewId: attribute('string', comments.reviewId, { indexed: true }),
      creator: person(comments.creatorId, 'creator', { indexed: true }),
      creatorId: attribute('string', comments.creatorId, { indexed: true }),
      body: attribute('string', comments.body),
    },
  },
  readable: { list: commentListedFor, one: commentVisibleTo },
  announced: true,
  create: creation({
    fields: z.strictObject({ reviewId: NewReviewComment.shape.reviewId, body: NewReviewComment.shape.body }),
    sets: ({ profileId, accountId }) => ({
      ...{ creator: profileId, creatorId: profileId, creatorAccountId: accountId },
    }),
    run: async (context, viewer, { data, documentId }) => {
      const { comment } = await createComment(context, viewer, data, documentId ?? undefined);
      return comment.id;
    },
    perMinute: 30,
  }),
  delete: {
    run: (context, viewer, { $id }) => deleteComment(context, viewer, $id),
    perMinute: 30,
  },
};
