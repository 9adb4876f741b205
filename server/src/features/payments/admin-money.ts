import { pageSize } from '@tara/contract/limits';
import { mobileNumber } from '@tara/contract/members/profiles';
import type { MoneyCase, NewRefund, NewRetry, RecordedPayout } from '@tara/contract/money/admin-money';
import type { PageOf } from '@tara/contract/page';
import { pesos } from '@tara/contract/plans/plans';
import { and, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { type Cursor, keyset, readPage } from '../../platform/cursor.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { audit } from '../audit/index.ts';
import { adminRefusal, announceInteraction, interactions, stepCondition } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { profiles } from '../profiles/index.ts';
import { sentByHand } from './attempts.ts';
import { isUnsent } from './chargeback-booking.ts';
import { claimReference, elsewhere, storeRefused } from './manual-transfers.ts';
import { latePayout, lateRefund } from './outgoing.ts';
import type { PaymentContext } from './provider.ts';
import { oweRefund, turnIntoTransfer } from './refunds.ts';
import { requireOthers, settlePayout } from './settle.ts';
import { manualTransfers, payouts, refunds } from './tables.ts';

type MoneyContext = Pick<PaymentContext, 'database' | 'bus' | 'config'>;

/** Its number is checked when it is shown: the rule is in the contract. */
const toPayOut = and(
  ne(payouts.state, 'paid'),
  isUnsent,
  isNull(interactions.frozenAt),
  sql`(case when ${payouts.purpose} = 'refund' then ${payouts.number} is not null
    else ${profiles.phoneNumber} ~ '[0-9]' and coalesce(${profiles.payoutNumberFrom} <= now(), true) end)`,
);

/** A list of money out that waits for an admin, oldest first, 20 a page. */
export async function openMoney(
  { database, config }: Pick<MoneyContext, 'database' | 'config'>,
  list: 'toPayOut' | 'failed',
  cursor: string | undefined,
): Promise<PageOf<MoneyCase>> {
  const receiverName = sql<string>`coalesce(${profiles.verifiedName}, ${profiles.name})`;
  // A split owes a payout and a refund of the same id at the same moment.
  const payoutKey = sql`(${payouts.id} || '.payout')`;
  const refundKey = sql`(${refunds.id} || '.refund')`;
  // The key of a page has no characters of a reference that would have to be escaped.
  const refusedKey = sql`(md5(${manualTransfers.reference}) || '.byHand')`;
  const isRefund = sql`case when ${manualTransfers.payoutId} like '%-refund' then 'refund' else 'earnings' end`;
  const atProvider = (hasOrder: SQL, mayHaveOrder: SQL) =>
    sql<
      MoneyCase['atProvider']
    >`case when ${hasOrder} then 'yes' when ${mayHaveOrder} then 'maybe' else 'no' end`.as('at_provider');
  const isManual = list === 'toPayOut';
  const byHand = and(toPayOut, sentByHand(config));
  const outgoing = (after: Cursor | null) =>
    database
      .select({
        kind: sql<MoneyCase['kind']>`'payout'`.as('kind'),
        id: payouts.id,
        purpose: payouts.purpose,
        interactionId: payouts.interactionId,
        planTitle: interactions.planTitle,
        receiverName: receiverName.as('receiver_name'),
        number: sql<string | null>`case when ${payouts.purpose} = 'refund' then ${payouts.number}
        else ${profiles.phoneNumber} end`.as('number'),
        amountCentavos: payouts.amountCentavos,
        atProvider: atProvider(isNotNull(payouts.transferId), sql`not ${isUnsent}`),
        problem: payouts.lastError,
        attempt: payouts.attempt,
        createdAt: payouts.createdAt,
        key: sql<string>`${payoutKey}`.as('key'),
      })
      .from(payouts)
      .innerJoin(interactions, eq(interactions.id, payouts.interactionId))
      .innerJoin(profiles, eq(profiles.id, payouts.recipientId))
      .where(
        and(
          isManual ? byHand : and(latePayout, sql`not coalesce((${byHand}), false)`),
          keyset(payouts.createdAt, payoutKey, after, 'asc').where,
        ),
      );
  const returning = (after: Cursor | null) =>
    database
      .select({
        kind: sql<MoneyCase['kind']>`'refund'`.as('kind'),
        id: refunds.id,
        purpose: sql<'earnings' | 'refund'>`'refund'`.as('purpose'),
        interactionId: refunds.interactionId,
        planTitle: interactions.planTitle,
        receiverName: receiverName.as('receiver_name'),
        number: sql<string | null>`null`.as('number'),
        amountCentavos: refunds.amountCentavos,
        atProvider: atProvider(
          isNotNull(refunds.refundId),
          sql`${refunds.orderedAttempt} = ${refunds.attempt}`,
        ),
        problem: refunds.lastError,
        attempt: refunds.attempt,
        createdAt: refunds.createdAt,
        key: sql<string>`${refundKey}`.as('key'),
      })
      .from(refunds)
      .innerJoin(interactions, eq(interactions.id, refunds.interactionId))
      .innerJoin(profiles, eq(profiles.id, interactions.clientId))
      .where(
        and(isManual ? sql`false` : lateRefund, keyset(refunds.createdAt, refundKey, after, 'asc').where),
      );
  const refused = (after: Cursor | null) =>
    database
      .select({
        kind: sql<MoneyCase['kind']>`'byHand'`.as('kind'),
        id: manualTransfers.reference,
        purpose: sql<'earnings' | 'refund'>`${isRefund}`.as('purpose'),
        interactionId: manualTransfers.interactionId,
        planTitle: interactions.planTitle,
        receiverName: receiverName.as('receiver_name'),
        number: sql<string | null>`null`.as('number'),
        amountCentavos: manualTransfers.amountCentavos,
        atProvider: atProvider(sql`false`, sql`false`),
        problem: manualTransfers.problem,
        attempt: sql<number>`1`.as('attempt'),
        createdAt: manualTransfers.createdAt,
        key: sql<string>`${refusedKey}`.as('key'),
      })
      .from(manualTransfers)
      .innerJoin(interactions, eq(interactions.id, manualTransfers.interactionId))
      .innerJoin(
        profiles,
        sql`${profiles.id} = case (${isRefund}) when 'refund' then ${interactions.clientId} else ${interactions.creatorId} end`,
      )
      .where(
        and(
          isManual ? sql`false` : eq(manualTransfers.state, 'refused'),
          keyset(manualTransfers.createdAt, refusedKey, after, 'asc').where,
        ),
      );
  return readPage(cursor, {
    size: pageSize.admin,
    read: ({ after, limit }) =>
      unionAll(outgoing(after), returning(after), refused(after))
        .orderBy(sql`created_at`, sql`key`)
        .limit(limit),
    present: ({ amountCentavos, attempt, createdAt, key: _, number, ...row }) => ({
      ...row,
      number: number === null ? null : mobileNumber(number),
      amount: pesos(amountCentavos),
      attempts: row.problem === null ? 0 : attempt - 1,
      createdAt: createdAt.toISOString(),
    }),
    toCursor: ({ createdAt: at, key }) => ({ at, id: key }),
  });
}

/**
 * An admin ends a paid request that is not over: what was paid goes back in full.
 * @throws Problem `interaction_not_found`, `admin_own_record`, `request_decision_not_possible` with the reason.
 */
export async function refundRequest(
  context: MoneyContext,
  admin: Viewer,
  { interactionId, reason }: NewRefund,
): Promise<void> {
  const ended = await context.database.transaction(async (transaction) => {
    const [request] = await transaction
      .update(interactions)
      .set({
        cancelledAt: sql`now()`,
        cancelReason: 'refunded',
        cancelNote: reason,
        refundCentavos: sql`${interactions.priceCentavos}`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(interactions.id, interactionId), stepCondition('refund', admin)))
      .returning();
    if (!request) return false;
    await oweRefund(transaction, request, request.refundCentavos);
    const details = { reason: 'refunded', note: reason };
    await notify(transaction, { event: 'cancelled', interactionId, to: ['client', 'creator'], details });
    await audit(transaction, admin, {
      action: 'request.refund',
      subject: `interaction:${interactionId}`,
      before: { cancelled: false },
      after: { clientId: request.clientId, refundCentavos: request.refundCentavos, reason },
    });
    return true;
  });
  if (!ended)
    throw await adminRefusal(
      context.database,
      admin,
      interactionId,
      () => 'refund',
      'request_decision_not_possible',
    );
  await announceInteraction(context, interactionId);
}

/**
 * Tries a payout or refund of the list `failed` again at once; a refused refund can become a transfer instead.
 * @throws Problem `money_case_not_found`, `admin_own_record`, `money_case_not_possible`.
 */
export async function retryMoney(
  context: MoneyContext,
  admin: Viewer,
  { kind, id, reason, byTransfer = false }: NewRetry,
): Promise<void> {
  const again = { lastError: null, updatedAt: sql`now()` };
  const interactionId = await context.database.transaction(async (transaction) => {
    const table = kind === 'payout' ? payouts : refunds;
    const [row] = await transaction
      .select({ interactionId: table.interactionId, problem: table.lastError })
      .from(table)
      .where(eq(table.id, id));
    await requireOthers(transaction, admin, row);
    if (kind === 'payout') {
      const waiting = await transaction
        .update(payouts)
        .set(again)
        .where(and(eq(payouts.id, id), latePayout))
        .returning({ payoutId: payouts.id });
      if (waiting.length === 0 || byTransfer) throw new Problem('money_case_not_possible');
      for (const job of waiting) await tasks.payout.enqueue(transaction, job);
    } else {
      const [refund] = await transaction
        .update(refunds)
        .set(again)
        // The provider definitely refused it: a sending whose answer was lost raises no attempt.
        .where(and(eq(refunds.id, id), lateRefund, byTransfer ? sql`${refunds.attempt} > 1` : undefined))
        .returning();
      if (!refund) throw new Problem('money_case_not_possible');
      if (byTransfer && !(await turnIntoTransfer(transaction, refund)))
        throw new Problem('money_case_not_possible');
      if (!byTransfer) await tasks.refund.enqueue(transaction, { refundId: id });
    }
    await audit(transaction, admin, {
      action: `${kind}.retry`,
      subject: `${kind}:${id}`,
      before: { problem: row?.problem },
      after: { byTransfer, reason },
    });
    return row?.interactionId ?? '';
  });
  await announceInteraction(context, interactionId);
}

/** Why a transfer by hand was not recorded, as the list shows it. */
const refusalTexts = {
  money_case_not_found: 'It was not recorded: the payout was not owed any more.',
  money_case_changed: 'It was not recorded: another amount was owed.',
  money_case_not_possible: 'It was not recorded: the payout was not to be sent by hand any more.',
};

/**
 * Books a payout that the admin sent by hand, once; of two admins the second learns that it is paid. None whose amount
 * changed since the admin saw it. A reference that was not recorded is in the audit log and in the list `failed`: money may
 * have left by it (`settleManualTransfer`).
 * @throws Problem `money_case_not_found`, `admin_own_record`, `money_case_changed`, `money_case_not_possible`,
 * `general_argument_invalid` for the reference of another payout.
 */
export async function recordPayout(
  context: MoneyContext,
  admin: Viewer,
  { id, reference, amountCentavos }: RecordedPayout,
): Promise<void> {
  const refuse = async (code: keyof typeof refusalTexts) => {
    const isElsewhere = await context.database.transaction(async (transaction) => {
      const after = { reference, amountCentavos, reason: code };
      await audit(transaction, admin, { action: 'payout.refuse', subject: `payout:${id}`, after });
      const sent = { reference, payoutId: id, amountCentavos };
      return storeRefused(transaction, admin, sent, refusalTexts[code]);
    });
    return isElsewhere ? elsewhere() : new Problem(code);
  };
  const [payout] = await context.database.select().from(payouts).where(eq(payouts.id, id));
  if (!payout) throw await refuse('money_case_not_found');
  const isOpen = await context.database.transaction(async (transaction) => {
    await requireOthers(transaction, admin, payout);
    const [open] = await transaction
      .select({ id: payouts.id })
      .from(payouts)
      .innerJoin(interactions, eq(interactions.id, payouts.interactionId))
      .innerJoin(profiles, eq(profiles.id, payouts.recipientId))
      .where(and(eq(payouts.id, id), toPayOut, sentByHand(context.config)));
    return open !== undefined;
  });
  const arrival = { reference, sentBy: admin.accountId, sent: amountCentavos };
  const settled =
    isOpen &&
    (await settlePayout(context, payout, arrival, async (transaction) => {
      await claimReference(transaction, payout.interactionId, { reference, payoutId: id, amountCentavos });
      await audit(transaction, admin, {
        action: 'payout.record',
        subject: `payout:${id}`,
        before: { state: payout.state },
        after: { receiverId: payout.recipientId, amountCentavos, reference },
      });
    }));
  if (settled) return;
  const [present] = await context.database.select().from(payouts).where(eq(payouts.id, id));
  const hasChanged = present?.state !== 'paid' && present?.amountCentavos !== amountCentavos;
  throw await refuse(hasChanged ? 'money_case_changed' : 'money_case_not_possible');
}
