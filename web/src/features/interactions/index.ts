export { DisputeLink } from './DisputeLink.tsx';
export { upsertInteraction } from './interaction-cache.ts';
export { MoneyLine } from './MoneyLine.tsx';
export { nextStep } from './next-step.ts';
