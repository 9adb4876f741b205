import type { Receipt } from '@tara/contract/messages/receipts';
import type { receipts } from './tables.ts';

type ReceiptRow = typeof receipts.$inferSelect;

/** A per-plan chat for one of its members; `convoId` is its own id (§3). `blocked` hides whose the other account is. */
export function presentReceipt(row: ReceiptRow, readerAccountId: string, blocked: boolean): Receipt {
  const shown = (accountId: string) => (blocked && accountId !== readerAccountId ? '' : accountId);
  return {
    id: row.id,
    convoId: row.id,
    interactionId: row.interactionId,
    creatorAccountId: shown(row.creatorAccountId),
    clientAccountId: shown(row.clientAccountId),
    createdAt: row.createdAt.toISOString(),
  };
}
