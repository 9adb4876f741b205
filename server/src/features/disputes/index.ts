export { openDisputes, withoutAnswer } from './cases.ts';
export { findDisputes } from './read.ts';
export { disputeRoutes } from './routes.ts';
export { disputeMessages, disputePhotos, disputes, requestDecisions } from './tables.ts';
export { disputeTasks } from './tasks.ts';
