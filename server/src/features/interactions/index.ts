export { announceInteraction } from './announce.ts';
export { mayReadInteraction } from './policy.ts';
export { presentInteraction, presentSteps } from './present.ts';
export { readInteraction, requireInteraction } from './read.ts';
export { interactionRoutes } from './routes.ts';
export { findInteraction, selectInteractions } from './select.ts';
export { applyTransition, lockCreator, oneBooking, stepCondition, type Transition } from './steps.ts';
export { interactions, meetingProposals } from './tables.ts';
