export { closePlan, reopenPlan } from './close.ts';
export { createPlan } from './create.ts';
export { isPlanCreator } from './policy.ts';
export { planListedFor, planVisibleTo } from './read.ts';
export { planRoutes } from './routes.ts';
export { planPhotos, planRequests, plans } from './tables.ts';
export { updatePlan } from './update.ts';
