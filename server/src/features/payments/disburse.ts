import { nowMs } from '@tara/contract/clock';
import { isDefiniteRefusal, type Payment, PaymongoError } from '@tara/paymongo';
import { and, desc, eq, inArray, isNull, min, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { announceInteraction, interactions, isHeldBack } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { type Attempt, findAttempt, openAttempt } from './attempts.ts';
import { type Channel, channelFor, type Sent } from './channels.ts';
import { makeUpLoss } from './chargeback-booking.ts';
import {
  type Disbursement,
  endTaken,
  findDisbursement,
  isInDispute,
  isOpenDisbursement,
  isOwnPayment,
  turnIntoGivenBack,
  turnIntoTransfer,
} from './disbursements.ts';
import { errorText, isAway, type PaymentContext } from './provider.ts';
import { isDisputeOver, readPayment, whyHeldBack } from './read-payment.ts';
import { orderTexts } from './sending.ts';
import { lockRequest, settle } from './settle.ts';
import { attempts, disbursements } from './tables.ts';

/** From when on a disbursement is late: an hour. */
const lateMs = 3_600_000;

/**
 * Brings one disbursement forward: owed → sending → arrived. May be run at any time and more than once: what is sent is stored first, and sent
 * again unchanged under its key until the provider definitely refused it, as long as the provider keeps the key; then what the
 * provider has is searched. While the card issuer disputes the payment, or somebody gave back of it without Tara, as the provider shows it
 * right before, nothing is sent.
 */
export async function disburse(context: PaymentContext, id: string): Promise<void> {
  const disbursement = await findDisbursement(context.database, id);
  if (!disbursement || disbursement.state === 'arrived' || disbursement.state === 'void') return;
  try {
    await bringForward(context, disbursement);
  } catch (error) {
    // One that is away for a short time is asked again soon, without a word about it.
    const isLate = disbursement.createdAt.getTime() < nowMs() - lateMs;
    // One that is held back keeps its reason while the provider is away.
    const isNoted = !isHeldBack(disbursement.problem) && (isLate || !isAway(error));
    if (error instanceof PaymongoError && isNoted) await noteProblem(context, disbursement, error.message);
    throw error;
  }
}

async function bringForward(context: PaymentContext, disbursement: Disbursement): Promise<void> {
  const { database } = context;
  const stored = await findAttempt(database, disbursement.id);
  if (stored?.reference != null) {
    const { get } = channelFor(context, disbursement, null);
    return recordSent(context, disbursement, stored, await get(stored.reference));
  }
  if (stored === null && (await isDisputed(context, disbursement))) return;
  const { payment, maySend } = await readDisbursed(context, disbursement);
  if (payment === null && disbursement.way === 'provider') return;
  const channel = channelFor(context, disbursement, payment);
  // What the provider may have is sent again until it answers.
  if (stored === null && maySend && !channel.carries(disbursement.owedCentavos)) {
    await database.transaction(async (transaction) => {
      await lockRequest(transaction, disbursement.interactionId);
      const turn = disbursement.way === 'provider' ? turnIntoTransfer : turnIntoGivenBack;
      await turn(transaction, disbursement.id);
    });
    return void (await announceInteraction(context, disbursement.interactionId));
  }
  const known = stored && { attempt: stored, isRepeated: true };
  const opened = known ?? (maySend ? await openAttempt(context, disbursement) : null);
  if (opened === null) return;
  const { attempt } = opened;
  const order = { ...opened, channel };
  const sent =
    maySend && attempt.age === 'repeatable'
      ? await send(context, disbursement, order)
      : await findSent(context, disbursement, order);
  if (sent) await recordSent(context, disbursement, attempt, sent);
}

const isDisputed = async ({ database }: PaymentContext, { id }: Disbursement): Promise<boolean> =>
  (await database.$count(disbursements, and(eq(disbursements.id, id), isInDispute))) > 0;

/** The payment behind a disbursement, as the provider shows it now, and whether that lets it go. */
async function readDisbursed(
  context: PaymentContext,
  disbursement: Disbursement,
): Promise<{ payment: Payment | null; maySend: boolean }> {
  try {
    const payment = await readPayment(context, disbursement);
    const reason = await whyHeldBack(context, payment);
    if (reason === null) {
      await endHold(context, disbursement);
      return { payment, maySend: true };
    }
    await noteProblem(context, disbursement, reason);
    return { payment, maySend: false };
  } catch (error) {
    if (!isDefiniteRefusal(error)) throw error;
    await noteProblem(context, disbursement, error.message);
    return { payment: null, maySend: false };
  }
}

interface Order {
  attempt: Attempt;
  channel: Channel;
  /** Whether it may have been sent before. */
  isRepeated: boolean;
}

async function send(
  context: PaymentContext,
  disbursement: Disbursement,
  { attempt, channel, isRepeated }: Order,
): Promise<Sent | null> {
  let sent: Sent;
  try {
    sent = await channel.create(attempt);
  } catch (error) {
    if (!isDefiniteRefusal(error)) throw error;
    // What is refused now may have been taken the first time.
    const listed = isRepeated ? ((await channel.find(attempt)) ?? []) : [];
    if (listed.length > 0) return recognize(context, disbursement, { attempt, listed });
    const isForGood = await isRefusedForGood(context, disbursement, error);
    await endAttempt(context, disbursement, attempt, { problem: error.message, isForGood });
    return null;
  }
  // The answer to a repeated order is that to the first one, which may be old.
  return isRepeated ? channel.get(sent.id) : sent;
}

/**
 * The payment's time is over, its method gives nothing back or not so little, or its card issuer took a part of it. Every other refusal may
 * end, or is for an admin.
 */
async function isRefusedForGood(
  context: PaymentContext,
  { way, paymentId }: Disbursement,
  error: PaymongoError,
): Promise<boolean> {
  if (way !== 'provider') return false;
  if (error.has('resource_disputed_state')) return isDisputeOver(context, paymentId);
  return ['allowed_date_exceeded', 'parameter_below_minimum', 'payment_not_refundable'].some((code) =>
    error.has(code),
  );
}

/**
 * What the provider has of an attempt that is not repeated, also when the answer to its sending was lost. One that it does not have, when
 * nothing of it can be on its way any more, is followed by another attempt.
 */
async function findSent(
  context: PaymentContext,
  disbursement: Disbursement,
  { attempt, channel }: Order,
): Promise<Sent | null> {
  const listed = await channel.find(attempt);
  if (listed !== null && listed.length > 0) return recognize(context, disbursement, { attempt, listed });
  if (listed !== null && attempt.age === 'forgotten')
    await endAttempt(context, disbursement, attempt, { problem: orderTexts.forgotten, isLost: true });
  else if (attempt.age !== 'repeatable') await noteProblem(context, disbursement, orderTexts.unclear);
  return null;
}

/** What the provider has, if it can be nothing but this attempt; everything else is for an admin. */
async function recognize(
  context: PaymentContext,
  disbursement: Disbursement,
  { attempt, listed: [sent, ...others] }: { attempt: Attempt; listed: Sent[] },
): Promise<Sent | null> {
  if (sent && others.length === 0 && sent.amountCentavos === attempt.amountCentavos) return sent;
  await noteProblem(context, disbursement, orderTexts.doubtful);
  return null;
}

/** What held it back is over: it may wait for a person from here on. */
async function endHold(context: PaymentContext, { id, interactionId, problem }: Disbursement): Promise<void> {
  if (problem === null || !isHeldBack(problem)) return;
  const ended = await context.database
    .update(disbursements)
    .set({ problem: null, updatedAt: sql`now()` })
    .where(and(eq(disbursements.id, id), eq(disbursements.problem, problem), isOpenDisbursement))
    .returning({ id: disbursements.id });
  if (ended.length > 0) await announceInteraction(context, interactionId);
}

async function noteProblem(
  context: PaymentContext,
  { id, interactionId }: Disbursement,
  reason: string,
): Promise<void> {
  await context.database
    .update(disbursements)
    .set({ problem: errorText(reason), updatedAt: sql`now()` })
    .where(and(eq(disbursements.id, id), isOpenDisbursement));
  await announceInteraction(context, interactionId);
}

/** Stores what the provider says of an attempt that it has. */
async function recordSent(
  context: PaymentContext,
  disbursement: Disbursement,
  { number }: Pick<Attempt, 'number'>,
  sent: Sent,
): Promise<void> {
  const { interactionId } = disbursement;
  if (sent.status === 'failed')
    return endAttempt(context, disbursement, { number }, { problem: sent.problem, reference: sent.id });
  const isNew = await context.database.transaction(async (transaction) => {
    await lockRequest(transaction, interactionId);
    if (sent.status === 'succeeded') {
      const { id: reference, feeCentavos } = sent;
      return settle(transaction, disbursement, { number, reference, feeCentavos });
    }
    return recordReference(transaction, disbursement, number, sent.id);
  });
  if (isNew) await announceInteraction(context, interactionId);
}

/** Stores what the provider calls an attempt that is under way, and tells a creator that a payout is, once for each number. @returns whether that was not known. */
export async function recordReference(
  transaction: Transaction,
  disbursement: Disbursement,
  number: number,
  reference: string,
): Promise<boolean> {
  const { interactionId, purpose } = disbursement;
  const amount = await noteReference(transaction, disbursement, number, reference);
  if (amount !== null && purpose === 'payout') {
    const occasion = await numberOccasion(transaction, disbursement, number);
    const details = { amount: String(amount) };
    await notify(transaction, { event: 'payoutSent', interactionId, to: ['creator'], occasion, details });
  }
  return amount !== null;
}

/**
 * The occasion of what a creator is told of an attempt: once for each number, by the first attempt that went there. The reconciler makes
 * another one every hour.
 */
async function numberOccasion(
  transaction: Transaction,
  { id }: Pick<Disbursement, 'id'>,
  number: number,
): Promise<string> {
  const before = alias(attempts, 'before');
  const [first] = await transaction
    .select({ number: min(before.number) })
    .from(attempts)
    .innerJoin(
      before,
      and(
        eq(before.disbursementId, attempts.disbursementId),
        sql`${before.destination} ->> 'number' = ${attempts.destination} ->> 'number'`,
      ),
    )
    .where(and(eq(attempts.disbursementId, id), eq(attempts.number, number)));
  // An attempt of an earlier version may have no number.
  return `${first?.number ?? number}`;
}

/** Stores what the provider calls an attempt that is under way. @returns its centavos where that was not known. */
async function noteReference(
  transaction: Transaction,
  { id }: Disbursement,
  number: number,
  reference: string,
): Promise<number | null> {
  const [noted] = await transaction
    .update(attempts)
    .set({ reference })
    .where(
      and(
        ...[eq(attempts.disbursementId, id), eq(attempts.number, number), eq(attempts.state, 'sent')],
        sql`${attempts.reference} is distinct from ${reference}`,
      ),
    )
    .returning({ amount: attempts.amountCentavos });
  // When it was looked at. The attempt may have been refused since.
  await transaction
    .update(disbursements)
    .set({ problem: null, updatedAt: sql`now()` })
    .where(
      and(
        ...[eq(disbursements.id, id), isOpenDisbursement],
        sql`exists (select from ${attempts} where ${attempts.disbursementId} = ${disbursements.id}
          and ${attempts.number} = ${number} and ${attempts.state} = 'sent')`,
      ),
    );
  return noted?.amount ?? null;
}

interface Ending {
  /** In the provider's words. */
  problem: string;
  /** It never arrived at the provider. */
  isLost?: boolean;
  /** The way that the payment came is closed. */
  isForGood?: boolean;
  /** What the provider calls it, of one that it had. */
  reference?: string;
}

/** Attempts at refunds that follow each other soon; later ones are the reconciler's, every hour. */
const soonAttempts = 4;
const pauseMs = 5000;

async function endAttempt(
  context: PaymentContext,
  disbursement: Disbursement,
  attempt: Pick<Attempt, 'number'>,
  ending: Ending,
): Promise<void> {
  const { id: disbursementId, interactionId } = disbursement;
  // The reason is the provider's words, which may name the account: it stands with the disbursement.
  context.log.warn({ disbursementId, attempt: attempt.number }, 'a disbursement was refused');
  await context.database.transaction((transaction) =>
    storeEnding(transaction, disbursement, attempt, ending),
  );
  await announceInteraction(context, interactionId);
}

/** An attempt is known to have moved nothing: the next one gets a key of its own. */
export async function storeEnding(
  transaction: Transaction,
  disbursement: Disbursement,
  { number }: Pick<Attempt, 'number'>,
  { problem: reason, isLost = false, isForGood = false, reference }: Ending,
): Promise<void> {
  const { id: disbursementId, interactionId, purpose, way } = disbursement;
  const problem = errorText(reason);
  // Tara can do something about its balance, the receiver about everything else.
  const isAboutReceiver = way === 'transfer' && !isLost && !/balance|insufficient/i.test(reason);
  const request = await lockRequest(transaction, interactionId);
  const ended = await transaction
    .update(attempts)
    .set({ state: isLost ? 'lost' : 'refused', problem, endedAt: sql`now()` })
    .where(
      and(
        eq(attempts.disbursementId, disbursementId),
        eq(attempts.number, number),
        eq(attempts.state, 'sent'),
        // Another run may have found or sent it meanwhile: then it has a reference, and only what is said of that ends it.
        or(isNull(attempts.reference), eq(attempts.reference, reference ?? '')),
      ),
    )
    .returning({ number: attempts.number });
  if (ended.length === 0) return;
  const [left] = await transaction
    .update(disbursements)
    .set({
      // What never arrived was refused by nobody.
      ...{ state: 'owed', problem: isLost ? null : problem, updatedAt: sql`now()` },
      // Its client names another one.
      ...(purpose === 'refund' && isAboutReceiver ? { number: null } : {}),
    })
    .where(eq(disbursements.id, disbursementId))
    .returning({ paymentId: disbursements.paymentId });
  if (!left || !request) throw new Error(`disbursement ${disbursementId} is not there`);
  const { paymentId } = left;
  if (purpose === 'refund') await makeUpLoss(transaction, interactionId, paymentId);
  // What nobody is owed any more ends.
  await endTaken(transaction, paymentId);
  if ((await findDisbursement(transaction, disbursementId))?.state !== 'owed') return;
  // It is not sent again while the card issuer disputes its payment.
  const disputed = and(eq(disbursements.id, disbursementId), isInDispute);
  if (isOwnPayment(request, paymentId) && (await transaction.$count(disbursements, disputed)) > 0)
    await transaction
      .update(interactions)
      .set({ frozenAt: sql`coalesce(${interactions.frozenAt}, now())` })
      .where(eq(interactions.id, interactionId));
  if (isForGood) return void (await turnIntoTransfer(transaction, disbursementId));
  if (isLost) return tasks.disburse.enqueue(transaction, { disbursementId });
  if (way === 'provider' && number < soonAttempts) {
    const runAt = new Date(nowMs() + pauseMs);
    return tasks.disburse.enqueue(transaction, { disbursementId }, { runAt });
  }
  if (!isAboutReceiver) return;
  // A refund asks its client for another number.
  if (purpose === 'refund') return tasks.disburse.enqueue(transaction, { disbursementId });
  const occasion = await numberOccasion(transaction, disbursement, number);
  await notify(transaction, { event: 'payoutRefused', interactionId, to: ['creator'], occasion });
}

/**
 * Takes up the attempt again whose transfer the provider made after it was given up, so that no other one is sent: also of what nobody is
 * owed any more, so that it is booked.
 */
export async function takeTransfer(context: PaymentContext, id: string, transferId: string): Promise<void> {
  const disbursement = await findDisbursement(context.database, id);
  if (disbursement?.state !== 'owed' && disbursement?.state !== 'void') return;
  const transfer = await context.provider.transfers.get(transferId).catch((error: unknown) => {
    if (isDefiniteRefusal(error)) return null;
    throw error;
  });
  if (transfer?.reference_number !== id || transfer.status === 'failed') return;
  const isTaken = await context.database.transaction(async (transaction) => {
    await lockRequest(transaction, disbursement.interactionId);
    const [ended] = await transaction
      .select({ number: attempts.number })
      .from(attempts)
      .where(
        and(
          ...[eq(attempts.disbursementId, id), eq(attempts.way, 'transfer')],
          ...[inArray(attempts.state, ['refused', 'lost']), eq(attempts.amountCentavos, transfer.amount)],
        ),
      )
      .orderBy(
        sql`coalesce(${attempts.reference} = ${transfer.id}, false) desc`,
        sql`coalesce(${attempts.destination} ->> 'number' = ${transfer.destination_account.number}, false) desc`,
        desc(attempts.number),
      )
      .limit(1);
    if (!ended) return false;
    const taken = await transaction
      .update(disbursements)
      .set({ state: 'sending', way: 'transfer', problem: null, updatedAt: sql`now()` })
      .where(and(eq(disbursements.id, id), inArray(disbursements.state, ['owed', 'void'])))
      .returning({ id: disbursements.id });
    if (taken.length === 0) return true;
    await transaction
      .update(attempts)
      .set({ state: 'sent', reference: transfer.id, problem: null, endedAt: null })
      .where(and(eq(attempts.disbursementId, id), eq(attempts.number, ended.number)));
    return true;
  });
  if (!isTaken) await noteProblem(context, disbursement, orderTexts.doubtful);
}

/** Tries again what waits for a creator's phone number, after it changed. */
export async function retryPayouts(
  { database }: Pick<PaymentContext, 'database'>,
  profileId: string,
): Promise<void> {
  const waiting = await database
    .select({ disbursementId: disbursements.id })
    .from(disbursements)
    .where(and(eq(disbursements.recipientId, profileId), isOpenDisbursement));
  for (const job of waiting) await tasks.disburse.enqueue(database, job);
}
