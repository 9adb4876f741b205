import type { Interaction } from '@tara/contract/interactions/interactions';
import { isSplit, type NewRequestDecision, splitRule } from '@tara/contract/money/disputes';
import { shareDetails } from '@tara/contract/notifications/facts';
import { and, eq, or, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/connect.ts';
import { retryBusy } from '../../platform/database/constraint.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import {
  adminRefusal,
  announceInteraction,
  interactions,
  requestDecisions,
  stepCondition,
} from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { settleDecision } from '../payments/index.ts';
import { announceProfileChange } from '../profiles/index.ts';
import type { DisputeContext } from './open.ts';

type Row = typeof interactions.$inferSelect;

/**
 * What goes back to the client. A request that its creator never accepted was never a plan of both: all of it.
 * @throws Problem `request_decision_not_possible`, `general_argument_invalid` for a part that is not one.
 */
function decidedRefund(row: Row, { outcome, refundCentavos = 0 }: NewRequestDecision): number {
  if (outcome === 'refund') return row.priceCentavos;
  if (row.acceptedAt === null) {
    throw new Problem('request_decision_not_possible', {
      text: 'The creator never accepted it: the money can only go back to the client.',
    });
  }
  if (outcome === 'release') return 0;
  if (!isSplit(refundCentavos, row.priceCentavos)) {
    throw new Problem('general_argument_invalid', { fields: { refundCentavos: splitRule } });
  }
  return refundCentavos;
}

const now = sql`now()`;

/** How the request ends: cancelled when all of it goes back, else completed. */
function ending(
  row: Row,
  admin: Viewer,
  { refundCentavos, note }: { refundCentavos: number; note: string },
): PgUpdateSetSource<typeof interactions> {
  if (refundCentavos === row.priceCentavos) {
    return { cancelledAt: now, cancelReason: 'refunded', cancelNote: note, refundCentavos, updatedAt: now };
  }
  return {
    userSetDoneAt: sql`coalesce(${interactions.userSetDoneAt}, now())`,
    adminSetDoneAt: now,
    completedAt: now,
    confirmedBy: admin.accountId,
    releasedCentavos: row.priceCentavos - refundCentavos,
    refundCentavos,
    updatedAt: now,
  };
}

/**
 * An admin decides about the money of a dispute, or of a request without an answer. State, ledger, payout and refund are
 * one transaction: of two decisions at once, or of a decision and a confirmation, one is made.
 * @throws Problem `interaction_not_found`, `admin_own_record`, `request_decision_not_possible` with the reason,
 * `general_argument_invalid`
 */
export async function decideRequest(
  context: DisputeContext,
  admin: Viewer,
  decision: NewRequestDecision,
): Promise<void> {
  const { interactionId, outcome, note } = decision;
  const decide = async (transaction: Transaction) => {
    const [row] = await transaction
      .select()
      .from(interactions)
      .where(
        and(
          eq(interactions.id, interactionId),
          or(stepCondition('decideDispute', admin), stepCondition('decideNoAnswer', admin)),
        ),
      )
      .for('update');
    if (!row) return null;
    const refundCentavos = decidedRefund(row, decision);
    const [request] = await transaction
      .update(interactions)
      .set(ending(row, admin, { refundCentavos, note }))
      .where(eq(interactions.id, interactionId))
      .returning();
    if (!request) throw new Error('the request that was locked is gone');
    await transaction.insert(requestDecisions).values({
      ...{ interactionId, outcome, refundCentavos, note, decidedBy: admin.accountId },
      occasion: row.disputedAt === null ? 'noAnswer' : 'dispute',
    });
    await settleDecision(transaction, request);
    const parts = { released: request.releasedCentavos, refunded: refundCentavos };
    await notify(transaction, {
      ...{ event: 'decided', interactionId, to: ['client', 'creator'] },
      details: {
        ...{ outcome, note, refunded: String(refundCentavos) },
        ...shareDetails(request.releasedCentavos, request.platformFeeBasisPoints),
      },
    });
    await audit(transaction, admin, {
      action: `request.${outcome}`,
      subject: `interaction:${interactionId}`,
      before: { stage: row.stage },
      after: { creatorId: request.creatorId, clientId: request.clientId, ...parts, note },
    });
    return request;
  };
  const decided = await retryBusy(() => context.database.transaction(decide));
  if (!decided) throw await refusal(context, admin, interactionId);
  await announceInteraction(context, interactionId);
  if (decided.completedAt === null) return;
  for (const id of [decided.creatorId, decided.clientId]) await announceProfileChange(context, id);
}

/** Why an admin cannot decide about a request. */
export async function refusal(
  { database }: Pick<DisputeContext, 'database'>,
  admin: Viewer,
  interactionId: string,
): Promise<Problem> {
  const type = 'request_decision_not_possible';
  const stepOf = ({ disputed }: Interaction) => (disputed ? 'decideDispute' : 'decideNoAnswer');
  const problem = await adminRefusal(database, admin, interactionId, stepOf, type);
  if (problem.type !== type) return problem;
  const isDecided = await database.$count(
    requestDecisions,
    eq(requestDecisions.interactionId, interactionId),
  );
  return isDecided > 0 ? new Problem(type, { text: 'This is already decided.' }) : problem;
}
