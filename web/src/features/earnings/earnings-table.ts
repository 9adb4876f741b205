import type { EarningsRow } from '@tara/contract/earnings';

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
  return `\uFEFF${['"Month","Plan","Held (PHP)","Earned (PHP)","Paid out (PHP)"', ...lines, ''].join('\r\n')}`;
}
