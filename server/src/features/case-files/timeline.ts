import type { Timeline, TimelineEvent, TimelineStep } from '@tara/contract/money/case-files';
import { pesos } from '@tara/contract/plans/plans';
import { asc, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { auditLog } from '../audit/index.ts';
import { presentInteraction, presentSteps, requireInteraction } from '../interactions/index.ts';
import {
  capturedPayments,
  chargebacks,
  payoutAttempts,
  payouts,
  readMovements,
  refunds,
} from '../payments/index.ts';

/** An event where its moment is known. Centavos. */
const happened = (
  step: TimelineStep,
  at: Date | null,
  more: { centavos?: number; reference?: string | null; note?: string | null } = {},
): TimelineEvent[] =>
  at === null
    ? []
    : [
        {
          ...{ step, at: at.toISOString(), note: more.note ?? '', reference: more.reference ?? null },
          amount: more.centavos === undefined ? null : pesos(more.centavos),
        },
      ];

/** Everything that happened to a request and its money, with the provider's ids. @throws Problem `interaction_not_found`. */
export async function readTimeline(database: Database, viewer: Viewer, id: string): Promise<Timeline> {
  const row = await requireInteraction(database, viewer, id);
  const { request } = row;
  const [events, movements] = await Promise.all([readEvents(database, id), readMovements(database, id)]);
  const { completedAt, cancelledAt, cancelReason, cancelNote } = request;
  const cancelled = [cancelReason?.replaceAll('_', ' '), cancelNote].filter(Boolean).join(': ');
  const all = [
    ...presentSteps(request).flatMap(({ step, at }) => happened(step, new Date(at))),
    ...events,
    ...happened('completed', completedAt),
    ...happened('cancelled', cancelledAt, { note: cancelled }),
  ];
  return {
    request: presentInteraction(row, viewer.accountId),
    linkId: request.linkId,
    events: all.sort((a, b) => a.at.localeCompare(b.at)),
    movements,
  };
}

/** What happened to the money of a request, and what admins did about it. */
async function readEvents(database: Database, interactionId: string): Promise<TimelineEvent[]> {
  const paid = await database
    .select()
    .from(capturedPayments)
    .where(eq(capturedPayments.interactionId, interactionId));
  const back = await database.select().from(refunds).where(eq(refunds.interactionId, interactionId));
  const out = await database.select().from(payouts).where(eq(payouts.interactionId, interactionId));
  const payoutIds = out.map(({ id }) => id);
  const attempts = await database
    .select()
    .from(payoutAttempts)
    .where(inArray(payoutAttempts.payoutId, payoutIds));
  const disputed = await database
    .select()
    .from(chargebacks)
    .where(eq(chargebacks.interactionId, interactionId));
  const subjects = [
    `interaction:${interactionId}`,
    ...payoutIds.map((id) => `payout:${id}`),
    ...back.map(({ id }) => `refund:${id}`),
    ...disputed.map(({ id }) => `chargeback:${id}`),
  ];
  const acts = await database
    .select()
    .from(auditLog)
    .where(inArray(auditLog.subject, subjects))
    .orderBy(asc(auditLog.id));
  return [
    ...paid.flatMap(({ id, paidAt, method, amountCentavos: centavos }) =>
      happened('captured', paidAt, { centavos, reference: id, note: method }),
    ),
    ...back.flatMap(({ createdAt, refundedAt, amountCentavos: centavos, refundId, lastError, way }) => [
      ...happened('refundOwed', createdAt, {
        centavos,
        note: way === 'transfer' ? 'by transfer' : lastError,
      }),
      ...happened('refunded', refundedAt, { centavos, reference: refundId }),
    ]),
    ...out.flatMap((payout) => {
      const { createdAt, paidAt, amountCentavos: centavos, purpose, lastError } = payout;
      const reference = payout.transferId ?? payout.manualReference;
      return [
        ...happened('payoutOwed', createdAt, {
          ...{ centavos, note: purpose === 'refund' ? 'carries a refund' : lastError },
        }),
        ...happened('paidOut', paidAt, { centavos, reference }),
      ];
    }),
    ...attempts.flatMap(({ createdAt, refusedAt, refusal, destination, idempotencyKey }) => [
      ...happened('payoutSent', createdAt, { reference: idempotencyKey, note: `to ${destination.number}` }),
      ...happened('payoutRefused', refusedAt, { reference: idempotencyKey, note: refusal }),
    ]),
    ...disputed.flatMap(({ id, createdAt, decidedAt, state, reason, amountCentavos: centavos }) => [
      ...happened('chargebackOpened', createdAt, { centavos, reference: id, note: reason }),
      ...(state === 'open'
        ? []
        : happened(state === 'won' ? 'chargebackWon' : 'chargebackLost', decidedAt, {
            centavos,
            reference: id,
          })),
    ]),
    ...acts.flatMap(({ createdAt, action, subject, actorAccountId }) =>
      happened('adminActed', createdAt, { reference: subject, note: `${action} by ${actorAccountId}` }),
    ),
  ];
}
