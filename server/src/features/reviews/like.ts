import { and, eq, sql } from 'drizzle-orm';
import { compositeIds } from '../../platform/database/composite-id.ts';
import { refuseAs } from '../../platform/database/constraint.ts';
import { ownChange } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { announceTotals, type ReviewMembers } from './present.ts';
import { reviewVisibleTo } from './read.ts';
import { reviewLikes, reviews } from './tables.ts';

type ReviewContext = Pick<Platform, 'database' | 'bus'>;

/** Ids of likes of reviews. */
export const reviewLikeIds = compositeIds({
  table: reviewLikes,
  owner: reviewLikes.whoLiked,
  subject: reviewLikes.reviewId,
  index: 'review_likes_own_id',
});

interface ReviewLikes extends ReviewMembers {
  totalLikes: number;
  /** By the viewer. */
  liked: boolean;
}

/**
 * Likes a review; repeating it changes nothing. The total follows the row by a trigger in the same statement (decisions
 * §2). @throws Problem `review_not_found`
 */
export async function likeReview(
  context: ReviewContext,
  viewer: Viewer,
  reviewId: string,
): Promise<ReviewLikes> {
  const { profileId } = viewer;
  const statement = sql`insert into ${reviewLikes} (id, who_liked, review_id)
    select ${reviewLikeIds.make(profileId, reviewId)}, ${profileId}, ${reviews.id} from ${reviews}
    where ${and(eq(reviews.id, reviewId), reviewVisibleTo(viewer))}
    on conflict (who_liked, review_id) do nothing returning id`;
  const [added] = await reviewLikeIds
    .write(() => context.database.execute<{ id: string }>(statement))
    // Removed while it was being liked.
    .catch(refuseAs({ review_likes_review_id_fkey: 'review_not_found' }));
  const record = { collection: 'likedReviews', change: 'create' } as const;
  if (added) context.bus.publish('document', ownChange(viewer, { ...record, id: added.id }));
  return announceLikes(context, viewer, reviewId);
}

/** Removes a like; repeating it changes nothing. @throws Problem `review_not_found` */
export async function unlikeReview(
  context: ReviewContext,
  viewer: Viewer,
  reviewId: string,
): Promise<ReviewLikes> {
  const [gone] = await context.database
    .delete(reviewLikes)
    .where(and(eq(reviewLikes.whoLiked, viewer.profileId), eq(reviewLikes.reviewId, reviewId)))
    .returning({ id: reviewLikes.id });
  const record = { collection: 'likedReviews', change: 'delete' } as const;
  if (gone) context.bus.publish('document', ownChange(viewer, { ...record, id: gone.id }));
  return announceLikes(context, viewer, reviewId);
}

/** Reads the new total, and announces it to the others. */
async function announceLikes(context: ReviewContext, viewer: Viewer, id: string): Promise<ReviewLikes> {
  const likes = await countReviewLikes(context, viewer, id);
  const { totalLikes } = likes;
  announceTotals(context.bus, { ...likes, id }, { totalLikes });
  return likes;
}

/** The stored total, and whether the viewer is in it. @throws Problem `review_not_found` */
export async function countReviewLikes(
  { database }: Pick<ReviewContext, 'database'>,
  viewer: Viewer,
  reviewId: string,
): Promise<ReviewLikes> {
  const [likes] = await database
    .select({
      totalLikes: reviews.totalLikes,
      liked: sql<boolean>`${reviewLikes.reviewId} is not null`,
      creatorId: reviews.creatorId,
      ownerId: reviews.ownerId,
    })
    .from(reviews)
    .leftJoin(
      reviewLikes,
      and(eq(reviewLikes.whoLiked, viewer.profileId), eq(reviewLikes.reviewId, reviews.id)),
    )
    .where(and(eq(reviews.id, reviewId), reviewVisibleTo(viewer)));
  if (!likes) throw new Problem('review_not_found');
  return likes;
}
