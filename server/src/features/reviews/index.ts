export { announceRemovedComment, announceRemovedReview, removeComment, removeReview } from './remove.ts';
export { reviewRoutes } from './routes.ts';
export { reviewComments, reviewLikes, reviewPhotos, reviews } from './tables.ts';
