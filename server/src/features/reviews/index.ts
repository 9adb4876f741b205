export { commentListedFor, commentVisibleTo, createComment, deleteComment } from './comments.ts';
export { likeableReviews } from './likes.ts';
export { announceRemovedReview } from './present.ts';
export { reviewListedFor, reviewVisibleTo } from './read.ts';
export { reviewRoutes } from './routes.ts';
export { reviewComments, reviewLikes, reviewPhotos, reviews } from './tables.ts';
export { reviewTasks } from './tasks.ts';
export {
  announceRemovedComment,
  createReview,
  removeComment,
  removeReview,
  updateReview,
} from './write.ts';
