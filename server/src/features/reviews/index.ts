export { reviewRoutes } from './routes.ts';
export { reviewComments, reviewLikes, reviews } from './tables.ts';
