export { audit } from './record.ts';
export { auditLog } from './tables.ts';
