export { receiptTasks } from './lines.ts';
export { createReceipt, receiptIdOf } from './open.ts';
export { receiptRoutes } from './routes.ts';
export { receipts } from './tables.ts';
