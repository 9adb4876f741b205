export { Tags } from './PostCard.tsx';
export { PostGrid, PostGridSkeletons } from './PostGrid.tsx';
export { addPost } from './post-cache.ts';
