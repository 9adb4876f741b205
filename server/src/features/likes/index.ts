export { type Likeable, likeable } from './likes.ts';
export { likeRoutes } from './routes.ts';
