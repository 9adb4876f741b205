export { receiptRoutes } from './routes.ts';
export { receiptMessages, receipts } from './tables.ts';
