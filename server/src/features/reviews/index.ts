export { commentListedFor, commentVisibleTo, createComment, deleteComment } from './comments.ts';
export { createReview } from './create.ts';
export { likeReview, reviewLikeId, unlikeReview } from './like.ts';
export { reviewListedFor, reviewVisibleTo } from './read.ts';
export { announceRemovedComment, announceRemovedReview, removeComment, removeReview } from './remove.ts';
export { reviewRoutes } from './routes.ts';
export { reviewComments, reviewLikes, reviewPhotos, reviews } from './tables.ts';
export { updateReview } from './update.ts';
