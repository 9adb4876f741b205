import type { Receipt, ReceiptMessage } from '@tara/contract/receipts';
import { type PictureRow, presentPicture } from '../files/index.ts';
import type { receiptMessages, receipts } from './tables.ts';

type ReceiptRow = Omit<typeof receipts.$inferSelect, 'lastSequence' | 'updatedAt'>;
export type MessageRow = typeof receiptMessages.$inferSelect;

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

/** A message for the two members of its chat; `picture` is the joined file of its `imageId`. */
export function presentMessage(row: MessageRow, picture: PictureRow | null): ReceiptMessage {
  return {
    id: row.id,
    conversationReceiptId: row.receiptId,
    sequence: row.sequence,
    userId: row.userId,
    name: row.name,
    body: row.body,
    picture: picture && presentPicture(picture),
    clientKey: row.clientKey,
    createdAt: row.createdAt.toISOString(),
  };
}
