export { announceInteraction } from './announce.ts';
export { mayReadInteraction } from './policy.ts';
export { presentInteraction } from './present.ts';
export { readInteraction, requireInteraction } from './read.ts';
export { interactionRoutes } from './routes.ts';
export { findInteraction } from './select.ts';
export { stepCondition } from './steps.ts';
export { interactions } from './tables.ts';
