import { and, eq, ne, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { ownAccount, walletOf } from './destination.ts';
import type { PaymentContext } from './provider.ts';
import { payoutAttempts, payouts } from './tables.ts';

export type Attempt = typeof payoutAttempts.$inferSelect;
type Payout = typeof payouts.$inferSelect;

/**
 * The payout's present attempt: the stored one, or a new one with the creator's present e-wallet. Null while there is
 * nowhere to send it yet: without a phone number, and for 24 hours after it changed, which the creator is shown.
 */
export async function openAttempt(money: PaymentContext, payout: Payout): Promise<Attempt | null> {
  const { database } = money;
  const stored = await findAttempt(database, payout);
  if (stored) return stored;
  const [creator] = await database
    .select({
      name: sql<string>`coalesce(${profiles.verifiedName}, ${profiles.name})`,
      phoneNumber: profiles.phoneNumber,
      from: profiles.payoutNumberFrom,
      waits: sql<boolean>`coalesce(${profiles.payoutNumberFrom} > now(), false)`,
    })
    .from(profiles)
    .where(eq(profiles.id, payout.recipientId));
  const phoneNumber = payout.number ?? creator?.phoneNumber ?? '';
  const destination = creator ? walletOf({ name: creator.name, phoneNumber }) : null;
  // The number that a client names for one refund is a first one.
  const waitsUntil = destination && payout.number === null && creator?.waits ? creator.from : null;
  if (!destination || waitsUntil) {
    await setWait(money, payout.interactionId, waitsUntil);
    return null;
  }
  const source = await ownAccount(money.provider);
  const { id, interactionId, attempt } = payout;
  await database.transaction(async (transaction) => {
    await transaction
      .insert(payoutAttempts)
      .values({
        payoutId: id,
        attempt,
        idempotencyKey: attempt === 1 ? id : `${id}-${attempt}`,
        destination,
        source,
      })
      .onConflictDoNothing();
    await transaction
      .update(payouts)
      .set({ state: 'sending', updatedAt: sql`now()` })
      .where(and(eq(payouts.id, id), ne(payouts.state, 'paid')));
  });
  await setWait(money, interactionId, null);
  // The stored one: of two at once, one chose the destination.
  return findAttempt(database, payout);
}

async function findAttempt(database: Database, payout: Payout): Promise<Attempt | null> {
  const [row] = await database
    .select()
    .from(payoutAttempts)
    .where(and(eq(payoutAttempts.payoutId, payout.id), eq(payoutAttempts.attempt, payout.attempt)));
  return row ?? null;
}

async function setWait(money: PaymentContext, interactionId: string, until: Date | null): Promise<void> {
  const changed = await money.database
    .update(interactions)
    .set({ payoutWaitsUntil: until })
    .where(
      and(
        eq(interactions.id, interactionId),
        sql`${interactions.payoutWaitsUntil} is distinct from ${until?.toISOString() ?? null}::timestamptz`,
      ),
    )
    .returning({ id: interactions.id });
  if (changed.length > 0) await announceInteraction(money, interactionId);
}
