export { keepRequest } from './keep-request.ts';
export { MoneyLine } from './MoneyLine.tsx';
export { nextStep } from './next-step.ts';
