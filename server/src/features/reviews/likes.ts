import { tasks } from '../../platform/tasks.ts';
import { likeable } from '../likes/index.ts';
import { reviewLikes, reviews } from './tables.ts';

/** Likes of reviews. */
export const likeableReviews = likeable({
  collection: 'reviews',
  table: reviews,
  members: [reviews.creatorId, reviews.ownerId],
  likes: {
    collection: 'likedReviews',
    table: reviewLikes,
    subject: reviewLikes.reviewId,
    index: 'review_likes_own_id',
  },
  event: 'reviewLiked',
  task: tasks.notifyReviewLikes,
  problem: 'review_not_found',
});
