export { createReceipt } from './open.ts';
export { isParty, isReachable } from './policy.ts';
export { receiptRoutes } from './routes.ts';
export { receipts } from './tables.ts';
