export { paymentRoutes } from './routes.ts';
export { paymentTasks, startPayments } from './tasks.ts';
