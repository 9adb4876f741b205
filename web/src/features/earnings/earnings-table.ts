import type { EarningsRow } from '@tara/contract/earnings';
import type { StatementRow } from '@tara/contract/payments';

/** Sums of pesos, by month or by plan. */
export interface EarningsSum {
  key: string;
  label: string;
  held: number;
  earned: number;
  paidOut: number;
}

export type EarningsView = 'month' | 'plan';

/** `2026-11` as 'November 2026'. */
function monthLabel(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const format = new Intl.DateTimeFormat('en-PH', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(Date.UTC(year, number - 1));
}

/** Sums the rows by month (newest first) or by plan (most earned first). */
export function sumBy(rows: readonly EarningsRow[], view: EarningsView): EarningsSum[] {
  const sums = new Map<string, EarningsSum>();
  for (const { month, planId, planTitle, held, earned, paidOut } of rows) {
    const key = view === 'month' ? month : planId;
    const sum = sums.get(key) ?? {
      ...{ key, label: view === 'month' ? monthLabel(month) : planTitle },
      ...{ held: 0, earned: 0, paidOut: 0 },
    };
    sums.set(key, {
      ...sum,
      held: addPesos(sum.held, held),
      earned: addPesos(sum.earned, earned),
      paidOut: addPesos(sum.paidOut, paidOut),
    });
  }
  const all = [...sums.values()];
  return view === 'month' ? all : all.sort((a, b) => b.earned - a.earned || b.held - a.held);
}

/** Without the error of binary fractions. */
const addPesos = (a: number, b: number) => Math.round((a + b) * 100) / 100;

/** A cell as a spreadsheet reads it: quoted, and never taken for a formula. */
const cell = (value: string | number) =>
  typeof value === 'number'
    ? value.toFixed(2)
    : `"${value.replaceAll('"', '""').replace(/^[=+\-@\t\r]/, (first) => `'${first}`)}"`;

/** The rows as a CSV file (RFC 4180), with a byte order mark so that spreadsheets read it as UTF-8. */
export function earningsCsv(rows: readonly EarningsRow[]): string {
  const lines = rows.map(({ month, planTitle, held, earned, paidOut }) =>
    [month, planTitle, held, earned, paidOut].map(cell).join(','),
  );
  return csv('"Month","Plan","Held (PHP)","Earned (PHP)","Paid out (PHP)"', lines);
}

const csv = (heading: string, lines: readonly string[]) => `\uFEFF${[heading, ...lines, ''].join('\r\n')}`;

const movementLabels: Record<StatementRow['kind'], string> = {
  capture: 'Paid, held by Tara',
  release: 'Passed on to the creator',
  payout: 'Paid out to you',
  refund: 'Refunded to you',
  chargeback: 'Disputed by the card issuer',
  chargeback_won: 'Card dispute won',
  chargeback_lost: 'Card dispute lost',
};

/** What a movement of money was for the member: what a client's request releases, its creator earns. */
export const movementLabel = ({ kind, amount }: Pick<StatementRow, 'kind' | 'amount'>) =>
  kind === 'release' && amount > 0 ? 'Earned' : movementLabels[kind];

/** The movements as a CSV file, each with its time in UTC. */
export function statementCsv(rows: readonly StatementRow[]): string {
  const lines = rows.map((row) =>
    [row.at, row.planTitle, movementLabel(row), row.amount, row.balance].map(cell).join(','),
  );
  return csv('"Time","Plan","Movement","Amount (PHP)","Balance (PHP)"', lines);
}

/** Saves a text as a file of the person. */
export function saveCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
