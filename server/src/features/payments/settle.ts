import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { book, byHand, cash, escrow, fees, heldFor, losses, paidOut, payable, refunded } from './ledger.ts';
import type { PaymentContext } from './provider.ts';
import { payouts, refunds } from './tables.ts';

type Payout = typeof payouts.$inferSelect;

/** How a payout arrived: by a transfer of the provider with its fee in centavos, or by an admin's hand. */
export type Arrival =
  | { transferId: string; fee: number }
  | {
      reference: string;
      sentBy: string;
      /** What the admin sent, centavos. */
      sent: number;
    };

/**
 * Books a payout that arrived, once, and notifies its receiver. None that an admin sent by hand while the card issuer disputes
 * the payment: what is owed is not the receiver's then; nor one of another amount than they sent. Of purpose `refund` it
 * is the client's money back. What an admin sent by hand left another account of Tara, so the wallet keeps its
 * amount.
 * @returns whether this call did it.
 */
export async function settlePayout(
  context: Pick<PaymentContext, 'database' | 'bus'>,
  payout: Payout,
  arrival: Arrival,
  also?: (transaction: Transaction) => Promise<void>,
): Promise<boolean> {
  const { id, interactionId, recipientId, purpose } = payout;
  const isTransfer = 'transferId' in arrival;
  const settled = await context.database.transaction(async (transaction) => {
    const request = await lockRequest(transaction, interactionId);
    if (!isTransfer && request?.frozenAt != null) return false;
    const [paid] = await transaction
      .update(payouts)
      .set({
        state: 'paid',
        lastError: null,
        paidAt: sql`now()`,
        updatedAt: sql`now()`,
        ...(isTransfer
          ? { transferId: arrival.transferId }
          : { manualReference: arrival.reference, sentBy: arrival.sentBy }),
      })
      .where(
        and(
          eq(payouts.id, id),
          ne(payouts.state, 'paid'),
          isTransfer ? undefined : eq(payouts.amountCentavos, arrival.sent),
        ),
      )
      .returning({ amount: payouts.amountCentavos });
    if (!paid) return false;
    const { amount } = paid;
    const fee = isTransfer ? arrival.fee : 0;
    const outside: Record<string, number> = isTransfer
      ? { [fees]: fee, [cash]: -fee }
      : { [byHand]: -amount, [cash]: amount };
    if (purpose === 'refund') {
      await settleRefund(transaction, {
        refundId: id.replace(/-refund$/, ''),
        interactionId,
        amount,
        outside,
      });
    } else {
      const entries = { [payable(recipientId)]: amount, [paidOut(recipientId)]: -amount, ...outside };
      await book(transaction, { kind: 'payout', interactionId, of: id, entries });
      await transaction
        .update(interactions)
        .set({ paidOutAt: sql`now()`, updatedAt: sql`now()` })
        .where(and(eq(interactions.id, interactionId), isNull(interactions.paidOutAt)));
      const details = { amount: String(amount) };
      await notify(transaction, { event: 'paidOut', interactionId, to: ['creator'], details });
    }
    await also?.(transaction);
    return true;
  });
  if (settled) await announceInteraction(context, interactionId);
  return settled;
}

interface RefundArrival {
  refundId: string;
  interactionId: string;
  /** Centavos. */
  amount: number;
  /** The provider's refund, when it came back by the payment's own method. */
  providerRefundId?: string;
  /** Entries for what else moved, which sum to zero. */
  outside?: Record<string, number>;
}

/** Books money that is back at the client, once. @returns whether this call did it. */
export async function settleRefund(transaction: Transaction, arrival: RefundArrival): Promise<boolean> {
  const { refundId, interactionId, amount, providerRefundId, outside } = arrival;
  const request = await lockRequest(transaction, interactionId);
  const [settled] = await transaction
    .update(refunds)
    .set({
      state: 'refunded',
      lastError: null,
      refundedAt: sql`now()`,
      updatedAt: sql`now()`,
      ...(providerRefundId === undefined ? {} : { refundId: providerRefundId }),
    })
    .where(and(eq(refunds.id, refundId), ne(refunds.state, 'refunded')))
    .returning({ way: refunds.way });
  if (!settled) return false;
  // What the card issuer took while it was under way is a loss for Tara.
  const isTakenBack = request?.chargedBackAt != null;
  const lost = isTakenBack ? Math.max(0, amount - (await heldFor(transaction, interactionId))) : 0;
  const entries = {
    [escrow(interactionId)]: amount - lost,
    [losses]: lost,
    [refunded(interactionId)]: -amount,
    ...outside,
  };
  await book(transaction, { kind: 'refund', interactionId, of: refundId, entries });
  // A second payment that went back changes nothing for the request.
  if (refundId !== interactionId) return true;
  await transaction
    .update(interactions)
    .set({ refundedAt: sql`now()`, updatedAt: sql`now()` })
    .where(and(eq(interactions.id, interactionId), isNull(interactions.refundedAt)));
  await notify(transaction, {
    event: 'refunded',
    interactionId,
    to: ['client'],
    details: { amount: String(amount), way: settled.way },
  });
  return true;
}

/** Locks the request of a case. @throws Problem `money_case_not_found`, `admin_own_record` for a party of its request. */
export async function requireOthers(
  transaction: Transaction,
  admin: Viewer,
  row: { interactionId: string } | undefined,
): Promise<void> {
  if (!row) throw new Problem('money_case_not_found');
  const request = await lockRequest(transaction, row.interactionId);
  if (!request) throw new Problem('money_case_not_found');
  if ([request.clientId, request.creatorId].includes(admin.profileId)) throw new Problem('admin_own_record');
}

/**
 * Locks the request until the transaction ends. A transaction of several statements about payouts, refunds, chargebacks or
 * the ledger of a request begins with it, or with the update that decides the request: or two of them could wait for
 * each other.
 */
export async function lockRequest(transaction: Transaction, interactionId: string) {
  const { clientId, creatorId, refundNumber, frozenAt, chargedBackAt } = interactions;
  const [request] = await transaction
    .select({ clientId, creatorId, refundNumber, frozenAt, chargedBackAt })
    .from(interactions)
    .where(eq(interactions.id, interactionId))
    .for('update');
  return request ?? null;
}
