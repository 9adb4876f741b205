export { openDisputes, withoutAnswer } from './cases.ts';
export { findDisputes } from './read.ts';
export { disputeRoutes } from './routes.ts';
export { disputeMessages, disputePhotos, disputes } from './tables.ts';
export { disputeTasks } from './tasks.ts';
