import { pageSize } from '@tara/contract/limits';
import type { UnassignedDispute } from '@tara/contract/money/admin-money';
import type { PageOf } from '@tara/contract/page';
import { pesos } from '@tara/contract/plans/plans';
import { and, eq } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import { isAmong } from '../../platform/database/among.ts';
import type { Database } from '../../platform/database/connect.ts';
import { interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { awaitsAssignment, disputedCentavos } from './chargeback-booking.ts';
import { dueDay } from './chargebacks.ts';
import { capturedPayments, unassignedDisputes } from './tables.ts';

/** Disputes that wait for an admin to say which payment they are about, oldest first, 20 a page. */
export function listUnassigned(
  database: Database,
  cursor: string | undefined,
): Promise<PageOf<UnassignedDispute>> {
  return readPage(cursor, {
    size: pageSize.admin,
    sortedBy: { time: unassignedDisputes.createdAt, id: unassignedDisputes.id, order: 'asc' },
    async read({ where, orderBy, limit }) {
      const rows = await database
        .select()
        .from(unassignedDisputes)
        .where(and(awaitsAssignment, where))
        .orderBy(...orderBy)
        .limit(limit);
      const payments = await findPayments(
        database,
        rows.flatMap(({ paymentIds }) => paymentIds),
      );
      return rows.map((row) => ({
        ...row,
        payments: payments
          .filter(({ id, undisputed }) => row.paymentIds.includes(id) && undisputed >= row.amountCentavos)
          .map(({ undisputed: _, ...payment }) => payment),
      }));
    },
    present: ({ id, amountCentavos, reason, state, disputedAt, isUnderReview, payments }) => ({
      ...{ id, reason, payments, amount: pesos(amountCentavos), disputedAt: disputedAt.toISOString() },
      ...{ dueOn: dueDay(disputedAt), isUnderReview },
      state: state === 'open' ? 'open' : 'lost',
    }),
    toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
  });
}

/** Those of them that Tara captured, each with how much of it no other dispute is about, in centavos. */
async function findPayments(
  database: Database,
  ids: string[],
): Promise<(UnassignedDispute['payments'][number] & { undisputed: number })[]> {
  const rows = await database
    .select({
      id: capturedPayments.id,
      planTitle: interactions.planTitle,
      clientName: profiles.name,
      amountCentavos: capturedPayments.amountCentavos,
      paidAt: capturedPayments.paidAt,
      disputed: disputedCentavos,
    })
    .from(capturedPayments)
    .innerJoin(interactions, eq(interactions.id, capturedPayments.interactionId))
    .innerJoin(profiles, eq(profiles.id, interactions.clientId))
    .where(isAmong(capturedPayments.id, ids))
    .orderBy(capturedPayments.paidAt, capturedPayments.id);
  return rows.map(({ amountCentavos, paidAt, disputed, ...row }) => ({
    ...row,
    undisputed: amountCentavos - disputed,
    amount: pesos(amountCentavos),
    paidAt: paidAt.toISOString(),
  }));
}
