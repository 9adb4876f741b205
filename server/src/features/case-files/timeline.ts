import type { Timeline, TimelineEvent, TimelineStep } from '@tara/contract/money/case-files';
import { pesos } from '@tara/contract/plans/plans';
import { and, asc, eq, getTableColumns, inArray, ne } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { auditLog } from '../audit/index.ts';
import { presentInteraction, presentSteps, requireInteraction } from '../interactions/index.ts';
import {
  attempts,
  capturedPayments,
  chargebacks,
  disbursements,
  manualTransfers,
  readMovements,
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

/** Everything that happened to a request and its money, with the provider's ids. @throws Problem `interaction_not_found`, `admin_own_record`. */
export async function readTimeline(database: Database, viewer: Viewer, id: string): Promise<Timeline> {
  const row = await requireInteraction(database, viewer, id);
  const { request } = row;
  // It has the numbers that receive money.
  if ([request.clientId, request.creatorId].includes(viewer.profileId)) throw new Problem('admin_own_record');
  const [events, movements] = await Promise.all([readEvents(database, id), readMovements(database, id)]);
  const { completedAt, cancelledAt, cancelReason, cancelNote } = request;
  const cancelled = [cancelReason?.replaceAll('_', ' '), cancelNote].filter(Boolean).join(': ');
  const detailed = [
    ...events,
    ...happened('completed', completedAt),
    ...happened('cancelled', cancelledAt, { note: cancelled }),
  ];
  const known = new Set(detailed.map(({ step }) => step));
  const steps = presentSteps(row).filter(({ step }) => !known.has(step));
  const all = [...steps.flatMap(({ step, at }) => happened(step, new Date(at))), ...detailed];
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
  const out = await database
    .select()
    .from(disbursements)
    .where(eq(disbursements.interactionId, interactionId));
  const sent = await database
    .select({ ...getTableColumns(attempts), purpose: disbursements.purpose })
    .from(attempts)
    .innerJoin(disbursements, eq(disbursements.id, attempts.disbursementId))
    .where(eq(disbursements.interactionId, interactionId));
  const refused = await database
    .select()
    .from(manualTransfers)
    .where(and(eq(manualTransfers.interactionId, interactionId), ne(manualTransfers.state, 'booked')));
  const disputed = await database
    .select()
    .from(chargebacks)
    .where(eq(chargebacks.interactionId, interactionId));
  const subjects = [
    `interaction:${interactionId}`,
    // Earlier versions named a refund for its request or its payment, and what carried it a payout.
    `refund:${interactionId}`,
    ...out.flatMap(({ id, paymentId }) => [`payout:${id}`, `refund:${id}`, `refund:${paymentId}`]),
    ...disputed.map(({ id }) => `dispute:${id}`),
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
    ...out.flatMap(({ purpose, createdAt, amountCentavos: centavos, way, problem }) =>
      happened(`${purpose}Owed`, createdAt, {
        ...{ centavos, note: purpose === 'refund' && way !== 'provider' ? 'by transfer' : problem },
      }),
    ),
    ...sent.flatMap(({ purpose, key, destination, problem, ...attempt }) => {
      const { state, createdAt, endedAt, amountCentavos: centavos } = attempt;
      const note = destination && `to ${destination.number}`;
      // The provider's id, once it is known.
      const reference = attempt.reference ?? key;
      return [
        ...(key === null ? [] : happened(`${purpose}Sent`, createdAt, { centavos, reference, note })),
        ...(state === 'arrived'
          ? happened(purpose === 'payout' ? 'paidOut' : 'refunded', endedAt, { centavos, reference })
          : happened(`${purpose}${state === 'lost' ? 'Lost' : 'Refused'}`, endedAt, {
              reference,
              note: problem,
            })),
      ];
    }),
    ...refused.flatMap(({ createdAt, amountCentavos: centavos, reference, problem: note }) =>
      happened('transferRefused', createdAt, { centavos, reference, note }),
    ),
    ...disputed.flatMap(({ id, createdAt, decidedAt, state, reason, amountCentavos: centavos }) => [
      ...happened('chargebackOpened', createdAt, { centavos, reference: id, note: reason }),
      ...happened(state === 'won' ? 'chargebackWon' : 'chargebackLost', decidedAt, {
        centavos,
        reference: id,
      }),
    ]),
    ...acts.flatMap(({ createdAt, action, subject, actorAccountId }) =>
      happened('adminActed', createdAt, { reference: subject, note: `${action} by ${actorAccountId}` }),
    ),
  ];
}
