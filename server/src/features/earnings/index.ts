export { earningsRoutes } from './routes.ts';
