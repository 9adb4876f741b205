import type { SettledTransfer } from '@tara/contract/money/admin-money';
import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { book, byHand, losses } from './ledger.ts';
import type { PaymentContext } from './provider.ts';
import { requireOthers } from './settle.ts';
import { capturedPayments, manualTransfers } from './tables.ts';

/** What an admin says that they sent by hand. */
interface Sent {
  reference: string;
  payoutId: string;
  amountCentavos: number;
}

/**
 * Gives a reference to the payout that is booked by it, in that transaction.
 * @throws Problem `general_argument_invalid` when it belongs to another payout.
 */
export async function claimReference(
  transaction: Transaction,
  interactionId: string,
  sent: Sent,
): Promise<void> {
  const claimed = await transaction
    .insert(manualTransfers)
    .values({ ...sent, interactionId, state: 'booked' })
    .onConflictDoUpdate({
      target: manualTransfers.reference,
      set: { state: 'booked', problem: null, amountCentavos: sent.amountCentavos },
      setWhere: and(eq(manualTransfers.state, 'refused'), eq(manualTransfers.payoutId, sent.payoutId)),
    })
    .returning({ reference: manualTransfers.reference });
  if (claimed.length === 0)
    throw new Problem('general_argument_invalid', {
      fields: { reference: 'This reference belongs to another payout.' },
    });
}

/**
 * Stores that money may have left for a payout that was not to be sent so any more: an admin says what became of it. More than the
 * price of the request was never owed, so it is not stored.
 * @throws Problem `admin_own_record` for a party of the request.
 */
export async function storeRefused(
  transaction: Transaction,
  admin: Viewer,
  sent: Sent,
  problem: string,
): Promise<void> {
  // A lost chargeback may have deleted the payout: its id is the request's, or that of a payment that came a second time.
  const owner = sql`regexp_replace(${sent.payoutId}, '-refund$', '')`;
  const [request] = await transaction.execute<{ id: string }>(sql`
    select id from ${interactions} where price_centavos >= ${sent.amountCentavos} and id in (
      select ${owner} union all select interaction_id from ${capturedPayments} where id = ${owner})`);
  if (!request) return;
  await requireOthers(transaction, admin, { interactionId: request.id });
  await transaction
    .insert(manualTransfers)
    .values({ ...sent, interactionId: request.id, state: 'refused', problem })
    .onConflictDoNothing();
}

/**
 * Ends a transfer by hand that was refused for recording: money that left is booked as a loss, else its reference is free again.
 * @throws Problem `money_case_not_found`, `admin_own_record`.
 */
export async function settleManualTransfer(
  context: Pick<PaymentContext, 'database' | 'bus'>,
  admin: Viewer,
  { reference, hasLeft, reason }: SettledTransfer,
): Promise<void> {
  const interactionId = await context.database.transaction(async (transaction) => {
    const here = and(eq(manualTransfers.reference, reference), eq(manualTransfers.state, 'refused'));
    const [known] = await transaction.select().from(manualTransfers).where(here);
    await requireOthers(transaction, admin, known);
    const [settled] = hasLeft
      ? await transaction.update(manualTransfers).set({ state: 'lost' }).where(here).returning()
      : await transaction.delete(manualTransfers).where(here).returning();
    if (!settled) throw new Problem('money_case_not_found');
    const { interactionId, payoutId, amountCentavos } = settled;
    if (hasLeft) {
      const entries = { [losses]: amountCentavos, [byHand]: -amountCentavos };
      await book(transaction, { kind: 'manual_loss', interactionId, of: reference, entries });
    }
    await audit(transaction, admin, {
      action: 'payout.settleRefused',
      subject: `payout:${payoutId}`,
      before: { reference, problem: settled.problem },
      after: { hasLeft, amountCentavos, reason },
    });
    return interactionId;
  });
  await announceInteraction(context, interactionId);
}
