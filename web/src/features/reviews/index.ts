export { ReviewList } from './ReviewList.tsx';
export { reviewPages } from './review-cache.ts';
