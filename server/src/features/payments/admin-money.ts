import { pageSize } from '@tara/contract/limits';
import { mobileNumber } from '@tara/contract/members/profiles';
import type { MoneyCase, NewRefund, NewRetry, RecordedPayout } from '@tara/contract/money/admin-money';
import type { PageOf } from '@tara/contract/page';
import { pesos } from '@tara/contract/plans/plans';
import { and, eq, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { type Cursor, keyset, readPage } from '../../platform/cursor.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { audit } from '../audit/index.ts';
import { adminRefusal, announceInteraction, interactions, stepCondition } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { profiles } from '../profiles/index.ts';
import { sentByHand, storeAttempt } from './attempts.ts';
import { findDisbursement, isInDispute, oweRefund, turnIntoTransfer } from './disbursements.ts';
import { claimReference, elsewhere, storeRefused, watchRefused } from './manual-transfers.ts';
import { isLate } from './outgoing.ts';
import type { PaymentContext } from './provider.ts';
import { orderAge } from './sending.ts';
import { requireOthers, settle } from './settle.ts';
import { attempts, disbursementAmounts, disbursements, manualTransfers } from './tables.ts';

type MoneyContext = Pick<PaymentContext, 'database' | 'bus' | 'config' | 'log'>;

/** Whether an admin is to send it by hand, as far as a refund has a number. Of `disbursements`. */
const isLeftToHand = (config: PaymentContext['config']) =>
  sql`(${disbursements.state} = 'owed' and not ${isInDispute} and ${sentByHand(config)}
    and (${disbursements.purpose} = 'payout' or ${disbursements.number} is not null))`;

/**
 * Whether an admin is to send it by hand, and may do so now. Of `disbursements` with the receiver's profile. Its number is checked when it
 * is shown: the rule is in the contract.
 */
const isByHand = (config: PaymentContext['config']) => sql`(${isLeftToHand(config)}
  and (${disbursements.purpose} = 'refund'
    or (${profiles.phoneNumber} ~ '[0-9]' and coalesce(${profiles.payoutNumberFrom} <= now(), true))))`;

/** What admins are to send by hand: a `from` with its `where`. */
export const disbursementsByHand = (config: PaymentContext['config']) => sql`
  ${disbursements} join ${profiles} on ${profiles.id} = ${disbursements.recipientId} where ${isByHand(config)}`;

/** A list of money out that waits for an admin, oldest first, 20 a page. */
export async function openMoney(
  { database, config }: Pick<MoneyContext, 'database' | 'config'>,
  list: 'toPayOut' | 'failed',
  cursor: string | undefined,
): Promise<PageOf<MoneyCase>> {
  const receiverName = sql<string>`coalesce(${profiles.verifiedName}, ${profiles.name})`;
  // The key of a page has no characters of a reference that would have to be escaped.
  const refusedKey = sql`(md5(${manualTransfers.reference}) || '.byHand')`;
  const isManual = list === 'toPayOut';
  const byHand = isByHand(config);
  const outgoing = (after: Cursor | null) =>
    database
      .select({
        id: disbursements.id,
        way: disbursements.way,
        purpose: disbursements.purpose,
        interactionId: disbursements.interactionId,
        planTitle: interactions.planTitle,
        receiverName: receiverName.as('receiver_name'),
        number: sql<string | null>`case when ${disbursements.way} = 'provider' then null
          when ${disbursements.purpose} = 'refund' then ${disbursements.number} else ${profiles.phoneNumber} end`.as(
          'number',
        ),
        amountCentavos: disbursementAmounts.amountCentavos,
        atProvider: sql<
          MoneyCase['atProvider']
        >`coalesce((select case when ${attempts.reference} is not null then 'yes'
            when ${orderAge(attempts.sentAt)} = 'forgotten' then 'doubtful' else 'maybe' end
          from ${attempts} where ${attempts.disbursementId} = ${disbursements.id} and ${attempts.state} = 'sent'), 'no')`.as(
          'at_provider',
        ),
        problem: disbursements.problem,
        attempts: sql<number>`(select count(*)::int from ${attempts}
          where ${attempts.disbursementId} = ${disbursements.id} and ${attempts.state} <> 'sent')`.as(
          'attempts',
        ),
        createdAt: disbursements.createdAt,
        key: sql<string>`${disbursements.id}`.as('key'),
      })
      .from(disbursements)
      .innerJoin(disbursementAmounts, eq(disbursementAmounts.id, disbursements.id))
      .innerJoin(interactions, eq(interactions.id, disbursements.interactionId))
      .innerJoin(profiles, eq(profiles.id, disbursements.recipientId))
      .where(
        and(
          isManual ? byHand : and(isLate, sql`not coalesce(${byHand}, false)`),
          keyset(disbursements.createdAt, disbursements.id, after, 'asc').where,
        ),
      );
  const refused = (after: Cursor | null) =>
    database
      .select({
        id: manualTransfers.reference,
        way: sql<MoneyCase['way']>`'hand'`.as('way'),
        purpose: disbursements.purpose,
        interactionId: manualTransfers.interactionId,
        planTitle: interactions.planTitle,
        receiverName: receiverName.as('receiver_name'),
        number: sql<string | null>`null`.as('number'),
        amountCentavos: manualTransfers.amountCentavos,
        atProvider: sql<MoneyCase['atProvider']>`'no'`.as('at_provider'),
        problem: manualTransfers.problem,
        attempts: sql<number>`0`.as('attempts'),
        createdAt: manualTransfers.createdAt,
        key: sql<string>`${refusedKey}`.as('key'),
      })
      .from(manualTransfers)
      .innerJoin(disbursements, eq(disbursements.id, manualTransfers.disbursementId))
      .innerJoin(interactions, eq(interactions.id, manualTransfers.interactionId))
      .innerJoin(profiles, eq(profiles.id, disbursements.recipientId))
      .where(
        and(
          isManual ? sql`false` : eq(manualTransfers.state, 'refused'),
          keyset(manualTransfers.createdAt, refusedKey, after, 'asc').where,
        ),
      );
  return readPage(cursor, {
    size: pageSize.admin,
    read: ({ after, limit }) =>
      unionAll(outgoing(after), refused(after)).orderBy(sql`created_at`, sql`key`).limit(limit),
    present: ({ amountCentavos, createdAt, key: _, number, ...row }) => ({
      ...row,
      number: number === null ? null : mobileNumber(number),
      amount: pesos(amountCentavos),
      attempts: row.problem === null ? 0 : row.attempts,
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
 * Tries what is in the list `failed` again at once; a refund that was refused can become a transfer instead.
 * @throws Problem `money_case_not_found`, `admin_own_record`, `money_case_not_possible`.
 */
export async function retryMoney(
  context: MoneyContext,
  admin: Viewer,
  { id, reason, byTransfer = false }: NewRetry,
): Promise<void> {
  const interactionId = await context.database.transaction(async (transaction) => {
    await requireOthers(transaction, admin, await findDisbursement(transaction, id));
    const known = await findDisbursement(transaction, id);
    const waiting = await transaction
      .update(disbursements)
      .set({ problem: null, updatedAt: sql`now()` })
      .where(and(eq(disbursements.id, id), isLate))
      .returning({ disbursementId: disbursements.id });
    if (!known || waiting.length === 0) throw new Problem('money_case_not_possible');
    // The provider definitely refused it: what has no answer is not over.
    if (byTransfer && !(known.attempts > 0 && (await turnIntoTransfer(transaction, id))))
      throw new Problem('money_case_not_possible');
    for (const job of waiting) await tasks.disburse.enqueue(transaction, job);
    await audit(transaction, admin, {
      action: `${known.purpose}.retry`,
      subject: `${known.purpose}:${id}`,
      before: { problem: known.problem },
      after: { byTransfer, reason },
    });
    return known.interactionId;
  });
  await announceInteraction(context, interactionId);
}

/** Why a transfer by hand was not recorded, as the list shows it. */
const refusalTexts = {
  money_case_not_found: 'It was not recorded: there is no such payout or refund.',
  money_case_changed: 'It was not recorded: another amount was owed.',
  money_case_not_possible: 'It was not recorded: it was not to be sent by hand any more.',
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
  const sent = { reference, disbursementId: id, amountCentavos };
  const known = await findDisbursement(context.database, id);
  const refusal = await context.database.transaction(async (transaction) => {
    if (!known) return 'money_case_not_found';
    await requireOthers(transaction, admin, known);
    const owed = await findDisbursement(transaction, id);
    // A creator's number may have changed after it was sent.
    const toSend = and(eq(disbursements.id, id), isLeftToHand(context.config));
    if (owed?.state === 'owed' && owed.owedCentavos !== amountCentavos) return 'money_case_changed';
    if (!owed || (await transaction.$count(disbursements, toSend)) === 0) return 'money_case_not_possible';
    const order = { way: 'hand' as const, reference, sentBy: admin.accountId };
    const number = await storeAttempt(transaction, owed, order);
    if (number === null) return 'money_case_not_possible';
    await settle(transaction, owed, { number, reference, feeCentavos: null });
    await claimReference(transaction, owed, sent);
    await audit(transaction, admin, {
      action: `${owed.purpose}.record`,
      subject: `${owed.purpose}:${id}`,
      before: { state: owed.state },
      after: { receiverId: owed.recipientId, amountCentavos, reference },
    });
    await watchRefused(transaction, context);
    return null;
  });
  if (refusal === null) return void (await announceInteraction(context, known?.interactionId ?? ''));
  const isElsewhere = await context.database.transaction(async (transaction) => {
    const after = { reference, amountCentavos, reason: refusal };
    const purpose = known?.purpose ?? 'payout';
    await audit(transaction, admin, { action: `${purpose}.refuse`, subject: `${purpose}:${id}`, after });
    if (known === null) return false;
    const isElsewhere = await storeRefused(transaction, admin, known, sent, refusalTexts[refusal]);
    await watchRefused(transaction, context);
    return isElsewhere;
  });
  throw isElsewhere ? elsewhere() : new Problem(refusal);
}
