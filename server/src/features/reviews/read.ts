import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { Review } from '@tara/contract/plans/reviews';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { readPage } from '../../platform/cursor.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns, picturesOf } from '../files/index.ts';
import { interactions } from '../interactions/index.ts';
import { personColumns, profiles } from '../profiles/index.ts';
import { contentVisibleTo, visibleTo } from '../visibility/index.ts';
import { likeableReviews } from './likes.ts';
import { presentReview } from './present.ts';
import { reviewLikes, reviewPhotos, reviews } from './tables.ts';

const creator = alias(profiles, 'creator');
const creatorPicture = alias(files, 'creator_picture');
const owner = alias(profiles, 'owner');
const ownerPicture = alias(files, 'owner_picture');

/** The photos of a review in their order. */
const photos = picturesOf(reviewPhotos, eq(reviewPhotos.reviewId, reviews.id));

/** Reviews with their members and pictures, and whether the viewer likes them, in one statement. */
const selectReviews = (database: Database | Transaction, viewer: Viewer) =>
  database
    .select({
      review: getTableColumns(reviews),
      planTitle: interactions.planTitle,
      creator: personColumns(creator),
      creatorPicture: pictureColumns(creatorPicture),
      owner: personColumns(owner),
      ownerPicture: pictureColumns(ownerPicture),
      photos,
      liked: sql<boolean>`${reviewLikes.reviewId} is not null`,
    })
    .from(reviews)
    .innerJoin(interactions, eq(interactions.id, reviews.interactionId))
    .innerJoin(creator, eq(creator.id, reviews.creatorId))
    .innerJoin(owner, eq(owner.id, reviews.ownerId))
    .leftJoin(creatorPicture, eq(creatorPicture.id, creator.imageId))
    .leftJoin(ownerPicture, eq(ownerPicture.id, owner.imageId))
    .leftJoin(reviewLikes, likeableReviews.likedBy(viewer.profileId))
    .$dynamic();

/** A review as `presentReview` takes it. */
export type ReviewRow = Awaited<ReturnType<typeof selectReviews>>[number];

/** Neither of the two members of a review is hidden from the viewer. */
export const reviewVisibleTo = (viewer: Viewer) => visibleTo(viewer, reviews.creatorId, reviews.ownerId);

/** The condition of lists of reviews: besides, the viewer muted not its writer. */
export const reviewListedFor = (viewer: Viewer) =>
  and(visibleTo(viewer, reviews.ownerId), contentVisibleTo(viewer, reviews.creatorId));

function only([row]: ReviewRow[]): Review {
  if (!row) throw new Problem('review_not_found');
  return presentReview(row);
}

/**
 * One review, without regard to blocks: for its author's own step and for events. @throws Problem `review_not_found`.
 */
export const readReview = async (database: Database | Transaction, viewer: Viewer, id: string) =>
  only(await selectReviews(database, viewer).where(eq(reviews.id, id)));

/** One review as the viewer may see it. @throws Problem `review_not_found`, also of or about a hidden member. */
export const getReview = async (database: Database, viewer: Viewer, id: string) =>
  only(await selectReviews(database, viewer).where(and(eq(reviews.id, id), reviewVisibleTo(viewer))));

/** The reviews about one member, newest first, 10 a page (§7). @throws Problem `general_cursor_not_found`. */
export async function reviewsByOwner(
  database: Database,
  viewer: Viewer,
  ownerId: string,
  cursor: string | undefined,
): Promise<PageOf<Review>> {
  return readPage(cursor, {
    size: pageSize.reviews,
    sortedBy: { time: reviews.createdAt, id: reviews.id },
    query: selectReviews(database, viewer),
    where: and(eq(reviews.ownerId, ownerId), reviewListedFor(viewer)),
    present: presentReview,
    toCursor: ({ review }) => ({ at: review.createdAt, id: review.id }),
  });
}
