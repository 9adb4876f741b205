import type { Dispute } from '@tara/paymongo';
import { and, eq, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { announceInteraction, interactions, presentSteps } from '../interactions/index.ts';
import { notify } from '../notices/index.ts';
import {
  balanceOf,
  book,
  cash,
  chargedBack,
  disputed,
  escrow,
  fees,
  heldFor,
  losses,
  payable,
} from './ledger.ts';
import type { PaymentContext } from './provider.ts';
import { oweRefund } from './refunds.ts';
import { capturedPayments, chargebacks, payoutAttempts, payouts, refunds } from './tables.ts';

type Request = typeof interactions.$inferSelect;
type Chargeback = typeof chargebacks.$inferSelect;

/** What the provider keeps of a chargeback that is lost (its price list, 2026). */
const chargebackFeeCentavos = 800_00;

type Outcome = Chargeback['state'];
/** How a dispute ended, as far as it did; an unknown status is open. */
export const outcomeOf = ({ attributes: { status } }: Dispute): Outcome => {
  if (status === 'won') return 'won';
  return status === 'lost' || status === 'expired' ? 'lost' : 'open';
};

/**
 * Records what the provider says of a dispute by the card issuer: opens it once, and decides it once, in whatever order
 * and however often the events come. Both are one transaction with the request, the ledger, and what was to be sent.
 */
export async function recordChargeback(money: PaymentContext, dispute: Dispute): Promise<void> {
  const paymentId = await findPayment(money, dispute);
  if (paymentId === null) {
    return money.log.error(
      { disputeId: dispute.id },
      'a dispute of the card issuer is for no payment of ours',
    );
  }
  const interactionId = await money.database.transaction(async (transaction) => {
    const request = await lockRequest(transaction, paymentId);
    if (!request) return null;
    const known = await findChargeback(transaction, dispute.id);
    const row = known ?? (await open(transaction, request, dispute));
    const outcome = outcomeOf(dispute);
    if (row.state === 'open' && outcome !== 'open') await decide(transaction, request, row, outcome);
    return request.id;
  });
  if (interactionId) await announceInteraction(money, interactionId);
}

export async function findChargeback(
  database: Database | Transaction,
  id: string,
): Promise<Chargeback | null> {
  const [row] = await database.select().from(chargebacks).where(eq(chargebacks.id, id));
  return row ?? null;
}

/** The payment of a dispute that is known, named, or the one that the provider calls disputed and no other has. */
async function findPayment({ database, provider }: PaymentContext, dispute: Dispute): Promise<string | null> {
  const known = await findChargeback(database, dispute.id);
  if (known) return known.paymentId;
  const { payment_id: named, amount } = dispute.attributes;
  if (named) return named;
  const { items } = await provider.payments.list({ limit: 100 });
  const candidates = items.flatMap(({ id, attributes }) =>
    attributes.disputed === true && attributes.amount >= amount ? id : [],
  );
  if (candidates.length === 0) return null;
  const taken = database.select({ id: chargebacks.paymentId }).from(chargebacks);
  const [payment] = await database
    .select({ id: capturedPayments.id })
    .from(capturedPayments)
    .where(and(inArray(capturedPayments.id, candidates), notInArray(capturedPayments.id, taken)));
  return payment?.id ?? null;
}

/** Nothing of the request is decided, sent or booked until the transaction ends. */
async function lockRequest(transaction: Transaction, paymentId: string): Promise<Request | null> {
  const [payment] = await transaction
    .select({ interactionId: capturedPayments.interactionId })
    .from(capturedPayments)
    .where(eq(capturedPayments.id, paymentId));
  const [request] = await transaction
    .select()
    .from(interactions)
    .where(or(eq(interactions.id, payment?.interactionId ?? ''), eq(interactions.paymentId, paymentId)))
    .for('update');
  return request ?? null;
}

/** The earnings of a request that no transfer was begun for. */
async function unsentPayout(transaction: Transaction, interactionId: string) {
  const [row] = await transaction
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.interactionId, interactionId),
        eq(payouts.purpose, 'earnings'),
        eq(payouts.state, 'owed'),
        sql`not exists (select from ${payoutAttempts} where ${payoutAttempts.payoutId} = ${payouts.id})`,
      ),
    )
    .for('update');
  return row ?? null;
}

async function open(transaction: Transaction, request: Request, dispute: Dispute): Promise<Chargeback> {
  const { amount, reason } = dispute.attributes;
  const { id: interactionId, creatorId } = request;
  const fromEscrowCentavos = Math.max(0, Math.min(amount, await heldFor(transaction, interactionId)));
  const payout = await unsentPayout(transaction, interactionId);
  const fromPayableCentavos = Math.min(amount - fromEscrowCentavos, payout?.amountCentavos ?? 0);
  const frozen = fromEscrowCentavos + fromPayableCentavos;
  const payments = await transaction
    .select()
    .from(capturedPayments)
    .where(eq(capturedPayments.interactionId, interactionId));
  const { attributes } = dispute;
  const payment = payments.find(({ id }) => id === attributes.payment_id) ?? payments[0];
  const [row] = await transaction
    .insert(chargebacks)
    .values({
      ...{ id: dispute.id, interactionId, paymentId: payment?.id ?? '', amountCentavos: amount },
      ...{ reason: reason ?? '', fromEscrowCentavos, fromPayableCentavos },
      evidence: {
        planTitle: request.planTitle,
        terms: request.terms,
        steps: presentSteps(request),
        payments: payments.map(({ id, amountCentavos, method, paidAt }) => ({
          ...{ id, amountCentavos, method, paidAt: paidAt.toISOString() },
        })),
        referenceNumber: request.referenceNumber,
      },
    })
    .returning();
  if (!row) throw new Error('a chargeback was not stored');
  if (frozen === 0) return row;
  await book(transaction, {
    ...{ kind: 'chargeback', interactionId, of: row.id },
    entries: {
      [escrow(interactionId)]: fromEscrowCentavos,
      [payable(creatorId)]: fromPayableCentavos,
      [disputed(interactionId)]: -frozen,
    },
  });
  await transaction
    .update(interactions)
    .set({ frozenAt: sql`coalesce(${interactions.frozenAt}, now())`, updatedAt: sql`now()` })
    .where(eq(interactions.id, interactionId));
  return row;
}

async function decide(
  transaction: Transaction,
  request: Request,
  row: Chargeback,
  outcome: 'won' | 'lost',
): Promise<void> {
  await transaction
    .update(chargebacks)
    .set({ state: outcome, decidedAt: sql`now()` })
    .where(and(eq(chargebacks.id, row.id), eq(chargebacks.state, 'open')));
  const others = await transaction.$count(
    chargebacks,
    and(eq(chargebacks.interactionId, request.id), eq(chargebacks.state, 'open')),
  );
  if (others === 0) {
    await transaction.update(interactions).set({ frozenAt: null }).where(eq(interactions.id, request.id));
  }
  if (outcome === 'won') await bookWon(transaction, request, row);
  else await bookLost(transaction, request, row);
  await sendWhatWaited(transaction, request.id);
}

/** The money is where it was before. */
async function bookWon(transaction: Transaction, { id: interactionId, creatorId }: Request, row: Chargeback) {
  const { fromEscrowCentavos, fromPayableCentavos } = row;
  const frozen = fromEscrowCentavos + fromPayableCentavos;
  if (frozen === 0) return;
  await book(transaction, {
    ...{ kind: 'chargeback_won', interactionId, of: row.id },
    entries: {
      [disputed(interactionId)]: frozen,
      [escrow(interactionId)]: -fromEscrowCentavos,
      [payable(creatorId)]: -fromPayableCentavos,
    },
  });
}

/**
 * The issuer took the money: what was frozen is gone, the rest is the house's loss, as is a refund that arrived meanwhile.
 * A request that is not over ends.
 */
async function bookLost(transaction: Transaction, request: Request, row: Chargeback): Promise<void> {
  const { id: interactionId } = request;
  const { amountCentavos, fromEscrowCentavos, fromPayableCentavos } = row;
  const frozen = fromEscrowCentavos + fromPayableCentavos;
  const overdrawn = Math.max(0, await balanceOf(transaction, escrow(interactionId)));
  await book(transaction, {
    ...{ kind: 'chargeback_lost', interactionId, of: row.id },
    entries: {
      [disputed(interactionId)]: frozen,
      [losses]: amountCentavos - frozen + overdrawn,
      [escrow(interactionId)]: -overdrawn,
      [chargedBack]: -amountCentavos,
      [fees]: chargebackFeeCentavos,
      [cash]: -chargebackFeeCentavos,
    },
  });
  await reducePayout(transaction, interactionId, fromPayableCentavos);
  await reduceRefund(transaction, row, fromEscrowCentavos);
  const isOver = request.cancelledAt !== null || request.completedAt !== null;
  const isOwnPayment = request.paymentId === row.paymentId || request.paymentId === null;
  if (!isOwnPayment || frozen === 0) return;
  // Of an issuer that takes only a part back, the rest follows.
  const rest = isOver ? 0 : Math.max(0, await heldFor(transaction, interactionId));
  await transaction
    .update(interactions)
    .set({
      chargedBackAt: sql`now()`,
      updatedAt: sql`now()`,
      ...(isOver
        ? {}
        : { cancelledAt: sql`now()`, cancelReason: 'charged_back' as const, refundCentavos: rest }),
    })
    .where(and(eq(interactions.id, interactionId), isNull(interactions.chargedBackAt)));
  if (rest > 0) await oweRefund(transaction, request, rest);
  const details = { amount: String(amountCentavos) };
  await notify(transaction, { event: 'chargedBack', interactionId, to: ['client', 'creator'], details });
}

/** Nothing was sent of it: what the issuer took is not owed to the creator any more. */
async function reducePayout(
  transaction: Transaction,
  interactionId: string,
  centavos: number,
): Promise<void> {
  const payout = centavos > 0 ? await unsentPayout(transaction, interactionId) : null;
  if (!payout) return;
  const here = eq(payouts.id, payout.id);
  const amountCentavos = payout.amountCentavos - centavos;
  if (amountCentavos === 0) await transaction.delete(payouts).where(here);
  else await transaction.update(payouts).set({ amountCentavos }).where(here);
}

/** The client has it back already, so what was to be refunded of this payment is not owed any more. */
async function reduceRefund(transaction: Transaction, row: Chargeback, centavos: number): Promise<void> {
  const [refund] = await transaction
    .select()
    .from(refunds)
    .where(
      and(
        or(eq(refunds.paymentId, row.paymentId), eq(refunds.id, row.interactionId)),
        ne(refunds.state, 'refunded'),
        isNull(refunds.refundId),
      ),
    )
    .for('update');
  if (!refund || centavos === 0) return;
  const amountCentavos = refund.amountCentavos - centavos;
  const carrier = eq(payouts.id, `${refund.id}-refund`);
  if (amountCentavos > 0) {
    await transaction.update(refunds).set({ amountCentavos }).where(eq(refunds.id, refund.id));
    await transaction.update(payouts).set({ amountCentavos }).where(carrier);
    return;
  }
  await transaction.delete(payouts).where(carrier);
  await transaction.delete(refunds).where(eq(refunds.id, refund.id));
}

async function sendWhatWaited(transaction: Transaction, interactionId: string): Promise<void> {
  const owed = await transaction
    .select({ payoutId: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.interactionId, interactionId), ne(payouts.state, 'paid')));
  for (const job of owed) await tasks.payout.enqueue(transaction, job);
  const back = await transaction
    .select({ refundId: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.interactionId, interactionId), ne(refunds.state, 'refunded')));
  for (const job of back) await tasks.refund.enqueue(transaction, job);
}
