export { bookCapture } from './capture.ts';
export { balanceOf, book, cash, escrow, heldFor, owedTo, payable } from './ledger.ts';
export { paymentRoutes } from './routes.ts';
export { startPayments } from './start.ts';
export { ledgerEntries, ledgerTransfers, payouts, refunds } from './tables.ts';
export { paymentTasks } from './tasks.ts';
