import { channel } from '@tara/contract/realtime';
import type { Receipt, ReceiptMessage } from '@tara/contract/receipts';
import { noOwners } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';

/** Tells both members of a stored message: as a document of its own, and on the channel of its chat (§7 'Realtime'). */
export function announceMessage(
  bus: Platform['bus'],
  message: ReceiptMessage,
  audience: readonly string[],
): void {
  bus.publish('document', {
    collection: 'chatReceipts',
    id: message.id,
    change: 'create',
    document: { ...message },
    audience,
    owners: noOwners,
    alsoOn: [channel.document('conversationReceipts', message.conversationReceiptId)],
  });
}

/** Tells both members that their chat is open. */
export function announceReceipt(bus: Platform['bus'], receipt: Receipt): void {
  bus.publish('document', {
    collection: 'conversationReceipts',
    id: receipt.id,
    change: 'create',
    document: { ...receipt },
    audience: [receipt.creatorAccountId, receipt.clientAccountId],
    owners: noOwners,
  });
}
