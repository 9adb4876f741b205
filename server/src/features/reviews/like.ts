import { and, eq, sql } from 'drizzle-orm';
import { refuseAs } from '../../platform/database/constraint.ts';
import { ownChange } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { announceTotals, type ReviewMembers } from './present.ts';
import { reviewVisibleTo } from './read.ts';
import { reviewLikes, reviews } from './tables.ts';

type ReviewContext = Pick<Platform, 'database' | 'bus'>;

/** The id of a like: the first 8 characters of the member's id and of the review's (§3). */
export const reviewLikeId = (profileId: string, reviewId: string) =>
  profileId.slice(0, 8) + reviewId.slice(0, 8);

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
  const id = reviewLikeId(profileId, reviewId);
  const added = await context.database
    .execute(sql`insert into ${reviewLikes} (id, who_liked, review_id)
      select ${id}, ${profileId}, ${reviews.id} from ${reviews}
      where ${and(eq(reviews.id, reviewId), reviewVisibleTo(viewer))}
      on conflict do nothing returning 1`)
    // Removed while it was being liked.
    .catch(refuseAs({ review_likes_review_id_fkey: 'review_not_found' }));
  const record = { collection: 'likedReviews', id } as const;
  if (added.length > 0) context.bus.publish('document', ownChange(viewer, { ...record, change: 'create' }));
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
