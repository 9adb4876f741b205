import { mobileNumber } from '@tara/contract/members/profiles';
import { type Account, defaultAccount, type Paymongo, type Rail } from '@tara/paymongo';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { announceInteraction, interactions } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { profiles } from '../profiles/index.ts';
import { type Disbursement, findDisbursement, isInDispute } from './disbursements.ts';
import type { PaymentContext } from './provider.ts';
import { type OrderAge, orderAge } from './sending.ts';
import { lockRequest } from './settle.ts';
import { attempts, disbursementAmounts, disbursements, manualTransfers } from './tables.ts';

/** What may be under way of a disbursement. */
export type Attempt = typeof attempts.$inferSelect & {
  age: OrderAge;
  /** When the first attempt of the disbursement was sent, at the earliest: ms. */
  firstSentMs: number;
};

type NewAttempt = Pick<
  typeof attempts.$inferInsert,
  'way' | 'destination' | 'source' | 'reference' | 'sentBy'
>;

/**
 * Stores what is about to be sent: all that the ledger owes of the disbursement at this moment. Its caller holds the request.
 * @param disbursement as it was read: where something was sent since, nothing is stored.
 * @returns its number, or null where it is not to be sent.
 */
export async function storeAttempt(
  transaction: Transaction,
  { id, attempts: before, way, number: receiver }: Disbursement,
  order: NewAttempt,
): Promise<number | null> {
  const present = await findDisbursement(transaction, id);
  const isSame = present?.attempts === before && present.way === way && present.number === receiver;
  if (!isSame || present.state !== 'owed' || present.owedCentavos === 0) return null;
  const number = before + 1;
  const amountCentavos = present.owedCentavos;
  // No id of a disbursement has a colon, so no two share a key.
  const key = order.way === 'hand' ? null : `${id}:${number}`;
  await transaction.insert(attempts).values({ disbursementId: id, number, key, amountCentavos, ...order });
  await transaction
    .update(disbursements)
    .set({ state: 'sending', way: order.way, problem: null, updatedAt: sql`now()` })
    .where(eq(disbursements.id, id));
  return number;
}

/**
 * The attempt that is to be sent now: a new one, or, of two at once, the one that was stored, which the other may have sent already. Null
 * while nothing is to be sent: an admin sends it by hand, the card issuer disputes the payment, or there is nowhere to send it.
 */
export async function openAttempt(
  context: PaymentContext,
  disbursement: Disbursement,
): Promise<{ attempt: Attempt; isRepeated: boolean } | null> {
  const { database, config } = context;
  const { id, interactionId, way } = disbursement;
  const accounts = way === 'provider' ? {} : await findAccounts(context, disbursement);
  if (accounts === null) return null;
  const number = await database.transaction(async (transaction) => {
    // A dispute waits for this transaction and finds the attempt, or this one finds the dispute.
    await lockRequest(transaction, interactionId);
    // It may have been opened, or an admin may have sent the money, meanwhile.
    const waits = and(eq(disbursements.id, id), sql`(${isInDispute} or ${sentByHand(config)})`);
    if ((await transaction.$count(disbursements, waits)) > 0) return null;
    return storeAttempt(transaction, disbursement, { way, ...accounts });
  });
  const attempt = await findAttempt(database, id);
  return attempt && { attempt, isRepeated: attempt.number !== number };
}

/** Whence and where a transfer goes. Null while it does not: by hand, or without a number, which its receiver is shown, and for 24 hours after a creator's changed. */
async function findAccounts(
  context: PaymentContext,
  disbursement: Disbursement,
): Promise<{ destination: Account; source: Account } | null> {
  const { database, config } = context;
  const { destination, waitsUntil } = await readReceiver(database, disbursement);
  if (disbursement.purpose === 'payout') await setWait(context, disbursement.interactionId, waitsUntil);
  if (destination === null) await askForNumber(context, disbursement);
  if (destination === null || waitsUntil !== null) return null;
  const byHand = and(eq(disbursements.id, disbursement.id), sentByHand(config));
  if ((await database.$count(disbursements, byHand)) > 0) return null;
  return { destination, source: await ownAccount(context.provider) };
}

/** What is left to send of the rows of `disbursements`, in centavos: a card issuer may have taken a part of what was decided. */
const leftToSend = sql`(select ${disbursementAmounts.owedCentavos} from ${disbursementAmounts}
  where ${disbursementAmounts.id} = ${disbursements.id})`;

/**
 * Whether an admin sends a transfer, of the rows of `disbursements`: each of them (`PAYOUTS=manual`), one of which more is left than a transfer
 * carries, or one for which money may have left by hand already, until an admin says what became of that.
 */
export const sentByHand = ({ payouts: sender, payoutLimitCentavos }: PaymentContext['config']) =>
  sql`(${disbursements.way} = 'transfer' and (${sender === 'manual'}::boolean
    or (${disbursements.amountCentavos} > ${payoutLimitCentavos}::bigint and ${leftToSend} > ${payoutLimitCentavos}::bigint)
    or exists (
      select from ${manualTransfers} where ${manualTransfers.disbursementId} = ${disbursements.id}
        and ${manualTransfers.state} = 'refused')))`;

interface Receiver {
  destination: Account | null;
  /** Until when it waits, because the number changed. */
  waitsUntil: Date | null;
}

async function readReceiver(database: Database, disbursement: Disbursement): Promise<Receiver> {
  const [profile] = await database
    .select({
      name: sql<string>`coalesce(${profiles.verifiedName}, ${profiles.name})`,
      phoneNumber: profiles.phoneNumber,
      from: profiles.payoutNumberFrom,
      waits: sql<boolean>`coalesce(${profiles.payoutNumberFrom} > now(), false)`,
    })
    .from(profiles)
    .where(eq(profiles.id, disbursement.recipientId));
  if (!profile) return { destination: null, waitsUntil: null };
  const isRefund = disbursement.purpose === 'refund';
  const phoneNumber = isRefund ? (disbursement.number ?? '') : profile.phoneNumber;
  const destination = walletOf({ name: profile.name, phoneNumber });
  // The number that a client names for one refund is a first one.
  return { destination, waitsUntil: destination && !isRefund && profile.waits ? profile.from : null };
}

/** Mails once that the money waits for a number; of a refund once for each that was refused. */
async function askForNumber({ database }: PaymentContext, disbursement: Disbursement): Promise<void> {
  const { interactionId, purpose, transfers, owedCentavos } = disbursement;
  await database.transaction((transaction) =>
    purpose === 'refund'
      ? notify(transaction, {
          ...{ event: 'refundNumber', interactionId, to: ['client'], occasion: `${transfers + 1}` },
        })
      : notify(transaction, {
          ...{ event: 'payoutNumber', interactionId, to: ['creator'] },
          details: { amount: String(owedCentavos) },
        }),
  );
}

/** What clocks of ours and of the provider may differ by, and more. */
const clockSkewMs = 3_600_000;

/** The attempt of a disbursement that may be under way, or null. */
export async function findAttempt(
  database: Database | Transaction,
  disbursementId: string,
): Promise<Attempt | null> {
  const [row] = await database
    .select({
      ...getTableColumns(attempts),
      age: orderAge(attempts.sentAt),
      firstSentMs: sql<number>`((select extract(epoch from min(first.created_at)) * 1000
        from ${attempts} as first where first.disbursement_id = ${disbursementId}) - ${clockSkewMs}::int)::float8`,
    })
    .from(attempts)
    .where(and(eq(attempts.disbursementId, disbursementId), eq(attempts.state, 'sent')));
  return row ?? null;
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

/** Our own account at the provider, from which transfers leave. @throws Error when it has none. */
export async function ownAccount(client: Paymongo): Promise<Account> {
  const account = defaultAccount(await client.wallets.list());
  if (!account) throw new Error('the provider has no wallet to pay out from');
  return account;
}
