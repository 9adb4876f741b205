export { disbursementsByHand } from './admin-money.ts';
export { announceEnded, cancelRequest, endBannedRequests } from './cancel.ts';
export { awaitsAssignment } from './chargeback-booking.ts';
export { settleDecision } from './confirm.ts';
export { listConfirmations } from './confirmation.ts';
export { type JournalRange, journalLines, monthLines, trialBalanceLines } from './journal.ts';
export { readMovements } from './ledger.ts';
export { checkLedger, lastLedgerCheck, proveLedger } from './ledger-check.ts';
export { escrowRoutes, paymentRoutes } from './routes.ts';
export { settlement } from './settlement.ts';
export { exportStatement } from './statement.ts';
export {
  attempts,
  capturedPayments,
  chargebacks,
  disbursementAmounts,
  disbursements,
  ledgerChecks,
  ledgerEntries,
  ledgerTransfers,
  manualTransfers,
  moneyAlarms,
  providerEvents,
  providerReads,
  providerWebhooks,
  unassignedDisputes,
} from './tables.ts';
export { paymentTasks, startPayments } from './tasks.ts';
