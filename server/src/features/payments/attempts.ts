import { mobileNumber } from '@tara/contract/members/profiles';
import { type Account, defaultAccount, type Paymongo, type Rail } from '@tara/paymongo';
import { and, eq, isNull, ne, not, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { profiles } from '../profiles/index.ts';
import type { PaymentContext } from './provider.ts';
import { type OrderAge, orderAge } from './sending.ts';
import { manualTransfers, payoutAttempts, payouts } from './tables.ts';

/** One order of a payout with its amount, which does not change while an attempt is under way. */
export type Attempt = typeof payoutAttempts.$inferSelect & {
  amountCentavos: number;
  age: OrderAge;
  /** When the first attempt of the payout was sent, at the earliest: ms. */
  firstSentMs: number;
};
type Payout = typeof payouts.$inferSelect;

/**
 * A new attempt of a payout, to the receiver's present e-wallet; of two at once both get the one that was stored. Null while it is not
 * to be sent: an admin sends it by hand, the card issuer disputes the payment, or there is nowhere to send it, which
 * its receiver is shown: without a mobile number, and for 24 hours after a creator's changed.
 */
export async function openAttempt(context: PaymentContext, payout: Payout): Promise<Attempt | null> {
  const { database, config } = context;
  const { destination, waitsUntil } = await readReceiver(database, payout);
  if (payout.purpose === 'earnings') await setWait(context, payout.interactionId, waitsUntil);
  if (destination === null) await askForNumber(context, payout);
  if (destination === null || waitsUntil !== null) return null;
  const byHand = and(eq(payouts.id, payout.id), sentByHand(config));
  if ((await database.$count(payouts, byHand)) > 0) return null;
  const source = await ownAccount(context.provider);
  const { id, interactionId, attempt } = payout;
  await database.transaction(async (transaction) => {
    // A freeze waits for this transaction and finds the attempt, or this one finds the freeze.
    const [request] = await transaction
      .select({ frozenAt: interactions.frozenAt })
      .from(interactions)
      .where(eq(interactions.id, interactionId))
      .for('share');
    if (request?.frozenAt !== null) return;
    // Another run may have sent this attempt meanwhile, and learned that it was refused; or an admin sent it by hand.
    const present = await transaction
      .update(payouts)
      .set({ state: 'sending', updatedAt: sql`now()` })
      .where(
        and(
          eq(payouts.id, id),
          eq(payouts.attempt, attempt),
          ne(payouts.state, 'paid'),
          not(sentByHand(config)),
        ),
      )
      .returning({ id: payouts.id });
    if (present.length === 0) return;
    await transaction
      .insert(payoutAttempts)
      .values({
        payoutId: id,
        attempt,
        // No id of a request has a colon, so no two payouts share a key.
        idempotencyKey: attempt === 1 ? id : `${id}:${attempt}`,
        destination,
        source,
      })
      .onConflictDoNothing();
  });
  // The stored one: of two at once, one chose the destination.
  return findAttempt(database, payout);
}

/**
 * Whether an admin sends a payout, of the rows of `payouts`: each of them (`PAYOUTS=manual`), one above what a transfer carries, or one
 * for which money may have left by hand already, until an admin says what became of that.
 */
export const sentByHand = ({ payouts: sender, payoutLimitCentavos }: PaymentContext['config']) =>
  sql`(${sender === 'manual'}::boolean or ${payouts.amountCentavos} > ${payoutLimitCentavos}::bigint or exists (
    select from ${manualTransfers} where ${manualTransfers.payoutId} = ${payouts.id} and ${manualTransfers.state} = 'refused'))`;

interface Receiver {
  destination: Account | null;
  /** Until when it waits, because the number changed. */
  waitsUntil: Date | null;
}

async function readReceiver(database: Database, payout: Payout): Promise<Receiver> {
  const [profile] = await database
    .select({
      name: sql<string>`coalesce(${profiles.verifiedName}, ${profiles.name})`,
      phoneNumber: profiles.phoneNumber,
      from: profiles.payoutNumberFrom,
      waits: sql<boolean>`coalesce(${profiles.payoutNumberFrom} > now(), false)`,
    })
    .from(profiles)
    .where(eq(profiles.id, payout.recipientId));
  if (!profile) return { destination: null, waitsUntil: null };
  const isRefund = payout.purpose === 'refund';
  const phoneNumber = isRefund ? (payout.number ?? '') : profile.phoneNumber;
  const destination = walletOf({ name: profile.name, phoneNumber });
  // The number that a client names for one refund is a first one.
  return { destination, waitsUntil: destination && !isRefund && profile.waits ? profile.from : null };
}

/** Mails once that the money waits for a number; of a refund once for each that was refused. */
async function askForNumber({ database }: PaymentContext, payout: Payout): Promise<void> {
  const { interactionId, attempt, purpose } = payout;
  await database.transaction((transaction) =>
    purpose === 'refund'
      ? notify(transaction, {
          event: 'refundNumber',
          interactionId,
          to: ['client'],
          occasion: `${attempt}`,
        })
      : notify(transaction, {
          ...{ event: 'payoutNumber', interactionId, to: ['creator'] },
          details: { amount: String(payout.amountCentavos) },
        }),
  );
}

/** What clocks of ours and of the provider may differ by, and more. */
const clockSkewMs = 3_600_000;

/** The stored attempt of a payout that may be at the provider, or null. */
export async function findAttempt(database: Database, payout: Payout): Promise<Attempt | null> {
  const [row] = await database
    .select({
      attempt: payoutAttempts,
      amountCentavos: payouts.amountCentavos,
      age: orderAge(payoutAttempts.sentAt),
      firstSentMs: sql<number>`(select extract(epoch from min(first.created_at)) * 1000
        from payout_attempts first where first.payout_id = ${payouts.id})::float8`,
    })
    .from(payoutAttempts)
    .innerJoin(payouts, eq(payouts.id, payoutAttempts.payoutId))
    .where(
      and(
        eq(payoutAttempts.payoutId, payout.id),
        eq(payoutAttempts.attempt, payout.attempt),
        isNull(payoutAttempts.refusedAt),
      ),
    );
  if (!row) return null;
  const { attempt, firstSentMs, ...rest } = row;
  return { ...attempt, ...rest, firstSentMs: firstSentMs - clockSkewMs };
}

async function setWait(context: PaymentContext, interactionId: string, until: Date | null): Promise<void> {
  const changed = await context.database
    .update(interactions)
    .set({ payoutWaitsUntil: until })
    .where(
      and(
        eq(interactions.id, interactionId),
        sql`${interactions.payoutWaitsUntil} is distinct from ${until?.toISOString() ?? null}::timestamptz`,
      ),
    )
    .returning({ id: interactions.id });
  if (changed.length > 0) await announceInteraction(context, interactionId);
}

/** GCash among the receivers of a transfer: the e-wallet that is reached by a phone number. */
const gcash = 'GXCHPHM2XXX';
/** InstaPay carries up to ₱50,000.00 at once; PESONet more, by the next banking day. */
const instapayMost = 50_000_00;

export const railFor = (centavos: number): Rail => (centavos <= instapayMost ? 'instapay' : 'pesonet');

/** The e-wallet of a receiver, or null without a Philippine mobile number (§6): a profile's field may hold any text. */
function walletOf(receiver: { name: string; phoneNumber: string }): Account | null {
  const number = mobileNumber(receiver.phoneNumber);
  return number === null ? null : { number, name: receiver.name, bic: gcash };
}

/** Our own account at the provider, from which payouts leave. @throws Error when it has none. */
export async function ownAccount(client: Paymongo): Promise<Account> {
  const account = defaultAccount(await client.wallets.list());
  if (!account) throw new Error('the provider has no wallet to pay out from');
  return account;
}
