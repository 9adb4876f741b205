import { pageSize } from '@tara/contract/limits';
import type { MessagesPage, Receipt, ReceiptMessage } from '@tara/contract/receipts';
import { and, asc, desc, eq, getTableColumns, gt, lt } from 'drizzle-orm';
import type { z } from 'zod';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns } from '../files/index.ts';
import { interactions } from '../interactions/index.ts';
import { hiddenName, memberCan } from '../visibility/index.ts';
import { isParty, isReachable } from './policy.ts';
import { presentMessage, presentReceipt } from './present.ts';
import { receiptMessages, receipts } from './tables.ts';

/** One's own chat. @throws Problem `receipt_not_found` for anybody else's, as for one that does not exist. */
export async function findReceipt(database: Database, viewer: Viewer, id: string): Promise<Receipt> {
  const [row] = await database
    .select({
      receipt: getTableColumns(receipts),
      stage: interactions.stage,
      hiddenName: hiddenName(receipts.creatorId, receipts.clientId),
    })
    .from(receipts)
    .innerJoin(interactions, eq(interactions.id, receipts.interactionId))
    .where(eq(receipts.id, id));
  const readable = row && isParty(viewer, row.receipt) && isReachable(row.stage, row.hiddenName !== null);
  if (!readable) throw new Problem('receipt_not_found');
  return presentReceipt(row.receipt, viewer.accountId, row.hiddenName !== null);
}

interface Span {
  /** Older than this sequence. */
  before?: number;
  /** Newer than this sequence. */
  after?: number;
  /** Of 10 messages (§7 'chat receipts 10'). */
  pages?: number;
}

/**
 * Messages of a chat that was found by `findReceipt`: those after a sequence oldest first, else newest first.
 * `hasMore` tells of what lies further in that direction.
 */
export async function listMessages(
  database: Database,
  viewer: Viewer,
  receipt: Receipt,
  { before, after, pages = 1 }: Span,
): Promise<z.infer<typeof MessagesPage>> {
  const size = pages * pageSize.receiptMessages;
  const rows = await database
    .select({ message: receiptMessages, picture: pictureColumns(files) })
    .from(receiptMessages)
    .leftJoin(files, eq(files.id, receiptMessages.imageId))
    .where(
      and(
        eq(receiptMessages.receiptId, receipt.id),
        before === undefined ? undefined : lt(receiptMessages.sequence, before),
        after === undefined ? undefined : gt(receiptMessages.sequence, after),
      ),
    )
    .orderBy(after === undefined ? desc(receiptMessages.sequence) : asc(receiptMessages.sequence))
    .limit(size + 1);
  const items = rows.slice(0, size).map(({ message, picture }) => {
    const shown = presentMessage(message, picture);
    return memberCan.see(viewer, shown.userId) ? shown : { ...shown, userId: '' };
  });
  return { items, hasMore: rows.length > size };
}

/** One message of one's own chat. @throws Problem `receipt_not_found` */
export async function findMessage(database: Database, viewer: Viewer, id: string): Promise<ReceiptMessage> {
  const [row] = await database
    .select({
      message: receiptMessages,
      picture: pictureColumns(files),
      creatorId: receipts.creatorId,
      clientId: receipts.clientId,
    })
    .from(receiptMessages)
    .innerJoin(receipts, eq(receipts.id, receiptMessages.receiptId))
    .leftJoin(files, eq(files.id, receiptMessages.imageId))
    .where(eq(receiptMessages.id, id));
  if (row === undefined || !isParty(viewer, row)) throw new Problem('receipt_not_found');
  return presentMessage(row.message, row.picture);
}
