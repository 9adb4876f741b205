export { isPlanCreator } from './policy.ts';
export { type PlanRow, presentPlan } from './present.ts';
export { planRoutes } from './routes.ts';
export { planColumns, selectPlans } from './select.ts';
export { plans } from './tables.ts';
