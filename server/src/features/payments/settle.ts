import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { interactions } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { heldByDisputes } from './chargeback-booking.ts';
import { type Disbursement, isOwnPayment } from './disbursements.ts';
import {
  book,
  byHand,
  cash,
  type Entry,
  escrow,
  fees,
  losses,
  paidOut,
  payable,
  readLiability,
  refunded,
} from './ledger.ts';
import { attempts, disbursements } from './tables.ts';

/** How an attempt arrived: by the provider, with its fee in centavos, or by an admin's hand. */
interface Arrival {
  /** Of the attempt. */
  number: number;
  reference: string;
  /** Null by hand. */
  feeCentavos: number | null;
}

/**
 * Books the attempt of a disbursement that arrived, once, and notifies its receiver. What an admin sent by hand left another account of
 * Tara, so the wallet keeps its amount. What is not owed any more, such as when an attempt comes to light that was given up, is a loss.
 * @returns whether this call did it.
 */
export async function settle(
  transaction: Transaction,
  { id, interactionId, purpose, recipientId }: Disbursement,
  { number, reference, feeCentavos }: Arrival,
): Promise<boolean> {
  const request = await lockRequest(transaction, interactionId);
  const [arrived] = await transaction
    .update(attempts)
    .set({ state: 'arrived', reference, endedAt: sql`now()` })
    .where(and(eq(attempts.disbursementId, id), eq(attempts.number, number), eq(attempts.state, 'sent')))
    .returning({ amount: attempts.amountCentavos });
  if (!arrived) return false;
  const [settled] = await transaction
    .update(disbursements)
    .set({ state: 'arrived', problem: null, arrivedAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(disbursements.id, id))
    // Its payment may have got its name since it was read.
    .returning({ way: disbursements.way, paymentId: disbursements.paymentId });
  if (!settled || request === null) throw new Error(`disbursement ${id} is not there`);
  const { amount } = arrived;
  const { way, paymentId } = settled;
  const isPayout = purpose === 'payout';
  const owed = await readLiability(transaction, paymentId, isPayout ? 'payable' : 'escrow');
  // What an open dispute took although it was under way is a loss once that is lost.
  const held = await heldByDisputes(transaction, paymentId);
  const lost = Math.max(0, amount - owed - (isPayout ? held.fromPayable : held.fromEscrow));
  const entries: Entry[] = [
    [isPayout ? payable(recipientId) : escrow(interactionId), amount - lost],
    [losses, lost],
    [isPayout ? paidOut(recipientId) : refunded(interactionId), -amount],
    feeCentavos === null ? [byHand, -amount] : [fees, feeCentavos],
    [cash, feeCentavos === null ? amount : -feeCentavos],
  ];
  await book(transaction, { kind: purpose, interactionId, paymentId, of: id, entries });
  const details = { amount: String(amount) };
  const refund = { ...details, way: way === 'provider' ? 'provider' : 'transfer' };
  // A second payment that went back changes nothing for the request.
  if (!isOwnPayment(request, paymentId)) {
    await notify(transaction, {
      ...{ event: 'refunded', interactionId, to: ['client'], occasion: paymentId },
      details: { ...refund, paymentId },
    });
    return true;
  }
  const arrivedAt = isPayout ? 'paidOutAt' : 'refundedAt';
  await transaction
    .update(interactions)
    .set({ [arrivedAt]: sql`now()`, updatedAt: sql`now()` })
    .where(and(eq(interactions.id, interactionId), isNull(interactions[arrivedAt])));
  await notify(
    transaction,
    isPayout
      ? { event: 'paidOut', interactionId, to: ['creator'], details }
      : { event: 'refunded', interactionId, to: ['client'], details: refund },
  );
  return true;
}

/** Locks the request of a case. @throws Problem `money_case_not_found`, `admin_own_record` for a party of its request. */
export async function requireOthers(
  transaction: Transaction,
  admin: Viewer,
  row: { interactionId: string } | null | undefined,
): Promise<void> {
  if (!row) throw new Problem('money_case_not_found');
  const request = await lockRequest(transaction, row.interactionId);
  if (!request) throw new Problem('money_case_not_found');
  if ([request.clientId, request.creatorId].includes(admin.profileId)) throw new Problem('admin_own_record');
}

/**
 * Locks the request until the transaction ends. A transaction of several statements about disbursements, chargebacks or
 * the ledger of a request begins with it, or with the update that decides the request: or two of them could wait for
 * each other.
 */
export async function lockRequest(transaction: Transaction, interactionId: string) {
  const { clientId, creatorId, paymentId, frozenAt } = interactions;
  const [request] = await transaction
    .select({ clientId, creatorId, paymentId, frozenAt })
    .from(interactions)
    .where(eq(interactions.id, interactionId))
    .for('update');
  return request ?? null;
}
