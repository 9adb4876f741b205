import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { announceComment } from './announce.ts';
import { removePhotos } from './photos.ts';
import { reviewComments, reviews } from './tables.ts';

interface RemovedReview {
  id: string;
  creatorId: string;
  ownerId: string;
}

interface RemovedComment {
  comment: { id: string; reviewId: string; creatorId: string };
  review: { creatorId: string; ownerId: string };
}

/** Removes a review with its likes, comments and photos, for an admin; null when there is none. Announce it after the commit. */
export async function removeReview(transaction: Transaction, id: string): Promise<RemovedReview | null> {
  await removePhotos(transaction, id);
  const [removed] = await transaction.delete(reviews).where(eq(reviews.id, id)).returning({
    id: reviews.id,
    creatorId: reviews.creatorId,
    ownerId: reviews.ownerId,
  });
  return removed ?? null;
}

/** Removes a comment on a review, for an admin; null when there is none. Announce it after the commit. */
export async function removeComment(transaction: Transaction, id: string): Promise<RemovedComment | null> {
  const [comment] = await transaction.delete(reviewComments).where(eq(reviewComments.id, id)).returning({
    id: reviewComments.id,
    reviewId: reviewComments.reviewId,
    creatorId: reviewComments.creatorId,
  });
  if (comment === undefined) return null;
  const [review] = await transaction
    .select({ creatorId: reviews.creatorId, ownerId: reviews.ownerId })
    .from(reviews)
    .where(eq(reviews.id, comment.reviewId));
  return review === undefined ? null : { comment, review };
}

/** Announces to every member that a review is gone. */
export function announceRemovedReview(bus: Platform['bus'], { id, creatorId, ownerId }: RemovedReview): void {
  bus.publish('document', {
    collection: 'reviews',
    id,
    change: 'delete',
    document: { id, creatorId, ownerId },
    audience: 'members',
    owners: { profileIds: [creatorId, ownerId], authorId: creatorId },
  });
}

/** Announces to every member that a comment is gone. */
export function announceRemovedComment(bus: Platform['bus'], { comment, review }: RemovedComment): void {
  announceComment(bus, 'delete', comment, review);
}
