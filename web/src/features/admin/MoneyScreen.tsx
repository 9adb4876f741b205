import { adminWork, type MoneyOverview, moneyAges } from '@tara/contract/admin';
import { queryOf, useLoaded } from '../../lib/queries.ts';
import { Money } from '../../ui/facts.tsx';
import { Card, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { LedgerCheckCard, MoneyCases } from './MoneyCases.tsx';

type Place = MoneyOverview['places'][number]['place'];

const texts: Record<Place, { title: string; text: string }> = {
  escrow: { title: 'In escrow', text: 'Paid and held, since the payment.' },
  toConfirm: { title: 'To confirm', text: 'Fulfilled, since the client said so. Also in escrow.' },
  noAnswer: {
    title: 'No answer',
    text: 'The client did not answer, since the week was over. Also in escrow.',
  },
  disputed: { title: 'Disputed', text: 'The client objects, since the dispute was opened. Also in escrow.' },
  toPayOut: { title: 'To pay out', text: 'Owed or on its way to members, since it was decided.' },
  failed: { title: 'Failed', text: 'Payouts and refunds that were refused, since the last try.' },
};

const ageLabels: Record<(typeof moneyAges)[number]['age'], string> = {
  day: 'Under a day',
  week: 'Under a week',
  month: 'Under a month',
  older: 'Older',
};

const intro = 'Where the money of members is, and how long it has been there.';

/** `/money`: what admins watch over, by age, the last check of the books, and what waits for an admin. */
export function MoneyScreen() {
  const { places } = useLoaded(queryOf(adminWork.moneyOverview));
  return (
    <Page title="Money" intro={intro} width="grid">
      <ul className="grid gap-4 md:grid-cols-2">
        {places.map(({ place, ages }) => (
          <PlaceCard key={place} place={place} ages={ages} />
        ))}
      </ul>
      <LedgerCheckCard />
      <MoneyCases list="toPayOut" />
      <MoneyCases list="failed" />
    </Page>
  );
}

function PlaceCard({ place, ages }: MoneyOverview['places'][number]) {
  const { title, text } = texts[place];
  const all = Object.values(ages);
  const centavos = all.reduce((sum, { pesos }) => sum + Math.round(pesos * 100), 0);
  const count = all.reduce((sum, one) => sum + one.count, 0);
  return (
    <Card as="li">
      <h2 className="flex items-baseline justify-between gap-3 text-lg font-semibold">
        {title}
        <Money pesos={centavos / 100} />
      </h2>
      <p className="mt-1 text-sm text-ink-soft">{text}</p>
      <dl className="mt-4 flex flex-col gap-2 text-sm">
        {moneyAges.map(({ age }) => (
          <div key={age} className="flex justify-between gap-3 border-t border-line pt-2">
            <dt className="text-ink-soft">{ageLabels[age]}</dt>
            <dd className="flex gap-3">
              <span className="figures text-ink-soft">{ages[age].count}</span>
              <Money pesos={ages[age].pesos} className="min-w-24 text-right" />
            </dd>
          </div>
        ))}
        <div className="flex justify-between gap-3 border-t border-line pt-2 font-semibold">
          <dt>In all</dt>
          <dd className="flex gap-3">
            <span className="figures">{count}</span>
            <Money pesos={centavos / 100} className="min-w-24 text-right" />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

export function MoneySkeleton() {
  return (
    <Page title="Money" intro={intro} width="grid">
      <Skeletons
        count={Object.keys(texts).length}
        label="Loading the overview"
        className="grid gap-4 md:grid-cols-2"
      >
        {() => <Skeleton shape="box" height={256} />}
      </Skeletons>
      <Skeleton shape="box" height={288} className="mt-4" />
    </Page>
  );
}
