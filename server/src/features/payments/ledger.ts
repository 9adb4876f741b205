import { eq, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { ledgerEntries, ledgerTransfers } from './tables.ts';

/**
 * Accounts of the ledger. What we hold is positive (`cash`, spent `fees`), what we owe is negative (`escrow` of a
 * request, `payable` to a creator).
 */
export const cash = 'cash';
export const fees = 'fees';
export const escrow = (interactionId: string) => `escrow:${interactionId}`;
export const payable = (profileId: string) => `payable:${profileId}`;

interface NewTransfer {
  kind: 'capture' | 'release' | 'payout' | 'refund';
  interactionId: string;
  /** Whole centavos by account; entries of 0 are left out. */
  entries: Record<string, number>;
}

/**
 * Books one transfer, in the transaction of the state that it tells of. Each kind happens once per request: a second
 * one breaks `ledger_transfers_key_key`, entries that do not sum to zero break `ledger_zero_sum` at commit.
 */
export async function book(
  transaction: Transaction,
  { kind, interactionId, entries }: NewTransfer,
): Promise<void> {
  const [transfer] = await transaction
    .insert(ledgerTransfers)
    .values({ key: `${kind}:${interactionId}`, kind, interactionId })
    .returning({ id: ledgerTransfers.id });
  if (!transfer) throw new Error('the ledger gave no transfer back');
  const rows = Object.entries(entries)
    .filter(([, amount]) => amount !== 0)
    .map(([account, amount]) => ({ transferId: transfer.id, account, amount }));
  await transaction.insert(ledgerEntries).values(rows);
}

/** Sum of an account's entries, in centavos. */
export async function balanceOf(database: Database | Transaction, account: string): Promise<number> {
  const [row] = await database
    .select({ balance: sql<number>`coalesce(sum(${ledgerEntries.amount}), 0)::bigint`.mapWith(Number) })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.account, account));
  return row?.balance ?? 0;
}

/** What is held for a request, in centavos: captured − refunded − released. 0 when it is over. */
export const heldFor = async (database: Database | Transaction, interactionId: string) =>
  0 - (await balanceOf(database, escrow(interactionId)));

/** What is owed to a creator and not paid out yet, in centavos. */
export const owedTo = async (database: Database | Transaction, profileId: string) =>
  0 - (await balanceOf(database, payable(profileId)));
