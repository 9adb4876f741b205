import { partyOf } from '@tara/contract/interactions/interactions';
import { type NewReview, type Review, type ReviewChange, reviewCan } from '@tara/contract/plans/reviews';
import { parseTags } from '@tara/contract/posts/posts';
import { and, eq, getTableName, sql } from 'drizzle-orm';
import { type StoredRow, wholeRow } from '../../platform/database/columns.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { refuseTakenId } from '../../platform/database/constraint.ts';
import { type LastState, lastRow } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { attachFile, releaseFile } from '../files/index.ts';
import { announceInteraction, interactions, readInteraction, stepCondition } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { announceProfileChange } from '../profiles/index.ts';
import { announceComment, announceReview, announceTotalComments, type ReviewMembers } from './present.ts';
import { readReview, reviewVisibleTo } from './read.ts';
import { reviewComments, reviewPhotos, reviews } from './tables.ts';

/**
 * The client reviews a confirmed request, once (§4); whom and which plan it is about is read from the request.
 * @throws Problem `interaction_not_found`, `review_not_yet`, `review_already_written`, `interaction_not_allowed` for its
 * creator, `storage_file_not_found`, `document_already_exists` for an `id` that is taken.
 */
export async function createReview(
  platform: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  form: NewReview,
  id = newId(),
): Promise<Review> {
  const { database, bus } = platform;
  const written = await database.transaction(async (transaction) => {
    const [request] = await transaction
      .update(interactions)
      .set({ reviewSubmitted: true, updatedAt: sql`now()` })
      .where(and(eq(interactions.id, form.interactionId), stepCondition('review', viewer)))
      .returning({
        planId: interactions.planId,
        planTitle: interactions.planTitle,
        ownerId: interactions.creatorId,
      });
    if (!request) return false;
    await transaction
      .insert(reviews)
      .values({
        id,
        interactionId: form.interactionId,
        creatorId: viewer.profileId,
        ownerId: request.ownerId,
        planId: request.planId,
        caption: form.caption,
        location: form.location,
        stars: form.stars,
        tags: parseTags(form.tags),
      })
      .catch(refuseTakenId('reviews_pkey'));
    await setPhotos(transaction, viewer, id, form.imageIds);
    await notify(transaction, {
      event: 'review',
      to: { profileId: request.ownerId },
      recordId: id,
      actorId: viewer.profileId,
      details: { title: request.planTitle, stars: String(form.stars) },
    });
    return true;
  });
  if (!written) throw await refusal(database, viewer, form.interactionId);
  const review = await readReview(database, viewer, id);
  announceReview(bus, 'create', review);
  await announceProfileChange(platform, review.ownerId);
  await announceInteraction(platform, form.interactionId);
  return review;
}

async function refusal(database: Database, viewer: Viewer, id: string): Promise<Problem> {
  const request = await readInteraction(database, viewer, id);
  if (partyOf(request, viewer.accountId) !== 'client') {
    const verdict = request.can.review;
    return new Problem('interaction_not_allowed', verdict === true ? {} : { text: verdict });
  }
  return new Problem(request.reviewSubmitted ? 'review_already_written' : 'review_not_yet');
}

/**
 * Changes one's own review within 24 hours; it is marked as edited.
 * @throws Problem `review_not_found`, `user_unauthorized`, `review_edit_closed`, `storage_file_not_found`
 */
export async function updateReview(
  platform: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  { reviewId, caption, location, stars, tags, imageIds }: ReviewChange,
): Promise<Review> {
  const { review, isRatedAnew } = await platform.database.transaction(async (transaction) => {
    const [before] = await transaction
      .select({ creatorId: reviews.creatorId, createdAt: reviews.createdAt, stars: reviews.stars })
      .from(reviews)
      .where(and(eq(reviews.id, reviewId), reviewVisibleTo(viewer)))
      .for('update');
    if (!before) throw new Problem('review_not_found');
    const verdict = reviewCan.edit(viewer.profileId, before);
    if (verdict !== true) throw new Problem(verdict === 'user_unauthorized' ? verdict : 'review_edit_closed');
    await transaction
      .update(reviews)
      .set({ caption, location, stars, tags: parseTags(tags), editedAt: sql`now()`, updatedAt: sql`now()` })
      .where(eq(reviews.id, reviewId));
    await setPhotos(transaction, viewer, reviewId, imageIds);
    return {
      review: await readReview(transaction, viewer, reviewId),
      isRatedAnew: before.stars !== stars,
    };
  });
  announceReview(platform.bus, 'update', review);
  if (isRatedAnew) await announceProfileChange(platform, review.ownerId);
  return review;
}

type RemovedReview = ReviewMembers & { id: string; last: LastState };

interface RemovedComment {
  comment: { id: string; reviewId: string; creatorId: string };
  review: ReviewMembers & { id: string; totalComments: number };
  last: LastState;
}

/** Removes a review with its likes, comments and photos, for an admin; null when there is none. Announce it after the commit. */
export async function removeReview(transaction: Transaction, id: string): Promise<RemovedReview | null> {
  const photos = await removePhotos(transaction, id);
  const [removed] = await transaction
    .delete(reviews)
    .where(eq(reviews.id, id))
    .returning({
      id: reviews.id,
      creatorId: reviews.creatorId,
      ownerId: reviews.ownerId,
      row: wholeRow(reviews),
    });
  if (removed === undefined) return null;
  const { row, ...review } = removed;
  return { ...review, last: { ...lastRow(reviews, row), [getTableName(reviewPhotos)]: photos } };
}

/** Removes a comment on a review, for an admin; null when there is none. Announce it after the commit. */
export async function removeComment(transaction: Transaction, id: string): Promise<RemovedComment | null> {
  const [removed] = await transaction
    .delete(reviewComments)
    .where(eq(reviewComments.id, id))
    .returning({
      id: reviewComments.id,
      reviewId: reviewComments.reviewId,
      creatorId: reviewComments.creatorId,
      row: wholeRow(reviewComments),
    });
  if (removed === undefined) return null;
  const { row, ...comment } = removed;
  const [review] = await transaction
    .select({
      id: reviews.id,
      creatorId: reviews.creatorId,
      ownerId: reviews.ownerId,
      totalComments: reviews.totalComments,
    })
    .from(reviews)
    .where(eq(reviews.id, comment.reviewId));
  return review === undefined ? null : { comment, review, last: lastRow(reviewComments, row) };
}

/** Announces to every member that a comment is deleted, and how many the review has now. */
export function announceRemovedComment(
  bus: Platform['bus'],
  { comment, review, last }: RemovedComment,
): void {
  announceComment(bus, { change: 'delete', last }, comment, review);
  announceTotalComments(bus, review, review.totalComments);
}

/**
 * Gives a review these photos in this order, in the transaction that holds its row: new ones are the viewer's unused
 * uploads, and those that it had and are not named are given up.
 * @throws Problem `storage_file_not_found`
 */
async function setPhotos(
  transaction: Transaction,
  viewer: Viewer,
  reviewId: string,
  imageIds: readonly string[],
): Promise<void> {
  const before = await transaction
    .delete(reviewPhotos)
    .where(eq(reviewPhotos.reviewId, reviewId))
    .returning({ imageId: reviewPhotos.imageId });
  const former = new Set(before.map(({ imageId }) => imageId));
  const photos: (typeof reviewPhotos.$inferInsert)[] = [];
  for (const [position, id] of imageIds.entries()) {
    const imageId = former.delete(id) ? id : await attachPhoto(transaction, viewer, id);
    photos.push({ reviewId, position, imageId });
  }
  if (photos.length > 0) await transaction.insert(reviewPhotos).values(photos);
  for (const imageId of former) await releaseFile(transaction, imageId);
}

async function attachPhoto(transaction: Transaction, { accountId }: Viewer, id: string): Promise<string> {
  const photo = { id, ownerAccountId: accountId, bucket: 'images', field: 'imageIds' } as const;
  return (await attachFile(transaction, photo)).id;
}

/** Gives up the photos of a review that is removed; returns their rows. */
async function removePhotos(transaction: Transaction, reviewId: string): Promise<StoredRow[]> {
  const photos = await transaction
    .delete(reviewPhotos)
    .where(eq(reviewPhotos.reviewId, reviewId))
    .returning({ imageId: reviewPhotos.imageId, row: wholeRow(reviewPhotos) });
  for (const { imageId } of photos) await releaseFile(transaction, imageId);
  return photos.map(({ row }) => row);
}
