import { nowDate } from '@tara/contract/clock';
import { today } from '@tara/contract/members/profiles';
import { desc, eq } from 'drizzle-orm';
import { interactions } from '../../features/interactions/tables.ts';
import { type Disbursement, findDisbursement, ownPayment } from '../../features/payments/disbursements.ts';
import { book, escrow, payable } from '../../features/payments/ledger.ts';
import { attempts, chargebacks, disbursements } from '../../features/payments/tables.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';

/** A disbursement with its last attempt. */
type ReadDisbursement = Disbursement & { attempt: typeof attempts.$inferSelect | null };

/** The disbursement of this id. */
export async function readDisbursement(database: Database, id: string): Promise<ReadDisbursement> {
  const row = await findDisbursement(database, id);
  if (!row) throw new Error(`no disbursement ${id}`);
  const [attempt] = await database
    .select()
    .from(attempts)
    .where(eq(attempts.disbursementId, id))
    .orderBy(desc(attempts.number))
    .limit(1);
  return { ...row, attempt: attempt ?? null };
}

/** The disbursements of a request, oldest first. */
export async function listDisbursements(
  database: Database,
  interactionId: string,
): Promise<ReadDisbursement[]> {
  const rows = await database
    .select({ id: disbursements.id })
    .from(disbursements)
    .where(eq(disbursements.interactionId, interactionId))
    .orderBy(disbursements.createdAt);
  return Promise.all(rows.map(({ id }) => readDisbursement(database, id)));
}

/** A card issuer disputes the payment of a request: nothing of it moves. Nothing is booked. */
export async function freeze(database: Database, interactionId: string): Promise<void> {
  const frozenAt = nowDate();
  await database.transaction(async (transaction) => {
    const here = eq(interactions.id, interactionId);
    const [request] = await transaction.update(interactions).set({ frozenAt }).where(here).returning();
    if (!request) throw new Error(`no request ${interactionId}`);
    await transaction.insert(chargebacks).values({
      ...{ id: disputeOf(interactionId), interactionId, paymentId: await ownPayment(transaction, request) },
      ...{ amountCentavos: request.priceCentavos, state: 'open', dueOn: today() },
      evidence: { planTitle: '', terms: '', payments: [], referenceNumber: null },
    });
  });
}

/** The dispute of `freeze` was never there. */
export async function unfreeze(database: Database, interactionId: string): Promise<void> {
  await database.delete(chargebacks).where(eq(chargebacks.id, disputeOf(interactionId)));
  await database.update(interactions).set({ frozenAt: null }).where(eq(interactions.id, interactionId));
}

const disputeOf = (interactionId: string) => `dsp_${interactionId}`;

/** Ends a paid request, and owes what was paid to its creator or its client; nothing brings it forward. @returns the disbursement's id. */
export async function insertOwed(
  database: Database,
  interactionId: string,
  purpose: 'payout' | 'refund',
  amountCentavos = 250_00,
): Promise<string> {
  const id = newId();
  const now = nowDate();
  const ended =
    purpose === 'payout'
      ? { completedAt: now, adminSetDoneAt: now, releasedCentavos: amountCentavos }
      : { cancelledAt: now, cancelReason: 'declined' as const, refundCentavos: amountCentavos };
  await database.transaction(async (transaction) => {
    const [request] = await transaction
      .update(interactions)
      .set(ended)
      .where(eq(interactions.id, interactionId))
      .returning();
    if (!request) throw new Error(`no request ${interactionId}`);
    const paymentId = await ownPayment(transaction, request);
    const isPayout = purpose === 'payout';
    if (isPayout)
      await book(transaction, {
        ...{ kind: 'release', interactionId, paymentId, of: interactionId },
        entries: [
          [escrow(interactionId), amountCentavos],
          [payable(request.creatorId), -amountCentavos],
        ],
      });
    await transaction.insert(disbursements).values({
      ...{ id, interactionId, paymentId, purpose, amountCentavos, way: isPayout ? 'transfer' : 'provider' },
      recipientId: isPayout ? request.creatorId : request.clientId,
    });
  });
  return id;
}

/** As if the provider had refused an attempt of a disbursement. */
export async function refuseAttempt(database: Database, id: string, problem: string): Promise<void> {
  const { attempts: before, way, amountCentavos } = await readDisbursement(database, id);
  const number = before + 1;
  await database.insert(attempts).values({
    ...{ disbursementId: id, number, way, key: `${id}:${number}`, amountCentavos },
    ...{ state: 'refused', problem, endedAt: nowDate() },
  });
  await database.update(disbursements).set({ problem }).where(eq(disbursements.id, id));
}

/** As if an attempt of a disbursement had been sent, and its answer lost; the provider has it where a reference is given. */
export async function sendAttempt(
  database: Database,
  id: string,
  more: Partial<typeof attempts.$inferInsert> = {},
): Promise<void> {
  const { attempts: before, way, owedCentavos } = await readDisbursement(database, id);
  const number = before + 1;
  await database.insert(attempts).values({
    ...{ disbursementId: id, number, way, key: `${id}:${number}`, amountCentavos: owedCentavos },
    ...more,
  });
  await database.update(disbursements).set({ state: 'sending' }).where(eq(disbursements.id, id));
}
