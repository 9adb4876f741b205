import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { tasks } from '../../platform/tasks.ts';
import { interactions } from '../interactions/index.ts';
import { attempts, capturedPayments, chargebacks, disbursementAmounts, disbursements } from './tables.ts';

type Request = typeof interactions.$inferSelect;

/** A disbursement with what the ledger owes of it now, in centavos, and how often it was sent. */
export type Disbursement = typeof disbursements.$inferSelect & {
  owedCentavos: number;
  /** The number of the last one; the first ones of an earlier version may not be stored. */
  attempts: number;
  /** How many of those that are stored were transfers. */
  transfers: number;
};

/** It has not arrived, and something of it is owed; in the words of the indexes of what is open. */
export const isOpenDisbursement = sql`${disbursements.state} in ('owed', 'sending')`;

/** Whether a card issuer disputes the payment of a disbursement: nothing of it leaves until that is decided. Of `disbursements`. */
export const isInDispute = sql`exists (select from ${chargebacks}
  where ${chargebacks.paymentId} = ${disbursements.paymentId} and ${chargebacks.state} = 'open')`;

/** A disbursement as it is now, or null. */
export async function findDisbursement(
  database: Database | Transaction,
  id: string,
): Promise<Disbursement | null> {
  const overAttempts = (value: SQL) =>
    sql<number>`(select ${value} from ${attempts} where ${attempts.disbursementId} = ${disbursements.id})`;
  const [row] = await database
    .select({
      ...getTableColumns(disbursements),
      owedCentavos: disbursementAmounts.owedCentavos,
      attempts: overAttempts(sql`coalesce(max(${attempts.number}), 0)`),
      transfers: overAttempts(sql`(count(*) filter (where ${attempts.way} = 'transfer'))::int`),
    })
    .from(disbursements)
    .innerJoin(disbursementAmounts, eq(disbursementAmounts.id, disbursements.id))
    .where(eq(disbursements.id, id));
  return row ?? null;
}

/** The payment that a request was paid with. One that an earlier version booked without its id is the only one. */
export async function ownPayment(
  transaction: Transaction,
  request: Pick<Request, 'id' | 'paymentId'>,
): Promise<string> {
  if (request.paymentId !== null) return request.paymentId;
  const [payment] = await transaction
    .select({ id: capturedPayments.id })
    .from(capturedPayments)
    .where(eq(capturedPayments.interactionId, request.id));
  if (!payment) throw new Error(`request ${request.id} has no payment`);
  return payment.id;
}

/** Whether a payment is the one that its request was paid with, not one that came a second time and goes back. */
export const isOwnPayment = (request: Pick<Request, 'paymentId'>, paymentId: string) =>
  request.paymentId === null || request.paymentId === paymentId;

/** Owes a creator their share, in the transaction that books it. Centavos. Once per request. */
export const owePayout = (transaction: Transaction, request: Request, paymentId: string, centavos: number) =>
  owe(transaction, {
    ...{ interactionId: request.id, paymentId, purpose: 'payout', way: 'transfer' },
    ...{ recipientId: request.creatorId, amountCentavos: centavos },
  });

/**
 * Owes the client a part of a payment, the request's own unless it is named, in the transaction that decides it. Centavos. Once per payment.
 * `interactions.refund_centavos` is the caller's to set in the same statement as the state.
 */
export async function oweRefund(
  transaction: Transaction,
  request: Pick<Request, 'id' | 'clientId' | 'paymentId'>,
  centavos: number,
  paymentId?: string,
) {
  await owe(transaction, {
    ...{ interactionId: request.id, paymentId: paymentId ?? (await ownPayment(transaction, request)) },
    ...{ purpose: 'refund', way: 'provider', recipientId: request.clientId, amountCentavos: centavos },
  });
}

async function owe(transaction: Transaction, row: Omit<typeof disbursements.$inferInsert, 'id'>) {
  const disbursementId = newId();
  await transaction.insert(disbursements).values({ id: disbursementId, ...row });
  await tasks.disburse.enqueue(transaction, { disbursementId });
}

/**
 * Sends a refund that the provider does not give back by a transfer, to the number that the client named, or will be asked for. Nothing of
 * it is under way then. Its caller holds the request.
 * @returns whether it did
 */
export async function turnIntoTransfer(transaction: Transaction, id: string): Promise<boolean> {
  const rows = await transaction
    .update(disbursements)
    .set({
      way: 'transfer',
      problem: null,
      // A number to which a transfer was refused is not used again.
      number: sql`coalesce(${disbursements.number}, (
        select ${interactions.refundNumber} from ${interactions} where ${interactions.id} = ${disbursements.interactionId}
          and not exists (select from ${attempts} where ${attempts.disbursementId} = ${disbursements.id} and ${attempts.way} = 'transfer')))`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(disbursements.id, id), eq(disbursements.way, 'provider'), eq(disbursements.state, 'owed')))
    .returning({ disbursementId: disbursements.id });
  for (const job of rows) await tasks.disburse.enqueue(transaction, job);
  return rows.length === 1;
}

/**
 * Takes a refund that was to leave by a transfer as one that went back the way that the payment came, because the payment shows it so.
 * Nothing of it is under way then. Its caller holds the request.
 */
export async function turnIntoGivenBack(transaction: Transaction, id: string): Promise<void> {
  const rows = await transaction
    .update(disbursements)
    .set({ way: 'provider', problem: null, updatedAt: sql`now()` })
    .where(
      and(
        ...[eq(disbursements.id, id), eq(disbursements.purpose, 'refund')],
        ...[eq(disbursements.way, 'transfer'), eq(disbursements.state, 'owed')],
      ),
    )
    .returning({ disbursementId: disbursements.id });
  for (const job of rows) await tasks.disburse.enqueue(transaction, job);
}

/** Begins the jobs of what is owed of a request or of some payments. @param waited which `disbursements` waited */
export async function sendWhatWaited(transaction: Transaction, waited: SQL): Promise<void> {
  const owed = await transaction
    .select({ disbursementId: disbursements.id })
    .from(disbursements)
    .where(and(waited, isOpenDisbursement));
  for (const job of owed) await tasks.disburse.enqueue(transaction, job);
}

/**
 * What was to leave of a payment, and of which a card issuer took all, ends. Another dispute that is open may still give something back.
 * Its caller holds the request.
 */
export async function endTaken(transaction: Transaction, paymentId: string): Promise<void> {
  await transaction
    .update(disbursements)
    .set({ state: 'void', problem: null, updatedAt: sql`now()` })
    .where(
      and(
        eq(disbursements.paymentId, paymentId),
        eq(disbursements.state, 'owed'),
        sql`(select ${disbursementAmounts.amountCentavos} from ${disbursementAmounts}
          where ${disbursementAmounts.id} = ${disbursements.id}) = 0`,
      ),
    );
}
