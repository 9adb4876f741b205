import type { Interaction } from '@tara/contract/interactions/interactions';
import { steps } from '@tara/contract/interactions/steps';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import {
  announceInteraction,
  applyTransition,
  endByParty,
  interactions,
  paidCentavos,
  type Transition,
} from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { oweRefund } from './disbursements.ts';
import type { PaymentContext } from './provider.ts';

/** The client withdraws, the creator declines or cancels: what was paid goes back in full, an unpaid link is closed. */
const end = (note: string): Transition => ({
  steps: ['withdraw', 'decline', 'cancel'],
  set: (viewer) => ({
    ...endByParty(viewer),
    cancelNote: note,
    refundCentavos: paidCentavos,
  }),
  also: async (transaction, request) => {
    const { id: interactionId, refundCentavos } = request;
    if (refundCentavos > 0) await oweRefund(transaction, request, refundCentavos);
    else await tasks.archivePaymentLink.enqueue(transaction, { interactionId });
    const to = request.cancelledBy === request.clientId ? 'creator' : 'client';
    const details = { reason: request.cancelReason ?? '', note };
    await notify(transaction, { event: 'cancelled', interactionId, to: [to], details });
  },
});

/**
 * Ends a request by one of its parties (§4, §7 'cancel friend requests').
 * @param note why, for the other side; empty when not said.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason.
 */
export const cancelRequest = (
  context: Pick<PaymentContext, 'database' | 'bus'>,
  viewer: Viewer,
  { interactionId, note }: { interactionId: string; note: string },
): Promise<Interaction> => applyTransition(context, viewer, interactionId, end(note));

/**
 * Ends the unfulfilled requests for the plans of a member who is banned, in that transaction: what was paid goes back in
 * full, unpaid links are closed. Disputed ones and those of a disputed payment are decided on their own.
 * @returns their ids, to be announced after the commit (`announceEnded`).
 */
export async function endBannedRequests(transaction: Transaction, creatorId: string): Promise<string[]> {
  const ended = await transaction
    .update(interactions)
    .set({
      cancelledAt: sql`now()`,
      cancelReason: 'removed',
      refundCentavos: paidCentavos,
      updatedAt: sql`now()`,
    })
    .where(
      and(
        eq(interactions.creatorId, creatorId),
        inArray(interactions.stage, [...steps.withdraw.from]),
        isNull(interactions.frozenAt),
      ),
    )
    .returning();
  for (const request of ended) {
    const { id: interactionId, refundCentavos } = request;
    if (refundCentavos > 0) await oweRefund(transaction, request, refundCentavos);
    else await tasks.archivePaymentLink.enqueue(transaction, { interactionId });
    const details = { reason: 'removed' };
    await notify(transaction, { event: 'cancelled', interactionId, to: ['client'], details });
  }
  return ended.map(({ id }) => id);
}

/** Announces the requests that ended with a ban to both parties. */
export async function announceEnded(
  context: Pick<Platform, 'database' | 'bus'>,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) await announceInteraction(context, id);
}
