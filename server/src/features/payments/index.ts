export { paymentRoutes } from './routes.ts';
export { startPayments } from './start.ts';
export { paymentTasks } from './tasks.ts';
