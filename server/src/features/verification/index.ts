export { verificationTasks } from './expire.ts';
export { verificationRoutes } from './routes.ts';
export { verifications } from './tables.ts';
