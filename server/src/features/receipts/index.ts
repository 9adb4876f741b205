export { receiptTasks } from './lines.ts';
export { createReceipt } from './open.ts';
export { receiptRoutes } from './routes.ts';
export { receipts } from './tables.ts';
