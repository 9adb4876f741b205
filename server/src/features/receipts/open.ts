import type { Receipt } from '@tara/contract/messages/receipts';
import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { noOwners } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newReferenceNumber } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { hidesReadMarks, lockPair } from '../conversations/index.ts';
import {
  announceInteraction,
  findInteraction,
  interactionCan,
  interactions,
  presentInteraction,
} from '../interactions/index.ts';
import { openChat } from '../messages/index.ts';
import { storeFirstLines } from './lines.ts';
import { presentReceipt } from './present.ts';
import { receipts } from './tables.ts';

/** First 5 characters of each member's id and the reference number (§3), which alone makes it unique. */
export const receiptIdOf = (creatorId: string, clientId: string, referenceNumber: string) =>
  creatorId.slice(0, 5) + clientId.slice(0, 5) + referenceNumber;

interface OpenedReceipt {
  /** As the one who opened it sees it. */
  receipt: Receipt;
  /** Its members are hidden from each other: they learn of it from their request alone. */
  blocked: boolean;
}

/**
 * Opens the chat of a paid request, once, for either of its members (§4); it begins with what Tara says of the payment. The request stays locked until the
 * transaction ends, so that of two at once the second finds the chat open.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason.
 */
async function openReceipt(
  transaction: Transaction,
  viewer: Viewer,
  interactionId: string,
): Promise<OpenedReceipt> {
  const where = eq(interactions.id, interactionId);
  const [locked] = await transaction
    .select({
      completedAt: interactions.completedAt,
      creatorId: interactions.creatorId,
      clientId: interactions.clientId,
    })
    .from(interactions)
    .where(where)
    .for('update');
  // A block at the same time waits for the chat, which it then stops, or the chat for the block.
  if (locked) await lockPair(transaction, locked.creatorId, locked.clientId);
  const request = await findInteraction(transaction, interactionId);
  if (request === null) throw new Problem('interaction_not_found');
  const state = presentInteraction(request, viewer.accountId);
  if (!interactionCan.read(viewer, state)) throw new Problem('interaction_not_found');
  const verdict = state.can.openReceipt;
  if (verdict !== true) throw new Problem('interaction_not_allowed', { text: verdict });
  const creatorId = request.creator.id;
  const clientId = request.client.id;
  const [row] = await transaction
    .insert(receipts)
    .values({
      id: receiptIdOf(creatorId, clientId, state.referenceNumber ?? newReferenceNumber()),
      interactionId,
      creatorId,
      clientId,
      creatorAccountId: request.creator.accountId,
      clientAccountId: request.client.accountId,
    })
    .returning();
  if (row === undefined) throw new Error('An inserted receipt was not returned.');
  await openChat(transaction, {
    ...{ id: row.id, kind: 'receipt', expiresAt: null, awaitsId: null },
    closedAt: locked?.completedAt ?? null,
    blocked: state.blocked,
    hidesRead: await hidesReadMarks(transaction, [creatorId, clientId]),
    first: { id: creatorId, accountId: row.creatorAccountId },
    second: { id: clientId, accountId: row.clientAccountId },
  });
  await storeFirstLines(transaction, row.id, interactionId);
  // Those of a transaction at the same time, which found no chat to write them into.
  await tasks.writePlanChatLines.enqueue(transaction, { interactionId });
  const blocked = state.blocked;
  return { receipt: presentReceipt(row, viewer.accountId, blocked), blocked };
}

/** Announces to both members that their chat is open. */
function announceReceipt(bus: Platform['bus'], receipt: Receipt): void {
  bus.publish('document', {
    collection: 'conversationReceipts',
    id: receipt.id,
    change: 'create',
    document: { ...receipt },
    audience: [receipt.creatorAccountId, receipt.clientAccountId],
    owners: noOwners,
  });
}

/** Opens the chat of a paid request (`openReceipt`), and announces it to both members. */
export async function createReceipt(
  platform: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  interactionId: string,
): Promise<Receipt> {
  const { receipt, blocked } = await platform.database.transaction((transaction) =>
    openReceipt(transaction, viewer, interactionId),
  );
  if (!blocked) announceReceipt(platform.bus, receipt);
  await announceInteraction(platform, receipt.interactionId);
  return receipt;
}
