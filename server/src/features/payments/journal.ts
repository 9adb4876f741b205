import { csvLine } from '@tara/contract/csv';
import { timeZone } from '@tara/contract/limits';
import { pesos } from '@tara/contract/plans/plans';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { dayEnd, dayStart } from './days.ts';
import { inWallet } from './ledger.ts';

/** Days of the Philippines, both included: `2026-01-31`. */
export interface JournalRange {
  from: string;
  to: string;
}

const rangeStart = ({ from }: JournalRange) => dayStart(from);
const rangeEnd = ({ to }: JournalRange) => dayEnd(to);
const isWithin = (range: JournalRange): SQL =>
  sql`created_at >= ${rangeStart(range)} and created_at < ${rangeEnd(range)}`;

/** A positive amount is a debit, a negative one a credit; what is not there is an empty cell. */
const sides = (centavos: number): [debit: number | string, credit: number | string] =>
  centavos >= 0 ? [pesos(centavos), ''] : ['', pesos(-centavos)];

interface Entry extends Record<string, unknown> {
  id: number;
  at: string;
  kind: string;
  request: string;
  record: string;
  type: string;
  owner: string;
  amount: number;
}

/**
 * Every entry of the days as a line of a double-entry journal, oldest first. Pesos; the times are of the Philippines.
 * @param batchSize transfers that one statement reads.
 */
export async function* journalLines(
  database: Database,
  range: JournalRange,
  batchSize = 5_000,
): AsyncGenerator<string> {
  yield csvLine(['Movement', 'Time', 'Kind', 'Request', 'Record', 'Account', 'Owner', 'Debit', 'Credit']);
  for (let after = 0; ; ) {
    const entries: Entry[] = await database.execute<Entry>(sql`
      with batch as (
        select * from ledger_transfers where id > ${after} and ${isWithin(range)} order by id limit ${batchSize})
      select batch.id::float8 as id, to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS') as at, kind,
        interaction_id as request, substr(key, length(kind) + 2) as record, account as type, owner,
        amount::float8 as amount
      from batch join ledger_entries on transfer_id = batch.id order by batch.id, amount desc, account, owner`);
    for (const { id, at, kind, request, record, type, owner, amount } of entries)
      yield csvLine([String(id), at, kind, request, record, type, owner, ...sides(amount)]);
    const last = entries.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

interface Sums extends Record<string, unknown> {
  type: string;
  opening: number;
  debit: number;
  credit: number;
}

/** The trial balance of the days by type of account, with a line of totals: debits and credits are equal. Pesos. */
export async function trialBalanceLines(database: Database, range: JournalRange): Promise<string[]> {
  const rows = await database.execute<Sums>(sql`
    select account as type,
      (coalesce(sum(amount) filter (where created_at < ${rangeStart(range)}), 0))::float8 as opening,
      (coalesce(sum(amount) filter (where amount > 0 and created_at >= ${rangeStart(range)}), 0))::float8 as debit,
      (-coalesce(sum(amount) filter (where amount < 0 and created_at >= ${rangeStart(range)}), 0))::float8 as credit
    from ledger_entries join ledger_transfers on ledger_transfers.id = transfer_id
    where created_at < ${rangeEnd(range)} group by 1 order by 1`);
  const line = ({ type, opening, debit, credit }: Sums) =>
    csvLine([type, pesos(opening), pesos(debit), pesos(credit), pesos(opening + debit - credit)]);
  const total = (name: 'opening' | 'debit' | 'credit') => rows.reduce((sum, row) => sum + row[name], 0);
  return [
    csvLine(['Account', 'Opening', 'Debit', 'Credit', 'Closing']),
    ...rows.map(line),
    line({ type: 'Total', opening: total('opening'), debit: total('debit'), credit: total('credit') }),
  ];
}

interface Month extends Record<string, unknown> {
  month: string;
  earned: number;
  payment_fees: number;
  transfer_fees: number;
  chargeback_fees: number;
  losses: number;
}

/** What Tara earned, what the provider took and what was lost in each month of the days. Pesos. */
export async function monthLines(database: Database, range: JournalRange): Promise<string[]> {
  const sum = (condition: SQL) => sql`(coalesce(sum(amount) filter (where ${condition}), 0))::float8`;
  const months = await database.execute<Month>(sql`
    select to_char(created_at at time zone ${timeZone}, 'YYYY-MM') as month,
      -${sum(sql`account = 'platform_fee'`)} as earned,
      ${sum(sql`account = 'fees' and kind = 'capture'`)} as payment_fees,
      ${sum(sql`account = 'fees' and kind in ('payout', 'refund')`)} as transfer_fees,
      ${sum(sql`account = 'fees' and kind not in ('capture', 'payout', 'refund')`)} as chargeback_fees,
      ${sum(sql`account = 'losses'`)} as losses
    from ledger_entries join ledger_transfers on ledger_transfers.id = transfer_id
    where ${isWithin(range)} group by 1 order by 1`);
  return [
    csvLine([
      ...['Month', 'Platform fee earned', 'Fees of payments', 'Fees of transfers', 'Fees of chargebacks'],
      ...['Losses', 'Result'],
    ]),
    ...months.map(({ month, ...sums }) => {
      const { earned, payment_fees, transfer_fees, chargeback_fees, losses } = sums;
      const spent = [payment_fees, transfer_fees, chargeback_fees, losses];
      const result = spent.reduce((rest, cost) => rest - cost, earned);
      return csvLine([month, ...[earned, ...spent, result].map(pesos)]);
    }),
  ];
}

/** What the ledger says that the provider's wallet holds, centavos. */
export async function walletBalance(database: Database): Promise<number> {
  const [row] = await database.execute<{ balance: number }>(
    sql`select coalesce(sum(amount), 0)::float8 as balance from ledger_entries where ${inWallet}`,
  );
  return row?.balance ?? 0;
}
