export { audit } from './record.ts';
