export { interactions } from './tables.ts';
