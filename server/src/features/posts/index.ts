export { feedStatement } from './read.ts';
export { postRoutes } from './routes.ts';
export { postLikes, posts, saves } from './tables.ts';
