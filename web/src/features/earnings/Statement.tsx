import { Link } from '@tanstack/react-router';
import { csvFile, csvLine } from '@tara/contract/csv';
import { timeZone } from '@tara/contract/limits';
import type { EarningsRow } from '@tara/contract/money/earnings';
import { payments, type StatementRange, type StatementRow } from '@tara/contract/money/payments';
import { Download } from 'lucide-react';
import { Suspense, useState } from 'react';
import { call, showErrorToast } from '../../lib/call.ts';
import { pagesOf, queryOf, useLoaded, useLoadedPages } from '../../lib/queries.ts';
import { Button, linkClass } from '../../ui/Button.tsx';
import { DateInput, Field } from '../../ui/Field.tsx';
import { Money, money, StateLine, StateList } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Card, Skeleton } from '../../ui/Page.tsx';
import { exactTime } from '../../ui/TimeLabel.tsx';

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

/** The rows as a CSV file. */
export function earningsCsv(rows: readonly EarningsRow[]): string {
  const heading = csvLine(['Month', 'Plan', 'Held (PHP)', 'Earned (PHP)', 'Paid out (PHP)']);
  const lines = rows.map(({ month, planTitle, held, earned, paidOut }) =>
    csvLine([month, planTitle, held, earned, paidOut]),
  );
  return csvFile([heading, ...lines]);
}

const movementLabels: Record<StatementRow['kind'], string> = {
  capture: 'Paid, held by Tara',
  release: 'Passed on to the creator',
  payout: 'Paid out to you',
  refund: 'Refunded to you',
  chargeback: 'Disputed by the card issuer',
  chargeback_won: 'Card dispute won',
  chargeback_corrected: 'Card dispute of another payment',
  chargeback_lost: 'Card dispute lost',
};

/** What a movement of money was for the member: what a client's request releases, its creator earns. */
const movementLabel = ({ kind, amount }: Pick<StatementRow, 'kind' | 'amount'>) =>
  kind === 'release' && amount > 0 ? 'Earned' : movementLabels[kind];

/** `2026-01-31 23:59:59`, by Philippine time. */
const csvTime = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });

/** What a statement begins and ends with, in pesos. */
interface Balances {
  opening: number;
  closing: number;
}

/** The movements as a CSV file, newest first between the two balances, each with its Philippine time. */
export function statementCsv(rows: readonly StatementRow[], { opening, closing }: Balances): string {
  const lines = rows.map((row) =>
    csvLine([csvTime.format(new Date(row.at)), row.planTitle, movementLabel(row), row.amount, row.balance]),
  );
  return csvFile([
    csvLine(['Time', 'Plan', 'Movement', 'Amount (PHP)', 'Balance (PHP)']),
    csvLine(['', '', 'Closing balance', '', closing]),
    ...lines,
    csvLine(['', '', 'Opening balance', '', opening]),
  ]);
}

/** Saves a text as a file of the person. */
export function saveCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone });

/** All movements of these days, newest first. @throws as `call`. */
async function readStatement(range: StatementRange): Promise<StatementRow[]> {
  const rows: StatementRow[] = [];
  let cursor: string | null = null;
  do {
    const query: StatementRange & { cursor?: string } = cursor === null ? range : { ...range, cursor };
    const page: { items: StatementRow[]; next: string | null } = await call(payments.statement, { query });
    rows.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return rows;
}

/** `tara-statement-2026-01-01-2026-01-31.csv`; a side without a limit is left out. */
const statementName = ({ from, to }: StatementRange) =>
  `${['tara-statement', from, to].filter(Boolean).join('-')}.csv`;

/** The statement of the days that the member chooses: at first of all. */
export function Statement() {
  const [chosen, setChosen] = useState({ from: '', to: '' });
  const isUpsideDown = chosen.from !== '' && chosen.to !== '' && chosen.from > chosen.to;
  const range: StatementRange = {
    ...(chosen.from !== '' && { from: chosen.from }),
    ...(chosen.to !== '' && { to: chosen.to }),
  };
  const change =
    (name: keyof typeof chosen) =>
    ({ target }: { target: { value: string } }) =>
      setChosen({ ...chosen, [name]: target.value });
  return (
    <>
      <div className="mt-3 grid max-w-form grid-cols-2 gap-x-4">
        <Field label="From" lines={0}>
          <DateInput value={chosen.from} onChange={change('from')} />
        </Field>
        <Field label="To" lines={1} error={isUpsideDown ? 'Must not be before the first day.' : undefined}>
          <DateInput value={chosen.to} onChange={change('to')} />
        </Field>
      </div>
      {!isUpsideDown && (
        <Suspense fallback={<Skeleton shape="box" height={288} className="mt-4" />}>
          <StatementDays range={range} />
        </Suspense>
      )}
    </>
  );
}

/** Each movement of what Tara holds for the member as a client and owes them as a creator. */
function StatementDays({ range }: { range: StatementRange }) {
  const { items, more } = useLoadedPages(pagesOf(payments.statement, { query: range }));
  const balances = useLoaded(queryOf(payments.statementBalances, { query: range }));
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    setIsSaving(true);
    try {
      const rows = await readStatement(range);
      const present = await call(payments.statementBalances, { query: range });
      saveCsv(statementName(range), statementCsv(rows, present));
    } catch (error) {
      showErrorToast(error);
    }
    setIsSaving(false);
  };
  if (items.length === 0 && !more.hasMore && range.from === undefined && range.to === undefined)
    return <p className="mt-3 text-ink-soft">No money was moved for you yet.</p>;
  return (
    <>
      <StateList className="mt-3 border-y border-line">
        <StateLine label="Opening balance" value={money(balances.opening)} />
        <StateLine label="Closing balance" value={money(balances.closing)} />
      </StateList>
      <Button
        variant="secondary"
        className="mt-3"
        icon={<Icon of={Download} />}
        pending={isSaving}
        onClick={() => void save()}
      >
        Download the statement
      </Button>
      {items.length === 0 && <p className="mt-4 text-ink-soft">No money was moved for you on these days.</p>}
      <InfiniteList {...more}>
        <Card padding="none" className="mt-4 overflow-hidden" hidden={items.length === 0}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (axe scrollable-region-focusable) */}
          <section tabIndex={0} aria-label="Movements" className="overflow-x-auto">
            <table className="w-full text-sm">
              <thead className="border-b border-line text-left text-ink-soft">
                <tr>
                  {['Date', 'Movement', 'Amount', 'Balance'].map((name, index) => (
                    <th
                      key={name}
                      scope="col"
                      className={`px-3 py-3 font-semibold sm:px-4 ${index === 0 ? 'max-sm:hidden' : ''} ${index > 1 ? 'text-right' : ''}`}
                    >
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map((row) => (
                  <Movement key={row.id} row={row} />
                ))}
              </tbody>
            </table>
          </section>
        </Card>
      </InfiniteList>
    </>
  );
}

function Movement({ row }: { row: StatementRow }) {
  const { at, planTitle, amount, balance, confirmation } = row;
  const date = (
    <time dateTime={at} title={exactTime(at)} className="figures whitespace-nowrap">
      {day.format(new Date(at))}
    </time>
  );
  return (
    <tr className="border-b border-line last:border-0">
      <td className="px-3 py-3 text-ink-soft max-sm:hidden sm:px-4">{date}</td>
      <th scope="row" className="max-w-56 min-w-28 px-3 py-3 text-left sm:px-4 font-medium wrap-anywhere">
        {movementLabel(row)}
        <span className="block font-normal text-ink-soft">{planTitle}</span>
        <span className="block font-normal text-ink-soft sm:hidden">{date}</span>
        {confirmation && (
          <Link
            to="/confirmation/$kind/$id"
            params={confirmation}
            className={`${linkClass} inline-flex min-h-6 items-center font-normal`}
          >
            Confirmation
          </Link>
        )}
      </th>
      <td className="px-3 py-3 text-right sm:px-4">
        <span className="figures whitespace-nowrap">{`${amount > 0 ? '+' : ''}${money(amount)}`}</span>
      </td>
      <td className="px-3 py-3 text-right sm:px-4">
        <Money pesos={balance} />
      </td>
    </tr>
  );
}
