export { presentReview, type ReviewRow } from './present.ts';
export { readReview, reviewsByOwner } from './read.ts';
export { reviewRoutes } from './routes.ts';
export { reviews } from './tables.ts';
