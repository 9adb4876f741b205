import { nowMs } from '@tara/contract/clock';
import { isDefiniteRefusal, PaymongoError, type Transfer } from '@tara/paymongo';
import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { tasks } from '../../platform/tasks.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { type Attempt, findAttempt, openAttempt, ownAccount, railFor } from './attempts.ts';
import { errorText, isAway, type PaymentContext } from './provider.ts';
import { heldBackText, isHeldBack, readPayment } from './read-payment.ts';
import { orderTexts } from './sending.ts';
import { lockRequest, settlePayout } from './settle.ts';
import { capturedPayments, payoutAttempts, payouts, refunds } from './tables.ts';

type Payout = typeof payouts.$inferSelect;

/** From when on a payout is late: an hour. */
const lateMs = 3_600_000;

/**
 * Brings one payout forward: owed → sending → paid. May be run at any time and more than once: an attempt sends the same order
 * under the same idempotency key until the provider definitely refused it, as long as the provider keeps the key; then what the
 * provider has is searched. While the card issuer disputes the payment, as the provider shows it right before, nothing is sent.
 */
export async function payOut(context: PaymentContext, payoutId: string): Promise<void> {
  const [payout] = await context.database.select().from(payouts).where(eq(payouts.id, payoutId));
  if (!payout || payout.state === 'paid') return;
  try {
    const transfer =
      payout.transferId === null
        ? await orderTransfer(context, payout)
        : await context.provider.transfers.get(payout.transferId);
    if (transfer) await recordTransferState(context, payout, transfer);
  } catch (error) {
    // One that is away for a short time is asked again soon, without a word about it.
    const isLate = payout.createdAt.getTime() < nowMs() - lateMs;
    if (error instanceof PaymongoError && (isLate || !isAway(error)))
      await noteError(context, payout, error.message);
    throw error;
  }
}

/** Sends what is owed, or finds what was sent and is not repeated any more. */
async function orderTransfer(context: PaymentContext, payout: Payout): Promise<Transfer | null> {
  const maySend = await mayBeSent(context, payout);
  const stored = await findAttempt(context.database, payout);
  const attempt = stored ?? (maySend ? await openAttempt(context, payout) : null);
  if (!attempt) return null;
  if (!(maySend && attempt.age === 'repeatable')) return findSent(context, payout, attempt);
  const sent = await send(context, payout, attempt, { isRepeated: stored !== null });
  // The answer to a repeated order is that to the first one, which may be old.
  return sent && stored ? context.provider.transfers.get(sent.id) : sent;
}

/** Whether the payment behind a payout lets it go, as the provider shows it now. */
async function mayBeSent(context: PaymentContext, payout: Payout): Promise<boolean> {
  const { interactionId } = payout;
  try {
    const paymentId = await paymentBehind(context, payout);
    const payment = await readPayment(context, { paymentId, interactionId });
    if (!(await isHeldBack(context, payment))) return true;
    await noteError(context, payout, heldBackText);
  } catch (error) {
    if (!isDefiniteRefusal(error)) throw error;
    await noteError(context, payout, error.message);
  }
  await announceInteraction(context, interactionId);
  return false;
}

/** The payment that a payout passes on, or gives back. */
async function paymentBehind({ database }: PaymentContext, payout: Payout): Promise<string> {
  const { id, interactionId, purpose } = payout;
  const isRefunded = eq(refunds.id, id.replace(/-refund$/, ''));
  const [row] =
    purpose === 'refund'
      ? await database.select({ id: refunds.paymentId }).from(refunds).where(isRefunded)
      : await database
          .select({ id: capturedPayments.id })
          .from(capturedPayments)
          .innerJoin(interactions, eq(interactions.id, capturedPayments.interactionId))
          .where(
            and(
              eq(interactions.id, interactionId),
              eq(capturedPayments.id, sql`coalesce(${interactions.paymentId}, ${capturedPayments.id})`),
            ),
          );
  if (!row) throw new Error(`payout ${id} has no payment`);
  return row.id;
}

/**
 * The transfer of an attempt that is not repeated, also when the answer to its sending was lost. One that the provider does not
 * have, when nothing of it can be on its way any more, is followed by another attempt.
 */
async function findSent(context: PaymentContext, payout: Payout, attempt: Attempt): Promise<Transfer | null> {
  const [sent, ...others] = await listSent(context, payout, attempt);
  if (sent && others.length === 0 && sent.amount === attempt.amountCentavos) return sent;
  if (sent) await noteError(context, payout, orderTexts.doubtful);
  else if (attempt.age === 'forgotten')
    await allowAnother(context, payout, { reason: orderTexts.forgotten, whose: 'nobody' });
  else if (attempt.age === 'unclear') await noteError(context, payout, orderTexts.unclear);
  return null;
}

/** Records a transfer of a payout that the provider made after its attempt was given up, so that no other one is sent. */
export async function takeTransfer(
  context: PaymentContext,
  payout: Payout,
  transferId: string,
): Promise<void> {
  const transfer = await context.provider.transfers.get(transferId).catch((error: unknown) => {
    if (isDefiniteRefusal(error)) return null;
    throw error;
  });
  if (transfer?.reference_number !== payout.id || transfer.status === 'failed') return;
  if (transfer.amount !== payout.amountCentavos) return noteError(context, payout, orderTexts.doubtful);
  await recordTransferState(context, payout, transfer);
}

/** What the provider has of a payout that did not fail. */
async function listSent({ provider }: PaymentContext, payout: Payout, attempt: Attempt): Promise<Transfer[]> {
  const since = new Date(attempt.firstSentMs);
  const listed = await provider.transfers.findByReference(payout.id, since);
  return listed.filter(({ status }) => status !== 'failed');
}

async function send(
  context: PaymentContext,
  payout: Payout,
  attempt: Attempt,
  { isRepeated }: { isRepeated: boolean },
): Promise<Transfer | null> {
  const { id } = payout;
  const { amountCentavos: amount } = attempt;
  const source = attempt.source ?? (await ownAccount(context.provider));
  try {
    return await context.provider.transfers.create(
      {
        amount,
        currency: 'PHP',
        provider: railFor(amount),
        source_account: source,
        destination_account: attempt.destination,
        reference_number: id,
        description: 'Tara plan',
      },
      attempt.idempotencyKey,
    );
  } catch (error) {
    if (!isDefiniteRefusal(error)) throw error;
    // What is refused now may have been taken the first time.
    const [taken] = isRepeated ? await listSent(context, payout, attempt) : [];
    if (taken) return taken;
    await allowAnother(context, payout, refusedFor(error.message));
    return null;
  }
}

async function noteError({ database }: PaymentContext, payout: Payout, reason: string): Promise<void> {
  await database
    .update(payouts)
    .set({ lastError: errorText(reason), updatedAt: sql`now()` })
    .where(and(eq(payouts.id, payout.id), eq(payouts.attempt, payout.attempt)));
}

async function recordTransferState(
  context: PaymentContext,
  payout: Payout,
  transfer: Transfer,
): Promise<void> {
  if (transfer.status === 'succeeded') {
    return void (await settlePayout(context, payout, { transferId: transfer.id, fee: transfer.fee ?? 0 }));
  }
  if (transfer.status === 'failed') {
    const reason = transfer.provider_error ?? transfer.provider_error_message;
    return allowAnother(context, payout, refusedFor(reason ?? 'The transfer failed.'));
  }
  const { id, attempt, interactionId, purpose } = payout;
  await context.database.transaction(async (transaction) => {
    await lockRequest(transaction, interactionId);
    const [sent] = await transaction
      .update(payouts)
      .set({ transferId: transfer.id, lastError: null, updatedAt: sql`now()` })
      .where(and(eq(payouts.id, id), eq(payouts.attempt, attempt)))
      .returning({ amount: payouts.amountCentavos, state: payouts.state });
    if (sent === undefined || sent.state === 'paid' || purpose === 'refund') return;
    await notify(transaction, {
      ...{ event: 'payoutSent', interactionId, to: ['creator'], occasion: `${attempt}` },
      details: { amount: String(sent.amount) },
    });
  });
}

interface Refusal {
  reason: string;
  /** Who can do something about it: the receiver, about their number; Tara, about its balance. */
  whose: 'receiver' | 'tara' | 'nobody';
}

const refusedFor = (reason: string): Refusal => ({
  reason,
  whose: /balance|insufficient/i.test(reason) ? 'tara' : 'receiver',
});

/** This sending is known to have moved nothing: the next one gets a key of its own. Counted once by its attempt. */
async function allowAnother(
  context: PaymentContext,
  payout: Payout,
  { reason, whose }: Refusal,
): Promise<void> {
  const { database, log } = context;
  const { id, attempt, interactionId, purpose } = payout;
  const isAboutReceiver = whose === 'receiver';
  // The reason is the provider's words, which may name the account: it stands with the payout.
  log.warn({ payoutId: id, attempt }, 'a payout was refused');
  await database.transaction(async (transaction) => {
    await lockRequest(transaction, interactionId);
    const raised = await transaction
      .update(payouts)
      .set({
        attempt: attempt + 1,
        transferId: null,
        lastError: errorText(reason),
        // Its client names another one.
        ...(payout.purpose === 'refund' && isAboutReceiver ? { number: null } : {}),
        updatedAt: sql`now()`,
      })
      .where(
        and(
          eq(payouts.id, id),
          eq(payouts.attempt, attempt),
          eq(payouts.state, 'sending'),
          // Another run may have found it meanwhile.
          whose === 'nobody' ? isNull(payouts.transferId) : undefined,
        ),
      )
      .returning({ id: payouts.id });
    if (raised.length === 0) return;
    await transaction
      .update(payoutAttempts)
      .set({ refusedAt: sql`now()`, refusal: errorText(reason) })
      .where(and(eq(payoutAttempts.payoutId, id), eq(payoutAttempts.attempt, attempt)));
    if (whose === 'tara') return;
    const occasion = `${attempt}`;
    // It asks the client for another number, or sends again what never arrived.
    await (purpose === 'refund' || whose === 'nobody'
      ? tasks.payout.enqueue(transaction, { payoutId: id })
      : notify(transaction, { event: 'payoutRefused', interactionId, to: ['creator'], occasion }));
  });
  await announceInteraction(context, interactionId);
}

/** Tries again what waits for a creator's phone number, after it changed. */
export async function retryPayouts(
  { database }: Pick<PaymentContext, 'database'>,
  profileId: string,
): Promise<void> {
  const waiting = await database
    .select({ payoutId: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.recipientId, profileId), ne(payouts.state, 'paid'), isNull(payouts.transferId)));
  for (const job of waiting) await tasks.payout.enqueue(database, job);
}
