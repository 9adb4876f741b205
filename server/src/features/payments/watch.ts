import { defaultWallet, type Wallet } from '@tara/paymongo';
import { eq, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { type Alarm, updateAlarms } from './alarms.ts';
import { watchRefused } from './manual-transfers.ts';
import { owedFromWallet, stuckDisbursements } from './outgoing.ts';
import { type PaymentContext, pauseAfter } from './provider.ts';
import { chargebacks } from './tables.ts';

type WatchContext = Pick<PaymentContext, 'database' | 'provider' | 'config' | 'log'>;

/**
 * Looks every hour for what is wrong with money and has no moment of its own: what does not move, what was not done, and what the
 * provider's wallet lacks. What other parts notice they say by `updateAlarms` themselves. A look that fails does not hold up the others.
 */
export async function watchMoney(context: WatchContext): Promise<void> {
  const { database, config } = context;
  const looks = [
    () => database.transaction((transaction) => watchChargebacks(transaction, context)),
    // Those of an earlier version; every later one is told of at once.
    () => database.transaction((transaction) => watchRefused(transaction, context)),
    () =>
      database.transaction((transaction) =>
        updateAlarms(transaction, context, 'disbursementStuck', async () => [
          ...(await transaction.execute<Record<string, unknown> & Alarm>(stuckDisbursements(config))),
        ]),
      ),
    () =>
      database.transaction((transaction) =>
        updateAlarms(transaction, context, 'proofOverdue', () => findOverdueProof(transaction)),
      ),
    () => watchBalance(context),
  ];
  const errors: unknown[] = [];
  for (const look of looks) await look().catch((error: unknown) => void errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Each open chargeback, with the last day for its evidence until that was sent. Called last in the transaction that opens, moves or decides one. */
export const watchChargebacks = (transaction: Transaction, context: Pick<WatchContext, 'log'>) =>
  updateAlarms(transaction, context, 'chargebackOpened', () =>
    transaction
      .select({
        recordId: chargebacks.id,
        amountCentavos: chargebacks.amountCentavos,
        dueOn: sql<
          string | null
        >`case when not ${chargebacks.isUnderReview} then ${chargebacks.dueOn}::text end`,
      })
      .from(chargebacks)
      .where(eq(chargebacks.state, 'open')),
  );

/** Hours without an end of the nightly check after which it was missed. */
const proofHours = 36;

/** Counted from the first movement while there was no check. */
const findOverdueProof = async (transaction: Transaction): Promise<Alarm[]> => [
  ...(await transaction.execute<Record<string, unknown> & Alarm>(sql`
    select '' as "recordId"
    where now() - make_interval(hours => ${proofHours}) > coalesce(
      (select checked_at from ledger_checks order by id desc limit 1),
      (select created_at from ledger_transfers order by id limit 1))`)),
];

/**
 * Compares the wallet with what members have to get of it. What is owed is read before and after the wallet and the smaller amount
 * counts, so that money that comes in or leaves meanwhile is no alarm.
 */
async function watchBalance(context: WatchContext): Promise<void> {
  const { database } = context;
  const before = await readOwed(database);
  const balance = await readBalance(context);
  // Without what is not available yet nothing can be said.
  if (balance?.pending === undefined) return;
  const owed = Math.min(before, await readOwed(database));
  const missing = owed - balance.available - balance.pending;
  await database.transaction((transaction) =>
    updateAlarms(transaction, context, 'balanceShort', async () =>
      missing > 0 ? [{ recordId: '', amountCentavos: missing }] : [],
    ),
  );
}

/** Null when the provider does not say it, as to accounts that may not read their wallet. @throws after a 429 */
async function readBalance({ provider, log }: WatchContext): Promise<Wallet['balance']> {
  try {
    return defaultWallet(await provider.wallets.list())?.balance;
  } catch (error) {
    if (pauseAfter(error) !== null) throw error;
    log.warn({ err: error }, 'the wallet could not be read');
    return null;
  }
}

async function readOwed(database: Database): Promise<number> {
  const [row] = await database.execute<{ owed: number }>(owedFromWallet);
  return row?.owed ?? 0;
}
