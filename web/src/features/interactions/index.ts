export { upsertInteraction } from './interaction-cache.ts';
export { nextStep } from './next-step.ts';
export { MoneyLine } from './RequestCard.tsx';
