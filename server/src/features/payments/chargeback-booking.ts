import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { interactions } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import {
  atRisk,
  book,
  cash,
  chargedBack,
  escrow,
  fees,
  heldByProvider,
  heldFor,
  losses,
  payable,
  readBalance,
} from './ledger.ts';
import { isOrdered, oweRefund } from './refunds.ts';
import {
  capturedPayments,
  chargebacks,
  ledgerEntries,
  ledgerTransfers,
  payoutAttempts,
  payouts,
  refunds,
} from './tables.ts';

type Request = typeof interactions.$inferSelect;
type Chargeback = typeof chargebacks.$inferSelect;

/** Nothing of a payout is under way at the provider: no attempt was begun, or the last one was refused. */
export const isUnsent = sql`not exists (select from ${payoutAttempts} where ${payoutAttempts.payoutId} = ${payouts.id}
  and ${payoutAttempts.attempt} = ${payouts.attempt})`;

/** Whether a card issuer disputes a captured payment, or took it back: no other dispute is about it. */
export const isDisputed = sql`exists (select from ${chargebacks} where ${chargebacks.paymentId} = ${capturedPayments.id}
  and ${chargebacks.state} <> 'won')`;

/** The earnings of a request that are not under way. */
async function unsentPayout(transaction: Transaction, interactionId: string) {
  const [row] = await transaction
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.interactionId, interactionId),
        eq(payouts.purpose, 'earnings'),
        ne(payouts.state, 'paid'),
        isUnsent,
      ),
    )
    .for('update');
  return row ?? null;
}

/** Whether a payment is the one that the request was paid with, not one that came a second time and goes back. */
const isOwnPayment = (request: Request, paymentId: string) =>
  request.paymentId === null || request.paymentId === paymentId;

/** The refund of a payment that has not arrived, if there is one. */
async function openRefund(transaction: Transaction, request: Request, paymentId: string) {
  const id = isOwnPayment(request, paymentId) ? request.id : paymentId;
  const [refund] = await transaction
    .select()
    .from(refunds)
    .where(and(eq(refunds.id, id), ne(refunds.state, 'refunded')))
    .for('update');
  return refund ?? null;
}

/** The payout that carries a refund to the client by a transfer, if one does. */
async function lockCarrier(transaction: Transaction, refund: { id: string }) {
  const [carrier] = await transaction
    .select({ id: payouts.id, amountCentavos: payouts.amountCentavos, isUnsent: sql<boolean>`${isUnsent}` })
    .from(payouts)
    .where(eq(payouts.id, `${refund.id}-refund`))
    .for('update');
  return carrier ?? null;
}

/** Whether the provider may be carrying a refund to the client already. */
async function isUnderWay(transaction: Transaction, refund: typeof refunds.$inferSelect): Promise<boolean> {
  if (refund.refundId !== null || (refund.way === 'provider' && isOrdered(refund))) return true;
  return (await lockCarrier(transaction, refund))?.isUnsent === false;
}

/**
 * What is held for the request's own payment: without what another payment of it is owed back, as far as that is not
 * frozen by a dispute of its own. Centavos.
 */
async function heldForOwnPayment(transaction: Transaction, { id }: Request): Promise<number> {
  const frozen = sql`(select coalesce(sum(${chargebacks.fromEscrowCentavos}), 0) from ${chargebacks}
    where ${chargebacks.paymentId} = ${refunds.paymentId} and ${chargebacks.state} = 'open')`;
  const [others] = await transaction
    .select({
      owed: sql<number>`coalesce(sum(${refunds.amountCentavos} - ${frozen}), 0)::bigint`.mapWith(Number),
    })
    .from(refunds)
    .where(and(eq(refunds.interactionId, id), ne(refunds.id, id), ne(refunds.state, 'refunded')));
  return Math.max(0, (await heldFor(transaction, id)) - (others?.owed ?? 0));
}

/** What is owed to the creator for the request and not frozen already. Centavos. */
async function owedForRequest(transaction: Transaction, { id, creatorId }: Request): Promise<number> {
  const [row] = await transaction
    .select({ owed: sql<number>`coalesce(-sum(${ledgerEntries.amount}), 0)::bigint`.mapWith(Number) })
    .from(ledgerEntries)
    .innerJoin(ledgerTransfers, eq(ledgerTransfers.id, ledgerEntries.transferId))
    .where(and(eq(ledgerTransfers.interactionId, id), eq(ledgerEntries.account, payable(creatorId))));
  return Math.max(0, row?.owed ?? 0);
}

/** What happens once of a chargeback; once more after its payment was corrected. */
const occasionOf = ({ id, assignment }: Pick<Chargeback, 'id' | 'assignment'>) =>
  assignment === 1 ? id : `${id}:${assignment}`;

/** What Tara still holds of a disputed payment, and does not move until it is decided. Centavos. */
export async function freezable(
  transaction: Transaction,
  request: Request,
  { paymentId, amountCentavos }: { paymentId: string; amountCentavos: number },
): Promise<Pick<Chargeback, 'fromEscrowCentavos' | 'fromPayableCentavos'>> {
  if (!isOwnPayment(request, paymentId)) {
    const refund = await openRefund(transaction, request, paymentId);
    const owed = refund && !(await isUnderWay(transaction, refund)) ? refund.amountCentavos : 0;
    const held = Math.max(0, await heldFor(transaction, request.id));
    return { fromEscrowCentavos: Math.min(amountCentavos, owed, held), fromPayableCentavos: 0 };
  }
  const fromEscrowCentavos = Math.min(amountCentavos, await heldForOwnPayment(transaction, request));
  const payout = await unsentPayout(transaction, request.id);
  const owed = payout ? await owedForRequest(transaction, request) : 0;
  return { fromEscrowCentavos, fromPayableCentavos: Math.min(amountCentavos - fromEscrowCentavos, owed) };
}

/**
 * What the provider holds of a dispute, by where it was taken from: what is held for the request, what is owed to its creator,
 * and Tara's own with the fee.
 */
function heldEntries({ id, creatorId }: Request, row: Chargeback): Record<string, number> {
  const { amountCentavos, fromEscrowCentavos, fromPayableCentavos } = row;
  const feeCentavos = row.feeCentavos ?? 0;
  return {
    [escrow(id)]: fromEscrowCentavos,
    [payable(creatorId)]: fromPayableCentavos,
    [atRisk]: amountCentavos - fromEscrowCentavos - fromPayableCentavos + feeCentavos,
    [heldByProvider(id)]: -amountCentavos - feeCentavos,
  };
}

/** Books that the provider holds the amount and its fee. Centavos. */
export async function bookHeld(transaction: Transaction, request: Request, row: Chargeback): Promise<void> {
  await book(transaction, {
    ...{ kind: 'chargeback', interactionId: request.id, of: occasionOf(row) },
    entries: heldEntries(request, row),
  });
}

/** The money is where it was before: the issuer decided for Tara, or the dispute is about another payment. */
export async function bookReturned(
  transaction: Transaction,
  request: Request,
  row: Chargeback,
  kind: 'chargeback_won' | 'chargeback_corrected',
): Promise<void> {
  const entries = Object.entries(heldEntries(request, row)).map(([account, amount]) => [account, 0 - amount]);
  await book(transaction, {
    ...{ kind, interactionId: request.id, of: occasionOf(row) },
    entries: Object.fromEntries(entries),
  });
}

/**
 * The issuer took the money: what the provider held is gone, and Tara's own part of it is a loss, as is a refund that
 * arrived meanwhile. A request that is not over ends.
 * @param feeCentavos what the provider keeps of one that was opened before its fee was booked at the opening.
 */
export async function bookLost(
  transaction: Transaction,
  request: Request,
  row: Chargeback,
  feeCentavos: number,
): Promise<void> {
  const { id: interactionId } = request;
  const { amountCentavos, fromEscrowCentavos, fromPayableCentavos } = row;
  const fee = row.feeCentavos ?? feeCentavos;
  const frozen = fromEscrowCentavos + fromPayableCentavos;
  const isOwn = isOwnPayment(request, row.paymentId);
  // A second payment's refund that was on its way when the dispute was opened, and was refused since.
  const returned =
    isOwn || fromEscrowCentavos > 0 ? 0 : (await freezable(transaction, request, row)).fromEscrowCentavos;
  const overdrawn = Math.max(0, await readBalance(transaction, escrow(interactionId)));
  await book(transaction, {
    ...{ kind: 'chargeback_lost', interactionId, of: occasionOf(row) },
    entries: {
      [heldByProvider(interactionId)]: amountCentavos + (row.feeCentavos ?? 0),
      [atRisk]: frozen - amountCentavos - (row.feeCentavos ?? 0),
      [losses]: amountCentavos - frozen - returned + overdrawn,
      [escrow(interactionId)]: returned - overdrawn,
      [chargedBack]: -amountCentavos,
      [fees]: fee,
      [cash]: -fee,
    },
  });
  if (fromPayableCentavos > 0) await reducePayout(transaction, interactionId, fromPayableCentavos);
  const lost = fromEscrowCentavos + returned;
  if (lost > 0) await reduceRefund(transaction, request, row.paymentId, lost);
  if (!isOwn) return;
  // What had left before stays what it was: the request is not ended, but both learn of it.
  if (frozen > 0) await endTaken(transaction, request);
  const [earned] = await transaction
    .select({ amount: payouts.amountCentavos })
    .from(payouts)
    .where(and(eq(payouts.interactionId, interactionId), eq(payouts.purpose, 'earnings')));
  const refund = await openRefund(transaction, request, row.paymentId);
  await notify(transaction, {
    ...{ event: 'chargedBack', interactionId, occasion: occasionOf(row) },
    // Of what goes back to the client anyway nothing is the creator's.
    to: request.cancelledAt === null ? ['client', 'creator'] : ['client'],
    details: {
      amount: String(amountCentavos),
      rest: String(refund?.amountCentavos ?? 0),
      earned: String(earned?.amount ?? 0),
    },
  });
}

/** Nothing of the request is paid out or refunded any more, but for what the issuer left of one that is not over. */
async function endTaken(transaction: Transaction, request: Request): Promise<void> {
  const { id: interactionId } = request;
  const isOver = request.cancelledAt !== null || request.completedAt !== null;
  const rest = isOver ? 0 : await heldForOwnPayment(transaction, request);
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
}

/** What the issuer took is not owed to the creator any more. */
async function reducePayout(
  transaction: Transaction,
  interactionId: string,
  centavos: number,
): Promise<void> {
  const payout = await unsentPayout(transaction, interactionId);
  if (!payout) throw new Error('a frozen payout was sent');
  await reduceOrDelete(transaction, payout, centavos);
}

/** The client has it back already, so what was to be refunded of this payment is not owed any more. */
async function reduceRefund(
  transaction: Transaction,
  request: Request,
  paymentId: string,
  centavos: number,
): Promise<void> {
  const refund = await openRefund(transaction, request, paymentId);
  // Under way to the client: a loss for Tara when it arrives.
  if (!refund || (await isUnderWay(transaction, refund))) return;
  const carrier = await lockCarrier(transaction, refund);
  if (carrier) await reduceOrDelete(transaction, carrier, centavos);
  const amountCentavos = refund.amountCentavos - centavos;
  const here = eq(refunds.id, refund.id);
  if (amountCentavos <= 0) await transaction.delete(refunds).where(here);
  else await transaction.update(refunds).set({ amountCentavos }).where(here);
}

async function reduceOrDelete(
  transaction: Transaction,
  payout: { id: string; amountCentavos: number },
  centavos: number,
): Promise<void> {
  const amountCentavos = payout.amountCentavos - centavos;
  const here = eq(payouts.id, payout.id);
  if (amountCentavos <= 0) await transaction.delete(payouts).where(here);
  else await transaction.update(payouts).set({ amountCentavos }).where(here);
}
