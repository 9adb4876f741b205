export { likeablePosts } from './likes.ts';
export { announceRemovedPost } from './present.ts';
export { type ForemostPost, feedStatement, foremostPosts } from './read.ts';
export { postRoutes } from './routes.ts';
export { saveIds, savePost, unsavePost } from './save.ts';
export { describePostPage } from './shared.ts';
export { postLikes, postPopularity, postSearch, posts, saves } from './tables.ts';
export { postTasks } from './tasks.ts';
export { createPost, createQuickPost, deletePost, removePost, updatePost } from './write.ts';
