export { reportRoutes } from './routes.ts';
export { reports } from './tables.ts';
