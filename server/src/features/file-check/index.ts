export { checkStore, type StoreCheck } from './check.ts';
