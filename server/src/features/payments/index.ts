export { paymentRoutes } from './routes.ts';
export {
  capturedPayments,
  ledgerChecks,
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
