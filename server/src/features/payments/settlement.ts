import { nowMs } from '@tara/contract/clock';
import { csvLine } from '@tara/contract/csv';
import { philippineDay } from '@tara/contract/members/profiles';
import { pesos } from '@tara/contract/plans/plans';
import { defaultWallet, type Paymongo, paymentFee, readSince } from '@tara/paymongo';
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { type JournalRange, walletBalance } from './journal.ts';

/** More than the provider takes until the money of a payment can be used. */
const settledWithinDays = 45;
const daySeconds = 86_400;

type SettlementProvider = Pick<Paymongo, 'payments' | 'wallets'>;

interface Settlement {
  /** The lines of a CSV file: what becomes available on each day, and what the ledger has of it. */
  lines: string[];
  /** Centavos; null when the provider does not say what its wallet holds. */
  wallet: {
    ledger: number;
    /** Of it what is not available yet. */
    pending: number;
    provider: number | null;
  };
}

/**
 * The provider's payments by the day from which their money can be used, beside what the ledger booked of them, and the
 * wallet. Pesos in the lines.
 * @throws PaymongoUnreachable
 */
export async function settlement(
  database: Database,
  provider: SettlementProvider,
  { from, to }: JournalRange,
): Promise<Settlement> {
  const now = nowMs() / 1000;
  const firstDay = Date.parse(`${from}T00:00:00+08:00`) / 1000;
  const since = Math.min(firstDay, now) - settledWithinDays * daySeconds;
  const listed = await readSince('GET /v1/payments', (query) => provider.payments.list(query), since);
  const payments = listed.filter(({ attributes: { status } }) => status === 'paid');
  const ids = payments.map(({ id }) => id);
  const booked = await database.execute<{ id: string; net: number }>(sql`
    select id, (amount_centavos - fee_centavos)::float8 as net from captured_payments
    where id = any(${sql.param(ids)}::text[])`);
  const netById = new Map(booked.map(({ id, net }) => [id, net]));
  const days = new Map<string, { count: number; amount: number; fee: number; net: number; booked: number }>();
  let pending = 0;
  for (const payment of payments) {
    const { amount, available_at: availableAt, paid_at: paidAt } = payment.attributes;
    const fee = paymentFee(payment) ?? 0;
    const ours = netById.get(payment.id) ?? 0;
    const at = availableAt ?? paidAt ?? 0;
    if (at > now) pending += ours;
    const day = philippineDay(at * 1000);
    if (day < from || day > to) continue;
    const sum = days.get(day) ?? { count: 0, amount: 0, fee: 0, net: 0, booked: 0 };
    days.set(day, {
      count: sum.count + 1,
      amount: sum.amount + amount,
      fee: sum.fee + fee,
      net: sum.net + amount - fee,
      booked: sum.booked + ours,
    });
  }
  const lines = [...days]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([day, { count, amount, fee, net, booked }]) =>
      csvLine([day, String(count), ...[amount, fee, net, booked, net - booked].map(pesos)]),
    );
  const wallet = defaultWallet(await provider.wallets.list());
  return {
    lines: [
      csvLine(['Available on', 'Payments', 'Amount', 'Fee', 'Net', 'In the ledger', 'Difference']),
      ...lines,
    ],
    wallet: {
      ledger: await walletBalance(database),
      pending,
      provider: wallet?.balance?.available ?? null,
    },
  };
}
