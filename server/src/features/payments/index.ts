export { bookCapture } from './capture.ts';
export { balanceOf, heldFor, owedTo } from './ledger.ts';
export { paymentRoutes } from './routes.ts';
export { startPayments } from './start.ts';
export { ledgerEntries, ledgerTransfers, payouts, refunds } from './tables.ts';
export { paymentTasks } from './tasks.ts';
