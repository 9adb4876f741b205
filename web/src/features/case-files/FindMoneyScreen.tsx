import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { caseFiles, type MoneyMatch, matchedBy, mostMatches } from '@tara/contract/money/case-files';
import { type SubmitEvent, Suspense, useState } from 'react';
import { queryOf, useLoaded } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, TextInput } from '../../ui/Field.tsx';
import { Money } from '../../ui/facts.tsx';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { findIntro, MatchSkeletons } from './skeletons.tsx';

const route = getRouteApi('/_main/_admin/find-payment');

export const findMoneyQuery = (search: string) =>
  search === '' ? queryOf(caseFiles.findMoney) : queryOf(caseFiles.findMoney, { query: { search } });

/** `/find-payment`: requests by what a member or the provider calls their money. */
export function FindMoneyScreen() {
  const { search = '' } = route.useSearch();
  return (
    <Page title="Find a payment" intro={findIntro} width="chat">
      <SearchForm key={search} search={search} />
      <Suspense fallback={<MatchSkeletons />}>
        <Matches search={search} />
      </Suspense>
    </Page>
  );
}

/** Asks when it is sent, not while somebody types: an id is pasted whole. */
function SearchForm({ search }: { search: string }) {
  const [text, setText] = useState(search);
  const navigate = useNavigate();
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted !== '') void navigate({ to: '/find-payment', search: { search: wanted } });
  };
  return (
    <form aria-label="Search" onSubmit={send} className="mb-6 flex max-w-form items-end gap-3">
      <div className="min-w-0 flex-1">
        <Field label="Id, number or member" lines={0}>
          <TextInput
            value={text}
            onChange={({ target }) => setText(target.value)}
            maxLength={100}
            autoCapitalize="none"
            spellCheck={false}
            placeholder="pay_…, TARA-00000042, @ana"
          />
        </Field>
      </div>
      <Button type="submit" className="mb-1.5">
        Find
      </Button>
    </form>
  );
}

function Matches({ search }: { search: string }) {
  const { items } = useLoaded(findMoneyQuery(search));
  const ways = [...new Set(items.map(({ matched }) => matched))];
  if (items.length === 0 && search === '') return <p className="text-ink-soft">No money was moved yet.</p>;
  if (items.length === 0)
    return (
      <EmptyState
        illustration="cat"
        title={`Nothing has “${search}”`}
        text="Enter it whole, with capital and small letters as the provider writes them."
        className="wrap-anywhere"
      />
    );
  return (
    <>
      <p role="status" className="mb-3 text-ink-soft">
        {search === '' ? 'Requests whose money moved last' : foundText(items.length, ways)}
      </p>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {items.map((match) => (
          <li key={match.id}>
            <MatchRow match={match} saysHow={ways.length > 1} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** How many were found, and by what, where that is the same of all. */
function foundText(count: number, ways: MoneyMatch['matched'][]): string {
  const [way] = ways;
  const by = way !== undefined && ways.length === 1 ? ` by ${matchedBy[way]}` : '';
  if (count === 1) return `1 request found${by}`;
  return `${count} requests found${by}${count === mostMatches ? ', the newest' : ''}`;
}

function MatchRow({
  match: { id, planTitle, client, creator, price, stage, matched, createdAt },
  saysHow,
}: {
  match: MoneyMatch;
  saysHow: boolean;
}) {
  return (
    <Link
      to="/timeline/$id"
      params={{ id }}
      className="flex min-h-16 flex-col justify-center px-4 py-3 -outline-offset-2! transition-colors hover:bg-sunken"
    >
      <span className="flex items-baseline justify-between gap-3 font-semibold">
        <span className="min-w-0 wrap-anywhere">{planTitle}</span>
        <Money pesos={price} />
      </span>
      <span className="text-sm wrap-anywhere text-ink-soft">
        {client} with {creator} · {stage} · <TimeLabel iso={createdAt} />
      </span>
      {saysHow && <span className="text-sm text-ink-soft">Found by {matchedBy[matched]}</span>}
    </Link>
  );
}
