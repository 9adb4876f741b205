import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { Review } from '@tara/contract/reviews';
import { and, eq, getTableColumns } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { keyset, presentPage, readCursor } from '../../platform/cursor.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns } from '../files/index.ts';
import { interactions } from '../interactions/index.ts';
import { personColumns, profiles } from '../profiles/index.ts';
import { contentVisibleTo, requireVisible, visibleTo } from '../visibility/index.ts';
import { presentReview } from './present.ts';
import { reviews } from './tables.ts';

const creator = alias(profiles, 'creator');
const creatorPicture = alias(files, 'creator_picture');
const owner = alias(profiles, 'owner');
const ownerPicture = alias(files, 'owner_picture');
const picture = alias(files, 'picture');

/** Reviews with who wrote them, whom they are about, and their pictures, in one statement. */
const selectReviews = (database: Database | Transaction) =>
  database
    .select({
      review: getTableColumns(reviews),
      planTitle: interactions.planTitle,
      creator: personColumns(creator),
      creatorPicture: pictureColumns(creatorPicture),
      owner: personColumns(owner),
      ownerPicture: pictureColumns(ownerPicture),
      picture: pictureColumns(picture),
    })
    .from(reviews)
    .innerJoin(interactions, eq(interactions.id, reviews.interactionId))
    .innerJoin(creator, eq(creator.id, reviews.creatorId))
    .innerJoin(owner, eq(owner.id, reviews.ownerId))
    .leftJoin(creatorPicture, eq(creatorPicture.id, creator.imageId))
    .leftJoin(ownerPicture, eq(ownerPicture.id, owner.imageId))
    .leftJoin(picture, eq(picture.id, reviews.imageId))
    .$dynamic();

/** One review; reviews are readable by every member (decisions §2). @throws Problem `review_not_found`. */
export async function readReview(database: Database, id: string): Promise<Review> {
  const [row] = await selectReviews(database).where(eq(reviews.id, id));
  if (!row) throw new Problem('review_not_found');
  return presentReview(row);
}

/** One review as the viewer may see it. @throws Problem `review_not_found`, also of or about a hidden member. */
export async function getReview(database: Database, viewer: Viewer, id: string): Promise<Review> {
  const review = await readReview(database, id);
  for (const profileId of [review.creatorId, review.ownerId])
    requireVisible(viewer, profileId, 'review_not_found');
  return review;
}

/** The reviews about one member, newest first, 10 a page (§7). @throws Problem `general_cursor_not_found`. */
export async function reviewsByOwner(
  database: Database,
  viewer: Viewer,
  ownerId: string,
  cursor: string | undefined,
): Promise<PageOf<Review>> {
  const { where, orderBy } = keyset(reviews.createdAt, reviews.id, readCursor(cursor), 'desc');
  const rows = await selectReviews(database)
    .where(
      and(
        eq(reviews.ownerId, ownerId),
        visibleTo(viewer, reviews.ownerId),
        contentVisibleTo(viewer, reviews.creatorId),
        where,
      ),
    )
    .orderBy(...orderBy)
    .limit(pageSize.reviews + 1);
  return presentPage(rows, pageSize.reviews, presentReview, ({ review }) => ({
    at: review.createdAt,
    id: review.id,
  }));
}
