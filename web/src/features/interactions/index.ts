export { keepRequest } from './keep-request.ts';
export { nextStep } from './next-step.ts';
export { MoneyLine } from './RequestCard.tsx';
