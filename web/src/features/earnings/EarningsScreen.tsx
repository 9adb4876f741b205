import { Link } from '@tanstack/react-router';
import { type Earnings, earnings } from '@tara/contract/money/earnings';
import { clsx } from 'clsx';
import { Download } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { queryOf, useLoaded } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Money, money } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Card, EmptyState, Page, Skeleton } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { useSession } from '../accounts/index.ts';
import { type EarningsSum, type EarningsView, earningsCsv, Statement, saveCsv, sumBy } from './Statement.tsx';
import { earningsIntro } from './skeletons.tsx';

/** `/earnings`: what is held, earned and paid out, by month and by plan, and each movement on demand. */
export function EarningsScreen() {
  const { profile } = useSession();
  const { rows, totals } = useLoaded(queryOf(earnings.get));
  const [view, setView] = useState<EarningsView>('month');
  const sums = sumBy(rows, view);
  return (
    <Page
      title="Earnings"
      intro={earningsIntro}
      width="chat"
      actions={
        rows.length > 0 && (
          <Button
            variant="secondary"
            icon={<Icon of={Download} />}
            onClick={() => saveCsv('tara-earnings.csv', earningsCsv(rows))}
          >
            Download CSV
          </Button>
        )
      }
    >
      <Totals totals={totals} />
      {rows.length === 0 ? (
        <EmptyState
          illustration="sailing"
          title="Nothing earned yet"
          text="When somebody pays for one of your plans, it shows up here."
          action={
            <Link to="/profile/plans/$id" params={{ id: profile.id }} className={buttonClass()}>
              Your plans
            </Link>
          }
        />
      ) : (
        <>
          <Segmented
            label="Group by"
            value={view}
            onChange={setView}
            options={[
              { value: 'month', label: 'By month' },
              { value: 'plan', label: 'By plan' },
            ]}
            className="mt-6"
          />
          <EarningsChart sums={sums} />
          <EarningsTable sums={sums} view={view} />
        </>
      )}
      <StatementSection />
    </Page>
  );
}

function Totals({ totals }: Pick<Earnings, 'totals'>) {
  const tiles = [
    { label: 'Held', pesos: totals.held, text: 'Paid by clients, not confirmed yet' },
    { label: 'Earned', pesos: totals.earned, text: 'Confirmed, since you joined' },
    { label: 'On its way', pesos: totals.onTheWay, text: 'Earned, not arrived yet' },
    { label: 'Paid out', pesos: totals.paidOut, text: 'Arrived at your number' },
  ];
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
      {tiles.map(({ label, pesos, text }) => (
        <Card key={label} padding="sm" className="flex min-w-0 flex-col">
          <dt className="text-sm font-semibold text-ink-soft">{label}</dt>
          <dd className="mt-1 flex grow flex-col">
            <Money pesos={pesos} className="text-lg font-semibold" />
            <span className="mt-1 text-sm text-ink-soft">{text}</span>
          </dd>
        </Card>
      ))}
    </dl>
  );
}

/** Loaded when somebody opens it: most only look at the sums. */
function StatementSection() {
  const [isShown, setIsShown] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const show = () => {
    setIsShown(true);
    // The pressed button goes.
    heading.current?.focus();
  };
  return (
    <section aria-label="Statement" className="mt-8">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold">
        Statement
      </h2>
      <p className="mt-1 text-ink-soft">
        Each movement of your money: what Tara holds for you as a client, and owes you as a creator.
      </p>
      {isShown ? (
        <Suspense fallback={<Skeleton shape="box" height={288} className="mt-4" />}>
          <Statement />
        </Suspense>
      ) : (
        <Button variant="secondary" className="mt-3" onClick={show}>
          Show the statement
        </Button>
      )}
    </section>
  );
}

/** Distinguished by pattern, not by colour: solid, hatched, outlined. */
const series = [
  { key: 'earned', label: 'Earned', pattern: 'bg-lagoon border-lagoon' },
  {
    key: 'paidOut',
    label: 'Paid out',
    pattern:
      'border-lagoon bg-[repeating-linear-gradient(135deg,var(--color-lagoon)_0_2px,transparent_2px_6px)]',
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
            <span className={clsx('h-3.5 w-6 rounded-[3px] border-2', pattern)} />
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
                    className={clsx('h-3.5 shrink-0 rounded-[3px] border-2', pattern)}
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
              <th scope="col" className="px-2 py-3 sm:px-4 font-semibold">
                {title}
              </th>
              {columns.map((name) => (
                <th
                  key={name}
                  scope="col"
                  className="px-2 py-3 sm:px-4 text-right font-semibold whitespace-nowrap"
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
                  className="max-w-56 min-w-22 px-2 py-3 sm:px-4 text-left font-medium wrap-anywhere"
                >
                  {label}
                </th>
                {[held, earned, paidOut].map((pesos, index) => (
                  <td key={columns[index]} className="px-2 py-3 sm:px-4 text-right">
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
