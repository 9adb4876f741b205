import { Link } from '@tanstack/react-router';
import { type Earnings, earnings } from '@tara/contract/earnings';
import { Download, PiggyBank } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { queryOf, useLoaded } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Money } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { Card, EmptyState, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { useSession } from '../accounts/index.ts';
import { EarningsChart, EarningsTable } from './EarningsFigures.tsx';
import { type EarningsView, earningsCsv, saveCsv, sumBy } from './earnings-table.ts';

const Statement = lazyPart(() => import('./Statement.tsx'));

const intro = 'What your plans brought, after the platform fee. Months are by Philippine time.';

/** `/earnings`: what is held, earned and paid out, by month and by plan, and each movement on demand. */
export function EarningsScreen() {
  const { profile } = useSession();
  const { rows, totals } = useLoaded(queryOf(earnings.get));
  const [view, setView] = useState<EarningsView>('month');
  const sums = sumBy(rows, view);
  return (
    <Page
      title="Earnings"
      intro={intro}
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
          icon={PiggyBank}
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
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
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

/** Loaded when somebody asks for it: most only look at the sums. */
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

export function EarningsSkeleton() {
  return (
    <Page title="Earnings" intro={intro} width="chat">
      <Skeletons count={4} label="Loading your earnings" className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {() => <Skeleton shape="box" height={112} />}
      </Skeletons>
      <Skeleton shape="box" width={200} height={44} className="mt-6" />
      <Skeleton shape="box" height={288} className="mt-4" />
    </Page>
  );
}
