export { endByParty, isOpen, isParty, paidCentavos } from './conditions.ts';
export { createInteraction } from './create.ts';
export { meetingDetails } from './days.ts';
export { flagCondition, flagTime } from './flags.ts';
export { disputedPaymentText, foreignRefundText, heldBackStates, isHeldBack } from './held-back.ts';
export { awaitsAdmin, interactionListedFor, interactionSides, interactionVisibleTo } from './lists.ts';
export { needsNumberToPay } from './money.ts';
export { interactionCan, isPlanChatReadable } from './policy.ts';
export { presentInteraction, presentSteps } from './present.ts';
export {
  announceInteraction,
  findInteraction,
  type InteractionRow,
  readInteraction,
  requireInteraction,
  selectInteractionsById,
} from './read.ts';
export { interactionRoutes } from './routes.ts';
export {
  accept,
  adminRefusal,
  applyTransition,
  fulfil,
  lockCreator,
  oneBooking,
  putCardDown,
  sayMet,
  stepCondition,
  type Transition,
} from './steps.ts';
export {
  interactionLinks,
  interactionMoney,
  interactions,
  meetingProposals,
  requestDecisions,
} from './tables.ts';
export { waitingAt, waitingFor } from './waiting.ts';
