export { leave } from './leave.ts';
export { personalDataRoutes, personalDataTasks } from './routes.ts';
