import { foreignDisputeDays } from '@tara/contract/limits';
import { type AnyColumn, and, countDistinct, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { interactions } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { endTaken, isOwnPayment, oweRefund } from './disbursements.ts';
import {
  atRisk,
  book,
  cash,
  chargedBack,
  type Entry,
  escrow,
  fees,
  heldByProvider,
  losses,
  payable,
  readLiability,
} from './ledger.ts';
import {
  attempts,
  capturedPayments,
  chargebacks,
  disbursementAmounts,
  disbursements,
  ledgerEntries,
  ledgerTransfers,
  unassignedDisputes,
} from './tables.ts';

type Request = typeof interactions.$inferSelect;
type Chargeback = typeof chargebacks.$inferSelect;

/** What is left of a captured payment that no card issuer disputes or took back: another dispute can be about that alone. Centavos. */
export const undisputedCentavos = sql<number>`(${capturedPayments.amountCentavos} - (select coalesce(sum(${chargebacks.amountCentavos}), 0)
  from ${chargebacks} where ${chargebacks.paymentId} = ${capturedPayments.id} and ${chargebacks.state} <> 'won'))::float8`;

/**
 * Whether a dispute waits to be assigned to its payment: one that was won took nothing, and one about no payment of Tara took nothing of
 * Tara's. Of `unassigned_disputes`.
 */
export const awaitsAssignment = sql`(${unassignedDisputes.state} <> 'won' and ${unassignedDisputes.foreignAt} is null)`;

/**
 * Whether an admin may say what it is about: it waits, or is said to be about no payment of Tara, and not decided or not for long. Of
 * `unassigned_disputes`.
 */
export const isAssignable = sql`(${awaitsAssignment} or ${unassignedDisputes.state} = 'open' or (${unassignedDisputes.state} <> 'won'
  and ${unassignedDisputes.foreignAt} > now() - make_interval(days => ${foreignDisputeDays})))`;

/**
 * Whether a captured payment fits a dispute: the provider showed it as disputed, and what other disputes leave of it is at least the amount.
 * Of `unassigned_disputes` and `captured_payments`.
 */
export const fitsPayment = sql`(${unassignedDisputes.paymentIds} ? ${capturedPayments.id}
  and ${unassignedDisputes.amountCentavos} <= ${undisputedCentavos})`;

/** Whether a dispute waits and may be about a captured payment: nothing of it is sent. Of both tables. */
export const mayBeAbout = sql`(${awaitsAssignment} and ${fitsPayment})`;

/** What may be under way of a payment for one purpose. Centavos. */
async function underWay(transaction: Transaction, paymentId: string, purpose: 'payout' | 'refund') {
  const [sent] = await transaction
    .select({ amount: attempts.amountCentavos })
    .from(attempts)
    .innerJoin(disbursements, eq(disbursements.id, attempts.disbursementId))
    .where(
      and(
        eq(disbursements.paymentId, paymentId),
        eq(disbursements.purpose, purpose),
        eq(attempts.state, 'sent'),
      ),
    );
  return sent?.amount ?? 0;
}

/** What happens once of a chargeback; once more after its payment was corrected. */
export const occasionOf = ({ id, assignment }: Pick<Chargeback, 'id' | 'assignment'>) =>
  assignment === 1 ? id : `${id}:${assignment}`;

/** What Tara still has of a payment for one purpose, without what may be under way. Centavos. */
async function readFree(
  transaction: Transaction,
  paymentId: string,
  purpose: 'payout' | 'refund',
): Promise<number> {
  const account = purpose === 'refund' ? 'escrow' : 'payable';
  const owed = await readLiability(transaction, paymentId, account);
  return Math.max(0, owed - (await underWay(transaction, paymentId, purpose)));
}

/**
 * What Tara still holds of a disputed payment, and does not move until it is decided: first what is held for it, then what is owed to the
 * creator, each without what may be under way. Centavos.
 */
export async function freezable(
  transaction: Transaction,
  { paymentId, amountCentavos }: Pick<Chargeback, 'paymentId' | 'amountCentavos'>,
): Promise<Pick<Chargeback, 'fromEscrowCentavos' | 'fromPayableCentavos'>> {
  const fromEscrowCentavos = Math.min(amountCentavos, await readFree(transaction, paymentId, 'refund'));
  const fromPayableCentavos = Math.min(
    amountCentavos - fromEscrowCentavos,
    await readFree(transaction, paymentId, 'payout'),
  );
  return { fromEscrowCentavos, fromPayableCentavos };
}

/**
 * What the provider holds of a dispute, by where it was taken from: what is held for the request, what is owed to its creator,
 * and Tara's own with the fee.
 */
function heldEntries({ id, creatorId }: Request, row: Chargeback): Entry[] {
  const { amountCentavos, fromEscrowCentavos, fromPayableCentavos } = row;
  const feeCentavos = row.feeCentavos ?? 0;
  return [
    [escrow(id), fromEscrowCentavos],
    [payable(creatorId), fromPayableCentavos],
    [atRisk, amountCentavos - fromEscrowCentavos - fromPayableCentavos + feeCentavos],
    [heldByProvider(id), -amountCentavos - feeCentavos],
  ];
}

/** Books that the provider holds the amount and its fee. Centavos. */
export async function bookHeld(transaction: Transaction, request: Request, row: Chargeback): Promise<void> {
  await book(transaction, {
    ...{ kind: 'chargeback', interactionId: request.id, paymentId: row.paymentId, of: occasionOf(row) },
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
  await book(transaction, {
    ...{ kind, interactionId: request.id, paymentId: row.paymentId, of: occasionOf(row) },
    entries: heldEntries(request, row).map(([account, amount]) => [account, 0 - amount]),
  });
}

/**
 * The issuer took the money: what the provider held is gone, and Tara's own part of it is a loss, as is a refund or a payout that
 * arrived meanwhile, less what a refused refund makes up for. A request that is not over ends.
 * @param feeCentavos what the provider keeps of one that was opened before its fee was booked at the opening.
 */
export async function bookLost(
  transaction: Transaction,
  request: Request,
  row: Chargeback,
  feeCentavos: number,
): Promise<void> {
  const { id: interactionId } = request;
  const { paymentId, amountCentavos, fromEscrowCentavos, fromPayableCentavos } = row;
  const fee = row.feeCentavos ?? feeCentavos;
  const frozen = fromEscrowCentavos + fromPayableCentavos;
  const held = await heldByDisputes(transaction, paymentId);
  const overdrawn = Math.max(
    0,
    0 - (await readLiability(transaction, paymentId, 'escrow')) - held.fromEscrow,
  );
  // A transfer that was given up came to light.
  const overpaid = Math.max(
    0,
    0 - (await readLiability(transaction, paymentId, 'payable')) - held.fromPayable,
  );
  await book(transaction, {
    ...{ kind: 'chargeback_lost', interactionId, paymentId, of: occasionOf(row) },
    entries: [
      [heldByProvider(interactionId), amountCentavos + (row.feeCentavos ?? 0)],
      [atRisk, frozen - amountCentavos - (row.feeCentavos ?? 0)],
      [losses, amountCentavos - frozen + overdrawn + overpaid],
      [escrow(interactionId), 0 - overdrawn],
      [payable(request.creatorId), 0 - overpaid],
      [chargedBack, -amountCentavos],
      [fees, fee],
      [cash, -fee],
    ],
  });
  const madeUp = await bookMadeUp(transaction, request, paymentId);
  await endTaken(transaction, paymentId);
  const isOwn = isOwnPayment(request, paymentId);
  // What had left before stays what it was: the request is not ended, but both learn of it.
  if (isOwn && (frozen > 0 || madeUp !== null)) await endRequest(transaction, request, paymentId);
  const { payout, refund } = await readDisbursed(transaction, paymentId);
  await notify(transaction, {
    ...{ event: 'chargedBack', interactionId, occasion: occasionOf(row) },
    // Of what goes back to the client anyway nothing is the creator's.
    to: isOwn && request.cancelledAt === null ? ['client', 'creator'] : ['client'],
    details: {
      ...(isOwn ? {} : { paymentId }),
      amount: String(amountCentavos),
      rest: String(refund?.state === 'owed' ? refund.centavos : 0),
      ...(refund?.state === 'sending' ? { underWay: String(refund.centavos) } : {}),
      earned: String(payout?.centavos ?? 0),
      taken: String(fromPayableCentavos),
    },
  });
}

/** What goes out for a payment, with what open disputes hold of it. Centavos. */
async function readDisbursed(transaction: Transaction, paymentId: string) {
  const rows = await transaction
    .select({
      purpose: disbursements.purpose,
      state: disbursements.state,
      centavos: disbursementAmounts.amountCentavos,
    })
    .from(disbursements)
    .innerJoin(disbursementAmounts, eq(disbursementAmounts.id, disbursements.id))
    .where(eq(disbursements.paymentId, paymentId));
  const [payout, refund] = ['payout', 'refund'].map((purpose) => rows.find((row) => row.purpose === purpose));
  return { payout, refund };
}

/**
 * A refund that was still on its way when a dispute of its payment was lost was refused: of what is held for it only what the issuer left is
 * owed any more ([0084](../../../../docs/decisions/0084-disputes.md)), and its client is notified. Its caller holds the request.
 */
export async function makeUpLoss(
  transaction: Transaction,
  interactionId: string,
  paymentId: string,
): Promise<void> {
  const [request] = await transaction.select().from(interactions).where(eq(interactions.id, interactionId));
  const madeUp = request && (await bookMadeUp(transaction, request, paymentId));
  if (!madeUp) return;
  const isOwn = isOwnPayment(request, paymentId);
  if (isOwn) await endRequest(transaction, request, paymentId);
  const { fromEscrow: amount, rest, occasion } = madeUp;
  await notify(transaction, {
    ...{ event: 'refundCovered', interactionId, to: ['client'], occasion },
    details: { ...(isOwn ? {} : { paymentId }), amount: String(amount), rest: String(rest) },
  });
}

/**
 * A dispute was never about its payment: what it held makes up for what disputes that were lost meanwhile took of Tara's own, and those that
 * were opened meanwhile hold it, as it would have been without it. A request of which something was lost and that is not over ends. Whose
 * money was lost is notified. Its caller holds the request.
 */
export async function makeUpByCorrection(
  transaction: Transaction,
  request: Request,
  corrected: Chargeback,
): Promise<void> {
  const { paymentId } = corrected;
  const madeUp = await bookMadeUp(transaction, request, paymentId, corrected);
  await endTaken(transaction, paymentId);
  await freezeAnew(transaction, request, {
    ...corrected,
    fromEscrowCentavos: corrected.fromEscrowCentavos - (madeUp?.fromEscrow ?? 0),
    fromPayableCentavos: corrected.fromPayableCentavos - (madeUp?.fromPayable ?? 0),
  });
  if (madeUp === null) return;
  const { fromEscrow, fromPayable, occasion } = madeUp;
  const isOwn = isOwnPayment(request, paymentId);
  const hasEnded = isOwn && !isOver(request);
  if (isOwn) await endRequest(transaction, request, paymentId);
  const { payout, refund } = await readDisbursed(transaction, paymentId);
  await notify(transaction, {
    ...{ event: 'chargebackCorrected', interactionId: request.id, occasion },
    to: [
      ...(fromEscrow > 0 ? (['client'] as const) : []),
      ...(fromPayable > 0 || hasEnded ? (['creator'] as const) : []),
    ],
    details: {
      ...(isOwn ? {} : { paymentId }),
      ...{ covered: String(fromEscrow), taken: String(fromPayable) },
      rest: String(refund?.state === 'owed' ? refund.centavos : 0),
      earned: String(payout?.centavos ?? 0),
      ...(hasEnded ? { hasEnded: 'yes' } : {}),
    },
  });
}

/** Open disputes that were opened after a corrected one hold what it held, as far as they are about so much. */
async function freezeAnew(transaction: Transaction, request: Request, corrected: Chargeback): Promise<void> {
  const later = await transaction
    .select()
    .from(chargebacks)
    .where(
      and(
        ...[eq(chargebacks.paymentId, corrected.paymentId), eq(chargebacks.state, 'open')],
        gt(chargebacks.createdAt, corrected.createdAt),
      ),
    )
    .orderBy(chargebacks.createdAt, chargebacks.id);
  let { fromEscrowCentavos: escrowLeft, fromPayableCentavos: payableLeft } = corrected;
  for (const row of later) {
    const { paymentId, fromEscrowCentavos, fromPayableCentavos } = row;
    const amountCentavos = row.amountCentavos - fromEscrowCentavos - fromPayableCentavos;
    const free = await freezable(transaction, { paymentId, amountCentavos });
    const fromEscrow = Math.min(free.fromEscrowCentavos, escrowLeft);
    const fromPayable = Math.min(free.fromPayableCentavos, payableLeft);
    if (fromEscrow + fromPayable === 0) continue;
    escrowLeft -= fromEscrow;
    payableLeft -= fromPayable;
    const frozen = {
      assignment: row.assignment + 1,
      fromEscrowCentavos: fromEscrowCentavos + fromEscrow,
      fromPayableCentavos: fromPayableCentavos + fromPayable,
    };
    await bookReturned(transaction, request, row, 'chargeback_corrected');
    await transaction.update(chargebacks).set(frozen).where(eq(chargebacks.id, row.id));
    await bookHeld(transaction, request, { ...row, ...frozen });
  }
}

/** What makes up for a loss: of what is held, of what is owed to the creator, what is left for the client, and a name that it has once. Centavos. */
interface MadeUp {
  fromEscrow: number;
  fromPayable: number;
  rest: number;
  occasion: string;
}

/**
 * What is held of a refund that was on its way when a dispute was opened, and was refused, makes up for what lost disputes of its payment took
 * of Tara's own: the client has that from the issuer. So does what a corrected dispute had held, for what was lost while it was there; of the
 * creator's for disputes that were opened after it, because a loss takes of a payout only what was frozen.
 * @returns null when there is nothing of it.
 */
async function bookMadeUp(
  transaction: Transaction,
  { id: interactionId, creatorId }: Pick<Request, 'id' | 'creatorId'>,
  paymentId: string,
  corrected?: Chargeback,
): Promise<MadeUp | null> {
  const ownAfter = (time: AnyColumn) => sql<number>`coalesce(sum(${chargebacks.amountCentavos}
    - ${chargebacks.fromEscrowCentavos} - ${chargebacks.fromPayableCentavos})
      filter (where ${corrected ? gt(time, corrected.createdAt) : sql`true`}), 0)::float8`;
  const [lost] = await transaction
    .select({
      id: sql<string>`min(${chargebacks.id})`,
      decidedAfter: ownAfter(chargebacks.decidedAt),
      openedAfter: ownAfter(chargebacks.createdAt),
    })
    .from(chargebacks)
    .where(and(eq(chargebacks.paymentId, paymentId), eq(chargebacks.state, 'lost')))
    .groupBy(chargebacks.paymentId);
  if (!lost) return null;
  const { centavos, transfers } = await readMadeUp(transaction, paymentId, corrected?.createdAt);
  // Of a correction only what was made up since the dispute was opened can be for what was lost since then.
  const before = corrected ? Math.max(0, centavos) : centavos;
  const free = await readFree(transaction, paymentId, 'refund');
  const fromEscrow = Math.max(
    0,
    Math.min(lost.decidedAfter - before, free, corrected?.fromEscrowCentavos ?? free),
  );
  const fromPayable = corrected
    ? Math.min(
        Math.max(0, lost.openedAfter - before - fromEscrow),
        await readFree(transaction, paymentId, 'payout'),
        corrected.fromPayableCentavos,
      )
    : 0;
  if (fromEscrow + fromPayable <= 0) return null;
  const occasion = `${lost.id}:made-up:${transfers}`;
  await book(transaction, {
    ...{ kind: 'chargeback_lost', interactionId, paymentId, of: occasion },
    entries: [
      [escrow(interactionId), fromEscrow],
      [payable(creatorId), fromPayable],
      [losses, 0 - fromEscrow - fromPayable],
    ],
  });
  return { fromEscrow, fromPayable, rest: free - fromEscrow, occasion };
}

/**
 * What was held for a payment, or owed to its creator, and made up for Tara's loss by its lost disputes, less what a refund that arrived as
 * well cost, since a time or ever; by how many transfers there ever were.
 */
async function readMadeUp(transaction: Transaction, paymentId: string, since = new Date(0)) {
  const [booked] = await transaction
    .select({
      centavos: sql<number>`coalesce(sum(${ledgerEntries.amount}) filter (where ${gt(ledgerTransfers.createdAt, since)}
        and (${ledgerEntries.account} = 'escrow'
          or (${ledgerEntries.account} = 'payable' and ${ledgerEntries.amount} > 0))), 0)::float8`,
      transfers: countDistinct(ledgerTransfers.id),
    })
    .from(ledgerEntries)
    .innerJoin(ledgerTransfers, eq(ledgerTransfers.id, ledgerEntries.transferId))
    .where(and(eq(ledgerTransfers.paymentId, paymentId), eq(ledgerTransfers.kind, 'chargeback_lost')));
  return booked ?? { centavos: 0, transfers: 0 };
}

/** What open disputes of a payment took of what was held for it, and of what was owed to its creator: it may come back. Centavos. */
export async function heldByDisputes(
  transaction: Transaction,
  paymentId: string,
): Promise<{ fromEscrow: number; fromPayable: number }> {
  const sumOf = (column: AnyColumn) => sql<number>`coalesce(sum(${column}), 0)::float8`;
  const [row] = await transaction
    .select({
      fromEscrow: sumOf(chargebacks.fromEscrowCentavos),
      fromPayable: sumOf(chargebacks.fromPayableCentavos),
    })
    .from(chargebacks)
    .where(and(eq(chargebacks.paymentId, paymentId), eq(chargebacks.state, 'open')));
  return row ?? { fromEscrow: 0, fromPayable: 0 };
}

/** Whether nothing more happens of a request but that its money moves. */
export const isOver = ({ cancelledAt, completedAt }: Pick<Request, 'cancelledAt' | 'completedAt'>) =>
  cancelledAt !== null || completedAt !== null;

/** Nothing of the request is paid out or refunded any more, but for what the issuer left, or may give back, of one that is not over. */
async function endRequest(transaction: Transaction, request: Request, paymentId: string): Promise<void> {
  const held = Math.max(0, await readLiability(transaction, paymentId, 'escrow'));
  const rest = isOver(request) ? 0 : held + (await heldByDisputes(transaction, paymentId)).fromEscrow;
  await transaction
    .update(interactions)
    .set({
      chargedBackAt: sql`now()`,
      updatedAt: sql`now()`,
      ...(isOver(request)
        ? {}
        : { cancelledAt: sql`now()`, cancelReason: 'charged_back' as const, refundCentavos: rest }),
    })
    .where(and(eq(interactions.id, request.id), isNull(interactions.chargedBackAt)));
  if (rest > 0) await oweRefund(transaction, request, rest, paymentId);
}
