import { pageSize } from '@tara/contract/limits';
import type { UnassignedDispute } from '@tara/contract/money/admin-money';
import type { PageOf } from '@tara/contract/page';
import { pesos } from '@tara/contract/plans/plans';
import { and, eq, sql } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import { isAmong } from '../../platform/database/among.ts';
import type { Database } from '../../platform/database/connect.ts';
import { interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { fitsPayment, isAssignable } from './chargeback-booking.ts';
import { dueDay } from './chargebacks.ts';
import { capturedPayments, unassignedDisputes } from './tables.ts';

/** Disputes of which an admin is to say which payment they are about, or may still say it, oldest first, 20 a page. */
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
        .where(and(isAssignable, where))
        .orderBy(...orderBy)
        .limit(limit);
      const payments = await findPayments(
        database,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => ({
        ...row,
        payments: payments.filter(({ disputeId }) => disputeId === row.id),
      }));
    },
    present: ({ id, amountCentavos, reason, state, disputedAt, isUnderReview, foreignAt, payments }) => ({
      ...{ id, reason, amount: pesos(amountCentavos), disputedAt: disputedAt.toISOString() },
      ...{ dueOn: dueDay(disputedAt), isUnderReview, isForeign: foreignAt !== null },
      payments: payments.map(({ disputeId: _, ...payment }) => payment),
      state: state === 'open' ? 'open' : 'lost',
    }),
    toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
  });
}

/** The payments that fit disputes. */
async function findPayments(
  database: Database,
  disputeIds: string[],
): Promise<(UnassignedDispute['payments'][number] & { disputeId: string })[]> {
  const rows = await database
    .select({
      disputeId: unassignedDisputes.id,
      id: capturedPayments.id,
      planTitle: interactions.planTitle,
      clientName: profiles.name,
      amountCentavos: capturedPayments.amountCentavos,
      paidAt: capturedPayments.paidAt,
    })
    .from(unassignedDisputes)
    .innerJoin(
      capturedPayments,
      // By their ids first, because there are many.
      sql`${capturedPayments.id} in (select jsonb_array_elements_text(${unassignedDisputes.paymentIds})) and ${fitsPayment}`,
    )
    .innerJoin(interactions, eq(interactions.id, capturedPayments.interactionId))
    .innerJoin(profiles, eq(profiles.id, interactions.clientId))
    .where(isAmong(unassignedDisputes.id, disputeIds))
    .orderBy(capturedPayments.paidAt, capturedPayments.id);
  return rows.map(({ amountCentavos, paidAt, ...row }) => ({
    ...row,
    amount: pesos(amountCentavos),
    paidAt: paidAt.toISOString(),
  }));
}
