import { parseTags } from '@tara/contract/posts';
import { type Review, type ReviewChange, reviewCan } from '@tara/contract/reviews';
import { and, eq, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { announceProfileChange } from '../profiles/index.ts';
import { announceReview } from './announce.ts';
import { setPhotos } from './photos.ts';
import { readReview, reviewVisibleTo } from './read.ts';
import { reviews } from './tables.ts';

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
