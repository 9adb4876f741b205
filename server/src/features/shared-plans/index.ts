export { sharedPlanRoutes } from './routes.ts';
export { sharedPlans } from './tables.ts';
