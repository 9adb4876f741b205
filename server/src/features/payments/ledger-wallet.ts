import { nowMs } from '@tara/contract/clock';
import { formatPesos } from '@tara/contract/notifications/facts';
import { defaultWallet, PaymongoError, pagesSince, type Wallet } from '@tara/paymongo';
import { desc, isNotNull, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { walletBalance } from './journal.ts';
import { inWallet } from './ledger.ts';
import { sentAndNotBooked } from './outgoing.ts';
import type { PaymentContext } from './provider.ts';
import { type LedgerDifference, ledgerChecks, unassignedDisputes } from './tables.ts';

/** What the provider's wallet holds beyond the ledger, Tara's own money, lies between these. Centavos. */
export type WalletGap = Pick<typeof ledgerChecks.$inferSelect, 'walletLowCentavos' | 'walletHighCentavos'>;

interface WalletReport extends WalletGap {
  differences: LedgerDifference[];
}

/** Of a wallet that the provider does not show. */
export const unreadWallet = {
  walletLowCentavos: null,
  walletHighCentavos: null,
} as const satisfies WalletGap;

/**
 * Compares what moved in the provider's wallet since the last check with what moved in the ledger: the wallet also has money of Tara's own, so
 * that only the change says something. What is under way may or may not be in either: so the gap lies between two amounts, which come
 * closer with each check, and a gap outside of those of the last check is a difference. It is one once: the next check begins there.
 */
export async function compareWallet(
  { database, provider, config }: Pick<PaymentContext, 'database' | 'provider' | 'config'>,
  settleSeconds = 600,
): Promise<WalletReport> {
  const { available, pending } = (await readWallet(provider))?.balance ?? {};
  // Without what is not available yet nothing can be said.
  if (available === undefined || pending === undefined) return { ...unreadWallet, differences: [] };
  const held = await readHeld(database, config.chargebackFeeCentavos);
  const gap = available + pending + held - (await walletBalance(database));
  const since = nowMs() / 1000 - settleSeconds;
  const slack =
    (await readMoved(database, since)) + (await readSent(database)) + (await readReceived(provider, since));
  const [low, high] = [gap - slack, gap + slack];
  const last = await lastGap(database);
  if (last === null) return { walletLowCentavos: low, walletHighCentavos: high, differences: [] };
  const [lowest, highest] = [Math.max(low, last.low), Math.min(high, last.high)];
  if (lowest <= highest) return { walletLowCentavos: lowest, walletHighCentavos: highest, differences: [] };
  const moved = low > last.high ? low - last.high : high - last.low;
  const text = `the provider's wallet has ${formatPesos(Math.abs(moved))} ${moved > 0 ? 'more' : 'less'} than the ledger since the last check`;
  return {
    ...{ walletLowCentavos: low, walletHighCentavos: high },
    differences: [{ rule: 'the wallet moves as the ledger', subject: 'wallet', text }],
  };
}

/** Null of an account that may not read it. */
const readWallet = (provider: PaymentContext['provider']): Promise<Wallet | null> =>
  provider.wallets.list().then(defaultWallet, (error: unknown) => {
    if (error instanceof PaymongoError && error.status === 403) return null;
    throw error;
  });

/** What the provider holds for card issuers and the ledger does not have: of disputes without a payment, and fees of old ones. */
async function readHeld(database: Database, feeCentavos: number): Promise<number> {
  const [row] = await database.execute<{ centavos: number }>(sql`select (
    (select coalesce(sum(amount_centavos + ${feeCentavos}::bigint), 0) from ${unassignedDisputes} where state <> 'won')
    + (select count(*) * ${feeCentavos}::bigint from chargebacks where state = 'open' and fee_centavos is null))::float8 as centavos`);
  return row?.centavos ?? 0;
}

/** What was booked since then, which the wallet may not have had when it was read. */
async function readMoved(database: Database, since: number): Promise<number> {
  const [row] = await database.execute<{ centavos: number }>(sql`
    select coalesce(sum(abs(amount)), 0)::float8 as centavos
    from ledger_transfers join ledger_entries on transfer_id = ledger_transfers.id
    where created_at >= to_timestamp(${since}) and ${inWallet}`);
  return row?.centavos ?? 0;
}

async function readSent(database: Database): Promise<number> {
  const [row] = await database.execute<{ centavos: number }>(sentAndNotBooked);
  return row?.centavos ?? 0;
}

/** What was paid since then, and may not be booked yet. */
async function readReceived({ payments }: PaymentContext['provider'], since: number): Promise<number> {
  let centavos = 0;
  const pages = pagesSince('GET /v1/payments', (query) => payments.list(query), since - 86_400);
  for await (const items of pages)
    for (const { attributes } of items)
      if (attributes.status === 'paid' && (attributes.paid_at ?? since) >= since)
        centavos += attributes.amount;
  return centavos;
}

async function lastGap(database: Database): Promise<{ low: number; high: number } | null> {
  const { walletLowCentavos: low, walletHighCentavos: high, id } = ledgerChecks;
  const [row] = await database
    .select({ low, high })
    .from(ledgerChecks)
    .where(isNotNull(low))
    .orderBy(desc(id))
    .limit(1);
  return row?.low == null || row.high === null ? null : { low: row.low, high: row.high };
}
