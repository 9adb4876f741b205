export { paymentRoutes } from './routes.ts';
export {
  capturedPayments,
  ledgerEntries,
  ledgerTransfers,
  payoutAttempts,
  payouts,
  providerEvents,
  providerWebhooks,
  refunds,
  unreadDeliveries,
} from './tables.ts';
export { paymentTasks, startPayments } from './tasks.ts';
