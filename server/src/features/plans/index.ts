export { isPlanCreator } from './policy.ts';
export { planRoutes } from './routes.ts';
export { plans } from './tables.ts';
