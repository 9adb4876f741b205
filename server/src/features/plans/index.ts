export { planCan } from './policy.ts';
export { type ForemostPlan, foremostPlans, planListedFor, planVisibleTo } from './read.ts';
export { planRoutes } from './routes.ts';
export { planPhotos, planRequests, plans } from './tables.ts';
export { closePlan, closePlansAboveLimit, createPlan, reopenPlan, updatePlan } from './write.ts';
