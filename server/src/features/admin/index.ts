export { adminRoutes } from './routes.ts';
export { adminTasks } from './tasks.ts';
