import { isDefiniteRefusal, type Refund } from '@tara/paymongo';
import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { notify } from '../notices/index.ts';
import { book, cash, escrow } from './ledger.ts';
import { errorText, type PaymentContext } from './provider.ts';
import { refunds } from './tables.ts';

type Row = typeof refunds.$inferSelect;
interface Source {
  paymentId: string | null;
  linkId: string | null;
}

/**
 * Brings one refund forward: owed → sending → refunded. May be run at any time and more than once: the payment is asked
 * for its refunds first, and the provider gives back no more than was paid.
 */
export async function payBack(money: PaymentContext, interactionId: string): Promise<void> {
  const { database } = money;
  const [refund] = await database
    .update(refunds)
    .set({ state: 'sending', updatedAt: sql`now()` })
    .where(and(eq(refunds.interactionId, interactionId), ne(refunds.state, 'refunded')))
    .returning();
  if (!refund) return;
  const [source] = await database
    .select({ paymentId: interactions.paymentId, linkId: interactions.linkId })
    .from(interactions)
    .where(eq(interactions.id, interactionId));
  if (!source) return;
  try {
    await recordRefundState(
      money,
      refund,
      (await findSent(money, refund, source)) ?? (await send(money, refund, source)),
    );
  } catch (error) {
    const lastError = error instanceof Error ? errorText(error.message) : 'unknown';
    // A refusal is stored under its key, so the next sending needs another one.
    const attempt = isDefiniteRefusal(error) ? refund.attempt + 1 : refund.attempt;
    await database.update(refunds).set({ lastError, attempt }).where(presentAttempt(refund));
    throw error;
  }
}

const presentAttempt = ({ interactionId, attempt }: Row) =>
  and(eq(refunds.interactionId, interactionId), eq(refunds.attempt, attempt));

async function paymentOf({ provider }: PaymentContext, { paymentId, linkId }: Source) {
  if (paymentId !== null) return provider.payments.get(paymentId);
  const link = linkId === null ? null : await provider.links.get(linkId);
  const payment = link?.payments[0];
  if (!payment) throw new Error('the payment to give back is not known');
  return payment;
}

async function findSent(money: PaymentContext, refund: Row, source: Source): Promise<Refund | null> {
  if (refund.refundId !== null) return money.provider.refunds.get(refund.refundId);
  const payment = await paymentOf(money, source);
  return payment.attributes.refunds?.find(({ attributes }) => attributes.status !== 'failed') ?? null;
}

async function send(money: PaymentContext, refund: Row, source: Source): Promise<Refund> {
  const { id } = await paymentOf(money, source);
  return money.provider.refunds.create(
    {
      amount: refund.amountCentavos,
      payment_id: id,
      reason: 'requested_by_customer',
      notes: refund.interactionId,
    },
    `refund-${refund.interactionId}-${refund.attempt}`,
  );
}

async function recordRefundState(money: PaymentContext, row: Row, refund: Refund): Promise<void> {
  const { database } = money;
  const { interactionId, amountCentavos: amount } = row;
  if (refund.attributes.status !== 'succeeded') {
    const failed = refund.attributes.status === 'failed';
    await database
      .update(refunds)
      .set(
        failed
          ? { refundId: null, attempt: row.attempt + 1, lastError: 'The refund failed.' }
          : { refundId: refund.id, lastError: null },
      )
      .where(presentAttempt(row));
    return;
  }
  const settled = await database.transaction(async (transaction) => {
    const [paid] = await transaction
      .update(refunds)
      .set({ state: 'refunded', refundId: refund.id, lastError: null, refundedAt: sql`now()` })
      .where(and(eq(refunds.interactionId, interactionId), ne(refunds.state, 'refunded')))
      .returning({ id: refunds.interactionId });
    if (!paid) return false;
    const entries = { [escrow(interactionId)]: amount, [cash]: -amount };
    await book(transaction, { kind: 'refund', interactionId, entries });
    await transaction
      .update(interactions)
      .set({ refundedAt: sql`now()`, updatedAt: sql`now()` })
      .where(and(eq(interactions.id, interactionId), isNull(interactions.refundedAt)));
    await notify(transaction, { event: 'refunded', interactionId, to: ['client'] });
    return true;
  });
  if (settled) await announceInteraction(money, interactionId);
}
