export { personalDataRoutes, personalDataTasks } from './routes.ts';
