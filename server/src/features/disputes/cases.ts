import { steps } from '@tara/contract/interactions/steps';
import { pageSize } from '@tara/contract/limits';
import type { MessagesPage } from '@tara/contract/messages/messages';
import type { Chargeback, RequestCase } from '@tara/contract/money/disputes';
import type { PageOf } from '@tara/contract/page';
import { pesos } from '@tara/contract/plans/plans';
import { and, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import {
  flagCondition,
  interactions,
  isOpen,
  presentInteraction,
  presentSteps,
  selectInteractionsById,
} from '../interactions/index.ts';
import { inspectPlanChat } from '../messages/index.ts';
import { chargebacks } from '../payments/index.ts';
import { refusal } from './decide.ts';
import { findDisputes } from './read.ts';

/** Requests whose dispute waits for an admin. */
export const openDisputes = (): SQL | undefined =>
  and(
    isNotNull(interactions.disputedAt),
    isOpen(),
    inArray(interactions.stage, [...steps.decideDispute.from]),
  );

/** Paid requests whose client did not say within a week of the plan's day whether they met. */
export const withoutAnswer = (): SQL | undefined =>
  and(
    isNull(interactions.userSetDoneAt),
    isOpen(),
    inArray(interactions.stage, [...steps.decideNoAnswer.from]),
    gt(interactions.priceCentavos, 0),
    flagCondition('weekPassed', true),
  );

const lists = {
  disputes: { condition: openDisputes, time: 'disputedAt' },
  noAnswer: { condition: withoutAnswer, time: 'dayStartsAt' },
} as const;

/** A list of requests whose money waits for a decision, oldest first, 20 a page. */
export async function requestCases(
  database: Database,
  viewer: Viewer,
  list: keyof typeof lists,
  cursor: string | undefined,
): Promise<PageOf<RequestCase>> {
  const { condition, time } = lists[list];
  return readPage(cursor, {
    size: pageSize.admin,
    sortedBy: { time: interactions[time], id: interactions.id, order: 'asc' },
    async read({ where, orderBy, limit }) {
      const ids = database
        .select({ id: interactions.id })
        .from(interactions)
        .where(and(condition(), where))
        .orderBy(...orderBy)
        .limit(limit);
      const rows = await selectInteractionsById(database, ids).orderBy(...orderBy);
      const disputes = await findDisputes(
        database,
        rows.flatMap(({ request }) => (request.disputedAt ? request.id : [])),
      );
      return rows.map((row) => ({ ...row, dispute: disputes.get(row.request.id) ?? null }));
    },
    present: ({ dispute, ...row }) => ({
      id: row.request.id,
      request: presentInteraction(row, viewer.accountId),
      steps: presentSteps(row),
      terms: row.request.terms,
      dispute,
    }),
    toCursor: ({ request }) => ({ at: request[time] ?? request.createdAt, id: request.id }),
  });
}

/** Payments that the card issuer disputes or took back, newest first, 20 a page: each with the evidence for Tara. */
export async function listChargebacks(
  database: Database,
  viewer: Viewer,
  cursor: string | undefined,
): Promise<PageOf<Chargeback>> {
  const { items, next } = await readPage(cursor, {
    size: pageSize.admin,
    sortedBy: { time: chargebacks.createdAt, id: chargebacks.id },
    async read({ where, orderBy, limit }) {
      const rows = await database
        .select()
        .from(chargebacks)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit);
      const ids = rows.map(({ id }) => id);
      const requestRows = await selectInteractionsById(
        database,
        database
          .select({ id: chargebacks.interactionId })
          .from(chargebacks)
          .where(inArray(chargebacks.id, ids)),
      );
      const requests = new Map(
        requestRows.map((row) => [
          row.request.id,
          { request: presentInteraction(row, viewer.accountId), steps: presentSteps(row) },
        ]),
      );
      return rows.map((row) => ({ ...row, of: requests.get(row.interactionId) }));
    },
    present: ({ of, ...row }) => {
      const { evidence, fromEscrowCentavos, fromPayableCentavos } = row;
      return of === undefined
        ? []
        : {
            ...{ ...of, id: row.id, paymentId: row.paymentId, reason: row.reason, state: row.state },
            ...{ terms: evidence.terms, amount: pesos(row.amountCentavos) },
            frozen: row.state === 'open' ? pesos(fromEscrowCentavos + fromPayableCentavos) : 0,
            ...{ dueOn: row.dueOn, isUnderReview: row.isUnderReview },
            createdAt: row.createdAt.toISOString(),
            decidedAt: row.decidedAt?.toISOString() ?? null,
          };
    },
    toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
  });
  return { items: items.flat(), next };
}

/**
 * Messages of the plan chat of a case, for an admin who may decide it. Each look is written to the audit log before
 * anything is read; the pictures that it shows are open to admins from then on.
 * @throws Problem `interaction_not_found`, `admin_own_record`, `request_decision_not_possible` for any other request
 */
export async function readPlanChat(
  database: Database,
  admin: Viewer,
  { interactionId, before }: { interactionId: string; before?: number | undefined },
): Promise<MessagesPage> {
  const isOthers = and(
    ne(interactions.clientId, admin.profileId),
    ne(interactions.creatorId, admin.profileId),
  );
  const id = database
    .select({ id: interactions.id })
    .from(interactions)
    .where(and(eq(interactions.id, interactionId), isOthers, or(openDisputes(), withoutAnswer())));
  const [row] = await selectInteractionsById(database, id);
  if (!row) throw await refusal({ database }, admin, interactionId);
  const { receiptId } = row.links;
  if (receiptId === null) return { items: [], hasMore: false };
  const look = { action: 'request.chat', subject: `interaction:${interactionId}` };
  return inspectPlanChat(database, admin, { chatId: receiptId, before }, look);
}
