import type { SettledTransfer } from '@tara/contract/money/admin-money';
import { and, eq, gte, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Log } from '../../platform/log.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { updateAlarms } from './alarms.ts';
import { type Disbursement, findDisbursement, isOpenDisbursement } from './disbursements.ts';
import { book, byHand, losses } from './ledger.ts';
import type { PaymentContext } from './provider.ts';
import { requireOthers } from './settle.ts';
import { disbursements, manualTransfers } from './tables.ts';

/** What an admin says that they sent by hand. */
type Sent = Pick<typeof manualTransfers.$inferSelect, 'reference' | 'disbursementId' | 'amountCentavos'>;

const invalid = (reference: string) => new Problem('general_argument_invalid', { fields: { reference } });

/** The problem of a reference that another payout or refund has. */
export const elsewhere = () => invalid('This reference belongs to another payout or refund.');

/**
 * Gives a reference to the payout that is booked by it, in that transaction. What left by it beyond the payout, when it was refused at
 * first, is a loss.
 * @throws Problem `general_argument_invalid` when it belongs to another payout, or less left by it.
 */
export async function claimReference(
  transaction: Transaction,
  { interactionId }: Disbursement,
  sent: Sent,
): Promise<void> {
  const before = and(
    eq(manualTransfers.reference, sent.reference),
    eq(manualTransfers.disbursementId, sent.disbursementId),
    eq(manualTransfers.state, 'refused'),
  );
  const [refused] = await transaction.select().from(manualTransfers).where(before);
  const surplus = refused === undefined ? 0 : refused.amountCentavos - sent.amountCentavos;
  if (surplus < 0) throw invalid('Less than this was sent by this reference.');
  const claimed = await transaction
    .insert(manualTransfers)
    .values({ ...sent, interactionId, state: 'booked' })
    .onConflictDoUpdate({
      target: manualTransfers.reference,
      set: { state: 'booked', problem: null, amountCentavos: sent.amountCentavos },
      setWhere: before,
    })
    .returning({ reference: manualTransfers.reference });
  if (claimed.length === 0) throw elsewhere();
  if (surplus > 0) await bookLoss(transaction, { ...sent, interactionId, amountCentavos: surplus });
}

/** Money left by hand for nothing: only Tara can ask for it back. */
const bookLoss = (
  transaction: Transaction,
  { reference, interactionId, amountCentavos }: Omit<Sent, 'disbursementId'> & { interactionId: string },
) =>
  book(transaction, {
    ...{ kind: 'manual_loss' as const, interactionId, paymentId: null, of: reference },
    entries: [
      [losses, amountCentavos],
      [byHand, -amountCentavos],
    ],
  });

/**
 * Stores that money may have left for a payout that was not to be sent so any more: an admin says what became of it. More than the
 * price of the request was never owed, so it is not stored.
 * @returns whether another payout has the reference: it is not stored then
 * @throws Problem `admin_own_record` for a party of the request.
 */
export async function storeRefused(
  transaction: Transaction,
  admin: Viewer,
  { interactionId }: Disbursement,
  sent: Sent,
  problem: string,
): Promise<boolean> {
  const isPossible = and(
    eq(interactions.id, interactionId),
    gte(interactions.priceCentavos, sent.amountCentavos),
  );
  if ((await transaction.$count(interactions, isPossible)) === 0) return false;
  await requireOthers(transaction, admin, { interactionId });
  const stored = await transaction
    .insert(manualTransfers)
    .values({ ...sent, interactionId, state: 'refused', problem })
    .onConflictDoUpdate({
      target: manualTransfers.reference,
      set: {
        problem: sql`case when ${manualTransfers.state} = 'refused' then excluded.problem else ${manualTransfers.problem} end`,
      },
      // The same again, as after an answer that was lost.
      setWhere: eq(manualTransfers.disbursementId, sent.disbursementId),
    })
    .returning({ reference: manualTransfers.reference });
  return stored.length === 0;
}

/** Each transfer by hand that could not be recorded waits for an admin. Called last in the transaction that changes one. */
export const watchRefused = (transaction: Transaction, context: { log: Log }) =>
  updateAlarms(transaction, context, 'transferRefused', () =>
    transaction
      .select({ recordId: manualTransfers.reference, amountCentavos: manualTransfers.amountCentavos })
      .from(manualTransfers)
      .where(eq(manualTransfers.state, 'refused')),
  );

/**
 * Ends a transfer by hand that was refused for recording: money that left is booked as a loss, else its reference is free again. Money
 * that left for a payout that is owed all the same is recorded with that payout, and is no loss.
 * @throws Problem `money_case_not_found`, `admin_own_record`, `money_case_not_possible`.
 */
export async function settleManualTransfer(
  context: Pick<PaymentContext, 'database' | 'bus' | 'log'>,
  admin: Viewer,
  { reference, hasLeft, reason }: SettledTransfer,
): Promise<void> {
  const interactionId = await context.database.transaction(async (transaction) => {
    const here = and(eq(manualTransfers.reference, reference), eq(manualTransfers.state, 'refused'));
    const [known] = await transaction.select().from(manualTransfers).where(here);
    await requireOthers(transaction, admin, known);
    const owed = and(eq(disbursements.id, known?.disbursementId ?? ''), isOpenDisbursement);
    if (hasLeft && (await transaction.$count(disbursements, owed)) > 0)
      throw new Problem('money_case_not_possible', {
        text: 'It is still owed: record this transfer under ‘To pay out by hand’.',
      });
    const [settled] = hasLeft
      ? await transaction.update(manualTransfers).set({ state: 'lost' }).where(here).returning()
      : await transaction.delete(manualTransfers).where(here).returning();
    if (!settled) throw new Problem('money_case_not_found');
    const { interactionId, disbursementId, amountCentavos } = settled;
    if (hasLeft) await bookLoss(transaction, settled);
    const { purpose = 'payout' } = (await findDisbursement(transaction, disbursementId)) ?? {};
    await audit(transaction, admin, {
      action: `${purpose}.settleRefused`,
      subject: `${purpose}:${disbursementId}`,
      before: { reference, problem: settled.problem },
      after: { hasLeft, amountCentavos, reason },
    });
    await watchRefused(transaction, context);
    return interactionId;
  });
  await announceInteraction(context, interactionId);
}
