export { PostGrid, PostGridSkeletons } from './PostGrid.tsx';
export { addPost, withoutDoubles } from './post-cache.ts';
