export { receiptIdOf } from './open.ts';
export { findMessage, findReceipt, listMessages } from './read.ts';
export { receiptRoutes } from './routes.ts';
export { receiptMessages, receipts } from './tables.ts';
