import { cx } from '../../ui/cx.ts';
import { Money, money } from '../../ui/facts.tsx';
import { Card } from '../../ui/Page.tsx';
import type { EarningsSum, EarningsView } from './earnings-table.ts';

/** Told apart by pattern, not by colour: solid, hatched, outlined. */
const series = [
  { key: 'earned', label: 'Earned', pattern: 'bg-lagoon border-lagoon' },
  {
    key: 'paidOut',
    label: 'Paid out',
    pattern: 'border-lagoon bg-[repeating-linear-gradient(135deg,var(--lagoon)_0_2px,transparent_2px_6px)]',
  },
  { key: 'held', label: 'Held', pattern: 'border-lagoon border-dashed' },
] as const;

/** Rows that a chart shows; the table has them all. */
const mostRows = 12;

/** Bars of the sums. A picture of the table below it, so screen readers skip it. */
export function EarningsChart({ sums }: { sums: readonly EarningsSum[] }) {
  const shown = sums.slice(0, mostRows);
  const most = Math.max(...shown.flatMap(({ earned, paidOut, held }) => [earned, paidOut, held]), 1);
  return (
    <Card className="mt-4" aria-hidden="true">
      <ul className="mb-4 flex flex-wrap gap-x-5 gap-y-2 text-sm text-ink-soft">
        {series.map(({ key, label, pattern }) => (
          <li key={key} className="flex items-center gap-2">
            <span className={cx('h-3.5 w-6 rounded-[3px] border-2', pattern)} />
            {label}
          </li>
        ))}
      </ul>
      <ul className="flex flex-col gap-4">
        {shown.map((sum) => (
          <li key={sum.key} className="min-w-0">
            <p className="mb-1 truncate text-sm font-semibold">{sum.label}</p>
            {series
              .filter(({ key }) => sum[key] > 0)
              .map(({ key, pattern }) => (
                <p key={key} className="flex items-center gap-2 py-0.5">
                  {/* The widest bar leaves room for its amount. */}
                  <span
                    className={cx('h-3.5 shrink-0 rounded-[3px] border-2', pattern)}
                    style={{ width: `max(0.5rem, calc((100% - 8.5rem) * ${sum[key] / most}))` }}
                  />
                  <span className="figures text-sm whitespace-nowrap text-ink-soft">{money(sum[key])}</span>
                </p>
              ))}
          </li>
        ))}
      </ul>
      {sums.length > mostRows && (
        <p className="mt-4 text-sm text-ink-soft">The table below has all {sums.length}.</p>
      )}
    </Card>
  );
}

const columns = ['Held', 'Earned', 'Paid out'] as const;

/** The sums as a table; on narrow screens it scrolls inside its card. */
export function EarningsTable({ sums, view }: { sums: readonly EarningsSum[]; view: EarningsView }) {
  const title = view === 'month' ? 'Month' : 'Plan';
  return (
    <Card padding="none" className="mt-4 overflow-hidden">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (axe scrollable-region-focusable) */}
      <section tabIndex={0} aria-label={`Earnings by ${view}`} className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead className="border-b border-line text-left text-ink-soft">
            <tr>
              <th scope="col" className="px-2.5 py-3 sm:px-4 font-semibold">
                {title}
              </th>
              {columns.map((name) => (
                <th
                  key={name}
                  scope="col"
                  className="px-2.5 py-3 sm:px-4 text-right font-semibold whitespace-nowrap"
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sums.map(({ key, label, held, earned, paidOut }) => (
              <tr key={key} className="border-b border-line last:border-0">
                <th
                  scope="row"
                  className="max-w-56 min-w-20 px-2.5 py-3 sm:px-4 text-left font-medium wrap-anywhere"
                >
                  {label}
                </th>
                {[held, earned, paidOut].map((pesos, index) => (
                  <td key={columns[index]} className="px-2.5 py-3 sm:px-4 text-right">
                    <Money pesos={pesos} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
