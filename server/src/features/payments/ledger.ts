import type { Movement } from '@tara/contract/money/case-files';
import { confirmationNumber } from '@tara/contract/money/payments';
import { pesos } from '@tara/contract/plans/plans';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { ledgerEntries, ledgerTransfers } from './tables.ts';

type AccountType = (typeof ledgerEntries.$inferInsert)['account'];

/**
 * An account of the ledger: its type, and the request or the member whose it is; empty for those of Tara. What came in is positive
 * (`cash`, spent `fees`), what we owe is negative (`escrow` of a request, `payable` to a creator), and so is what went out again
 * (`paid_out`, `refunded`, `held_by_provider`, `charged_back`): the provider's wallet holds the sum of `cash` and these.
 * docs/payments.md draws how an amount moves.
 */
export type Account = Readonly<{ account: AccountType; owner: string }>;

/** An account with what is booked to it, in whole centavos. */
export type Entry = readonly [Account, number];

const account = (type: AccountType, owner = ''): Account => ({ account: type, owner });

export const cash = account('cash');
/** What the provider charges us. */
export const fees = account('fees');
/** Tax that the provider withheld on its fees and left with us: owed to the tax office, so negative. */
export const taxWithheld = account('tax_withheld');
/** What Tara earns. */
export const platformFee = account('platform_fee');
/** What is Tara's own of what the provider holds for open disputes. */
export const atRisk = account('at_risk');
/** What Tara lost to card issuers after it had paid out. */
export const losses = account('losses');
export const chargedBack = account('charged_back');
/** What admins paid out by hand, which left another account of Tara than the provider's wallet. */
export const byHand = account('by_hand');
export const escrow = (interactionId: string) => account('escrow', interactionId);
/** What the provider holds of a request's payments, and its fee, until the card issuer decides. */
export const heldByProvider = (interactionId: string) => account('held_by_provider', interactionId);
export const refunded = (interactionId: string) => account('refunded', interactionId);
export const payable = (profileId: string) => account('payable', profileId);
export const paidOut = (profileId: string) => account('paid_out', profileId);

/** The accounts whose sum the provider's wallet holds. */
export const inWallet = inArray(ledgerEntries.account, [
  ...(['cash', 'paid_out', 'refunded', 'held_by_provider', 'charged_back'] as const),
]);

type TransferKind = (typeof ledgerTransfers.$inferInsert)['kind'];

interface NewTransfer {
  kind: TransferKind;
  interactionId: string;
  /** The payment that it is about; null where money was lost by hand. */
  paymentId: string | null;
  /** What happens once: the payment itself, or a disbursement, a chargeback, what a refused refund made up for one, or a transfer by hand. */
  of: string;
  /** Each account once; entries of 0 are left out. */
  entries: readonly Entry[];
}

/**
 * Books one transfer, in the transaction of the state that it follows. Each kind happens once of one thing: a second
 * one breaks `ledger_transfers_key_key`, entries that do not sum to zero break `ledger_zero_sum` at commit.
 */
export async function book(
  transaction: Transaction,
  { kind, interactionId, paymentId, of, entries }: NewTransfer,
): Promise<void> {
  const [transfer] = await transaction
    .insert(ledgerTransfers)
    .values({ key: `${kind}:${of}`, kind, interactionId, paymentId })
    .returning({ id: ledgerTransfers.id });
  if (!transfer) throw new Error('the ledger gave no transfer back');
  const rows = entries
    .filter(([, amount]) => amount !== 0)
    .map(([account, amount]) => ({ transferId: transfer.id, ...account, amount }));
  await transaction.insert(ledgerEntries).values(rows);
}

/** Sum of an account's entries, in centavos. */
export async function readBalance(
  database: Database | Transaction,
  { account, owner }: Account,
): Promise<number> {
  const [row] = await database
    .select({ balance: sql<number>`coalesce(sum(${ledgerEntries.amount}), 0)::bigint`.mapWith(Number) })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.account, account), eq(ledgerEntries.owner, owner)));
  return row?.balance ?? 0;
}

/** What is held for a request, in centavos: captured − refunded − released. 0 when it is over. */
export const heldFor = async (database: Database | Transaction, interactionId: string) =>
  0 - (await readBalance(database, escrow(interactionId)));

/** What is held for one payment (`escrow`), or owed to the creator for it (`payable`), in centavos. */
export async function readLiability(
  database: Database | Transaction,
  paymentId: string,
  type: 'escrow' | 'payable',
): Promise<number> {
  const [row] = await database
    .select({ centavos: sql<number>`coalesce(-sum(${ledgerEntries.amount}), 0)::bigint`.mapWith(Number) })
    .from(ledgerEntries)
    .innerJoin(ledgerTransfers, eq(ledgerTransfers.id, ledgerEntries.transferId))
    .where(and(eq(ledgerTransfers.paymentId, paymentId), eq(ledgerEntries.account, type)));
  return row?.centavos ?? 0;
}

/** What is owed to a creator and not paid out yet, in centavos. */
export const owedTo = async (database: Database | Transaction, profileId: string) =>
  0 - (await readBalance(database, payable(profileId)));

/** Every movement of a request with its entries, oldest first. */
export async function readMovements(database: Database, interactionId: string): Promise<Movement[]> {
  const rows = await database.execute<{
    id: number;
    at: Date;
    kind: TransferKind;
    entries: { account: string; owner: string; amount: number }[];
  }>(sql`
    select id::float8 as id, created_at as at, kind,
      (select json_agg(json_build_object('account', account, 'owner', owner, 'amount', amount)
        order by amount desc, account, owner) from ${ledgerEntries} where transfer_id = ledger_transfers.id) as entries
    from ${ledgerTransfers} where interaction_id = ${interactionId} order by id`);
  return rows.map(({ id, at, kind, entries }) => ({
    ...{ number: confirmationNumber(id), at: new Date(at).toISOString(), kind },
    entries: entries.map((entry) => ({ ...entry, amount: pesos(entry.amount) })),
  }));
}
