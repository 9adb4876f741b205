export { ReviewList, ReviewListSkeleton, reviewPages } from './ReviewList.tsx';
