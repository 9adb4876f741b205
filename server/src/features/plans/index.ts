export { isPlanCreator } from './policy.ts';
export { planRoutes } from './routes.ts';
export { planPhotos, plans } from './tables.ts';
