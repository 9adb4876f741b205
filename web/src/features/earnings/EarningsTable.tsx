import { Card } from '../../ui/Card.tsx';
import { Money } from '../../ui/Money.tsx';
import type { EarningsSum, EarningsView } from './earnings-table.ts';

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
              <th scope="col" className="px-3 py-3 sm:px-4 font-semibold">
                {title}
              </th>
              {columns.map((name) => (
                <th
                  key={name}
                  scope="col"
                  className="px-3 py-3 sm:px-4 text-right font-semibold whitespace-nowrap"
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sums.map(({ key, label, held, earned, paidOut }) => (
              <tr key={key} className="border-b border-line last:border-0">
                <th scope="row" className="max-w-56 min-w-28 px-3 py-3 text-left font-medium wrap-anywhere">
                  {label}
                </th>
                {[held, earned, paidOut].map((pesos, index) => (
                  <td key={columns[index]} className="px-3 py-3 sm:px-4 text-right">
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
