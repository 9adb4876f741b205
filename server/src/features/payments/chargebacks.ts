import type { Dispute } from '@tara/paymongo';
import { and, eq, inArray, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { announceInteraction, interactions, presentSteps } from '../interactions/index.ts';
import { bookFrozen, bookLost, bookWon, freezable } from './chargeback-booking.ts';
import type { PaymentContext } from './provider.ts';
import { unnamedPayment } from './refunds.ts';
import { capturedPayments, chargebacks, payouts, refunds } from './tables.ts';

type Request = typeof interactions.$inferSelect;
type Chargeback = typeof chargebacks.$inferSelect;

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
export async function recordChargeback(context: PaymentContext, dispute: Dispute): Promise<void> {
  const paymentId = await findPayment(context, dispute);
  if (paymentId === null) {
    return context.log.error(
      { disputeId: dispute.id },
      'a dispute of the card issuer is for no payment of ours',
    );
  }
  const interactionId = await context.database.transaction(async (transaction) => {
    const request = await lockPaymentRequest(transaction, paymentId);
    if (!request) return null;
    const known = await findChargeback(transaction, dispute.id);
    const row = known ?? (await open(transaction, { request, paymentId, dispute }));
    const outcome = outcomeOf(dispute);
    if (row.state === 'open' && outcome !== 'open')
      await decide(transaction, context, { request, row, outcome });
    return request.id;
  });
  if (interactionId) await announceInteraction(context, interactionId);
}

export async function findChargeback(
  database: Database | Transaction,
  id: string,
): Promise<Chargeback | null> {
  const [row] = await database.select().from(chargebacks).where(eq(chargebacks.id, id));
  return row ?? null;
}

/**
 * The payment of a dispute that is known, named, or the one that the provider calls disputed and no other has; one that
 * its link named late is stored without its name.
 */
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
  const isNamedLate = and(
    eq(capturedPayments.id, sql`'link-' || ${interactions.id}`),
    inArray(interactions.paymentId, candidates),
  );
  const [payment] = await database
    .select({ id: capturedPayments.id })
    .from(capturedPayments)
    .innerJoin(interactions, eq(interactions.id, capturedPayments.interactionId))
    .where(
      and(or(inArray(capturedPayments.id, candidates), isNamedLate), notInArray(capturedPayments.id, taken)),
    );
  return payment?.id ?? null;
}

/** Nothing of the request is decided, sent or booked until the transaction ends. */
async function lockPaymentRequest(transaction: Transaction, paymentId: string): Promise<Request | null> {
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

interface Opened {
  request: Request;
  /** The provider's. */
  paymentId: string;
  dispute: Dispute;
}

async function open(transaction: Transaction, { request, paymentId, dispute }: Opened): Promise<Chargeback> {
  const { amount: amountCentavos, reason } = dispute.attributes;
  const { id: interactionId } = request;
  const payments = await transaction
    .select()
    .from(capturedPayments)
    .where(eq(capturedPayments.interactionId, interactionId));
  // Its link may not have named it when it was captured.
  const names = [paymentId, unnamedPayment(interactionId)];
  const payment = names.flatMap((name) => payments.find(({ id }) => id === name) ?? [])[0];
  if (!payment) throw new Error(`the disputed payment ${paymentId} was not captured`);
  const disputed = { paymentId: payment.id, amountCentavos };
  const [row] = await transaction
    .insert(chargebacks)
    .values({
      ...{ id: dispute.id, interactionId, reason: reason ?? '' },
      ...disputed,
      ...(await freezable(transaction, request, disputed)),
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
  if (row.fromEscrowCentavos + row.fromPayableCentavos === 0) return row;
  await bookFrozen(transaction, request, row);
  await transaction
    .update(interactions)
    .set({ frozenAt: sql`coalesce(${interactions.frozenAt}, now())`, updatedAt: sql`now()` })
    .where(eq(interactions.id, interactionId));
  return row;
}

async function decide(
  transaction: Transaction,
  { config }: Pick<PaymentContext, 'config'>,
  { request, row, outcome }: { request: Request; row: Chargeback; outcome: 'won' | 'lost' },
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
  else await bookLost(transaction, request, row, config.chargebackFeeCentavos);
  await sendWhatWaited(transaction, request.id);
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
