export { plans } from './tables.ts';
