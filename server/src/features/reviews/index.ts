export { announceRemovedComment, announceRemovedReview, removeComment, removeReview } from './remove.ts';
export { reviewRoutes } from './routes.ts';
export { reviewComments, reviewLikes, reviews } from './tables.ts';
