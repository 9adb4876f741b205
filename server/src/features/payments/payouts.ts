import { PaymongoError, type Transfer } from '@tara/paymongo';
import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { ownAccount, railFor, walletOf } from './destination.ts';
import { book, cash, fees, payable } from './ledger.ts';
import type { Money } from './provider.ts';
import { payouts } from './tables.ts';

type Payout = typeof payouts.$inferSelect;

/**
 * Brings one payout forward: owed → sending → paid. May be run at any time and more than once: what was sent is looked
 * for before anything is sent, and everything goes out under one idempotency key until it is known to have moved nothing.
 */
export async function payOut(money: Money, interactionId: string): Promise<void> {
  const { database } = money;
  const [row] = await database
    .select({ payout: payouts, name: profiles.name, phoneNumber: profiles.phoneNumber })
    .from(payouts)
    .innerJoin(profiles, eq(profiles.id, payouts.creatorId))
    .where(eq(payouts.interactionId, interactionId));
  if (!row || row.payout.state === 'paid') return;
  const destination = walletOf(row);
  // Nothing was sent and there is nowhere to send it: it stays owed until the creator gives a phone number.
  if (row.payout.state === 'owed' && !destination) return;
  const [payout] = await database
    .update(payouts)
    .set({ state: 'sending', updatedAt: sql`now()` })
    .where(and(eq(payouts.interactionId, interactionId), ne(payouts.state, 'paid')))
    .returning();
  if (!payout) return;
  const transfer =
    (await findSent(money, payout)) ?? (destination && (await send(money, payout, destination)));
  if (transfer) await follow(money, payout, transfer);
}

/** The transfer that is on its way or has arrived, also when the answer to its sending was lost. */
async function findSent({ provider }: Money, payout: Payout): Promise<Transfer | null> {
  const { transfers } = provider;
  if (payout.transferId !== null) return transfers.get(payout.transferId);
  const found = await transfers.findByReference(payout.interactionId);
  return found.find(({ status }) => status !== 'failed') ?? null;
}

async function send(
  money: Money,
  payout: Payout,
  destination: NonNullable<ReturnType<typeof walletOf>>,
): Promise<Transfer | null> {
  const { provider } = money;
  const { interactionId, attempt, amountCentavos: amount } = payout;
  const source = await ownAccount(provider);
  try {
    return await provider.transfers.create(
      {
        amount,
        currency: 'PHP',
        provider: railFor(amount),
        source_account: source,
        destination_account: destination,
        reference_number: interactionId,
        description: 'Tara plan',
      },
      attempt === 1 ? interactionId : `${interactionId}-${attempt}`,
    );
  } catch (error) {
    const refused = error instanceof PaymongoError && [400, 404, 422].includes(error.status);
    if (!refused || error.has('idempotency_in_progress')) throw error;
    await allowAnother(money, payout, error.message);
    return null;
  }
}

async function follow(money: Money, payout: Payout, transfer: Transfer): Promise<void> {
  if (transfer.status === 'succeeded') return settle(money, payout, transfer);
  if (transfer.status === 'failed') {
    return allowAnother(money, payout, transfer.provider_error ?? 'The transfer failed.');
  }
  await money.database
    .update(payouts)
    .set({ transferId: transfer.id, lastError: null, updatedAt: sql`now()` })
    .where(and(eq(payouts.interactionId, payout.interactionId), eq(payouts.attempt, payout.attempt)));
}

/** This sending is known to have moved nothing: the next one gets a key of its own. Counted once by its attempt. */
async function allowAnother({ database, log }: Money, payout: Payout, reason: string): Promise<void> {
  const { interactionId, attempt } = payout;
  log.warn({ interactionId, attempt, reason }, 'a payout was refused');
  await database
    .update(payouts)
    .set({ attempt: attempt + 1, transferId: null, lastError: reason.slice(0, 500), updatedAt: sql`now()` })
    .where(
      and(
        eq(payouts.interactionId, interactionId),
        eq(payouts.attempt, attempt),
        eq(payouts.state, 'sending'),
      ),
    );
}

async function settle(money: Money, payout: Payout, transfer: Transfer): Promise<void> {
  const { interactionId, creatorId, amountCentavos: amount } = payout;
  const fee = transfer.fee ?? 0;
  const settled = await money.database.transaction(async (transaction) => {
    const [paid] = await transaction
      .update(payouts)
      .set({
        state: 'paid',
        transferId: transfer.id,
        lastError: null,
        paidAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(payouts.interactionId, interactionId), ne(payouts.state, 'paid')))
      .returning({ id: payouts.interactionId });
    if (!paid) return false;
    const entries = { [payable(creatorId)]: amount, [fees]: fee, [cash]: -amount - fee };
    await book(transaction, { kind: 'payout', interactionId, entries });
    await transaction
      .update(interactions)
      .set({ paidOutAt: sql`now()`, updatedAt: sql`now()` })
      .where(and(eq(interactions.id, interactionId), isNull(interactions.paidOutAt)));
    return true;
  });
  if (settled) await announceInteraction(money, interactionId);
}

/** Wakes what waits for a creator's phone number, once it is set. */
export async function payOutsOf({ database }: Pick<Money, 'database'>, profileId: string): Promise<void> {
  const waiting = await database
    .select({ interactionId: payouts.interactionId })
    .from(payouts)
    .where(and(eq(payouts.creatorId, profileId), ne(payouts.state, 'paid'), isNull(payouts.transferId)));
  for (const { interactionId } of waiting) {
    const key = `payments.payout:${interactionId}`;
    await enqueue(database, 'payments.payout', { interactionId }, { key });
  }
}
