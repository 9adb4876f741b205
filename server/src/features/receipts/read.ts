import type { Receipt } from '@tara/contract/messages/receipts';
import { eq, getTableColumns } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { interactions, isPlanChatReadable } from '../interactions/index.ts';
import { hiddenName } from '../visibility/index.ts';
import { receiptCan } from './policy.ts';
import { presentReceipt } from './present.ts';
import { receipts } from './tables.ts';

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
  const readable =
    row && receiptCan.read(viewer, row.receipt) && isPlanChatReadable(row.stage, row.hiddenName !== null);
  if (!readable) throw new Problem('receipt_not_found');
  return presentReceipt(row.receipt, viewer.accountId, row.hiddenName !== null);
}
