export { announceInteraction } from './announce.ts';
export { mayReadInteraction } from './policy.ts';
export { type InteractionRow, presentInteraction } from './present.ts';
export { readInteraction, requireInteraction } from './read.ts';
export { interactionRoutes } from './routes.ts';
export { findInteraction, selectInteractions } from './select.ts';
export { stepCondition } from './steps.ts';
export { interactions } from './tables.ts';
