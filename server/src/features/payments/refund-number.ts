import type { Interaction } from '@tara/contract/interactions/interactions';
import { mobileNumber } from '@tara/contract/members/profiles';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import {
  announceInteraction,
  interactions,
  isOpen,
  presentInteraction,
  requireInteraction,
} from '../interactions/index.ts';
import { isOpenDisbursement } from './disbursements.ts';
import type { PaymentContext } from './provider.ts';
import { disbursements } from './tables.ts';

/**
 * The client names the number to which a refund goes that cannot go back the way it was paid. Before paying it can be
 * changed; afterwards it holds, unless a transfer to it was refused.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason.
 */
export async function setRefundNumber(
  context: Pick<PaymentContext, 'database' | 'bus'>,
  viewer: Viewer,
  { interactionId, number: written }: { interactionId: string; number: string },
): Promise<Interaction> {
  const number = mobileNumber(written);
  const row = await requireInteraction(context.database, viewer, interactionId);
  if (row.request.clientId !== viewer.profileId) throw refused('Only the client names this number.');
  const changed = await context.database.transaction(async (transaction) => {
    const awaitsNumber = and(
      ...[isOpenDisbursement, eq(disbursements.purpose, 'refund'), eq(disbursements.way, 'transfer')],
      isNull(disbursements.number),
    );
    const waiting = sql`(select from ${disbursements}
      where ${disbursements.interactionId} = ${interactions.id} and ${awaitsNumber})`;
    const [set] = await transaction
      .update(interactions)
      .set({ refundNumber: number, updatedAt: sql`now()` })
      .where(
        and(
          eq(interactions.id, interactionId),
          sql`${interactions.priceCentavos} > 0`,
          sql`(exists ${waiting} or (${isOpen()}
            and (${interactions.paidAt} is null or ${interactions.refundNumber} is null)))`,
        ),
      )
      .returning({ id: interactions.id });
    if (!set) return false;
    const sent = await transaction
      .update(disbursements)
      .set({ number, updatedAt: sql`now()` })
      .where(and(eq(disbursements.interactionId, interactionId), awaitsNumber))
      .returning({ disbursementId: disbursements.id });
    for (const job of sent) await tasks.disburse.enqueue(transaction, job);
    return true;
  });
  if (!changed) throw refused('No refund of this request waits for a number.');
  const stored = await announceInteraction(context, interactionId);
  if (!stored) throw new Problem('interaction_not_found');
  return presentInteraction(stored, viewer.accountId);
}

const refused = (text: string) => new Problem('interaction_not_allowed', { text });
