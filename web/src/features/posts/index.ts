export { PostGrid, PostGridSkeletons } from './PostGrid.tsx';
export { addPost } from './post-cache.ts';
export { Tags } from './Tags.tsx';
