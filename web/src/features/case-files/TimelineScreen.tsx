import { getRouteApi, Link } from '@tanstack/react-router';
import {
  caseFiles,
  type Movement,
  type Timeline,
  type TimelineEvent,
  timelineSteps,
} from '@tara/contract/money/case-files';
import { timesArePhilippine } from '@tara/contract/money/step-times';
import { longDateTime } from '@tara/contract/philippine-time';
import { Tag } from 'lucide-react';
import { queryOf, useLoaded } from '../../lib/queries.ts';
import { linkClass } from '../../ui/Button.tsx';
import { Fact, Money, money, StateLine, StateList } from '../../ui/facts.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { MoneyLine } from '../interactions/index.ts';

const route = getRouteApi('/_main/_admin/timeline/$id');

/** `/timeline/{id}` of a request: what happened to it and its money, with the provider's ids, and the ledger's movements. */
export function TimelineScreen() {
  const { id } = route.useParams();
  const timeline = useLoaded(queryOf(caseFiles.timeline, { params: { id } }));
  const { request, events, movements } = timeline;
  return (
    <Page title="Timeline" width="chat">
      <p className="mb-4 text-ink-soft wrap-anywhere">
        <span className="font-semibold text-ink">{request.planTitle}</span> · {request.whoSentReq.name} with{' '}
        {request.creator.name}
      </p>
      <div className="flex flex-col gap-4">
        <RequestIds timeline={timeline} />
        <Card>
          <h2 className="text-lg font-semibold">What happened</h2>
          <p className="text-sm text-ink-soft">{timesArePhilippine}</p>
          <ol className="mt-2 divide-y divide-line">
            {events.map((event) => (
              <EventLine key={`${event.step} ${event.at} ${event.reference} ${event.note}`} event={event} />
            ))}
          </ol>
        </Card>
        <Card>
          <h2 className="text-lg font-semibold">Movements in the books</h2>
          {movements.length === 0 && <p className="mt-1 text-ink-soft">No money was moved yet.</p>}
          <ol className="mt-2 divide-y divide-line empty:hidden">
            {movements.map((movement) => (
              <MovementLine key={movement.number} movement={movement} />
            ))}
          </ol>
        </Card>
        <Link to="/find-payment" className={linkClass}>
          Find another payment
        </Link>
      </div>
    </Page>
  );
}

function RequestIds({ timeline: { request, linkId } }: { timeline: Timeline }) {
  const ids = [
    ['Request', request.id],
    ['Payment reference', request.referenceNumber],
    ['Payment link', linkId],
    ['Payment', request.paymentId],
  ] as const;
  return (
    <Card className="flex flex-col gap-3">
      <StateList className="border-b border-line">
        <StateLine icon={Tag} label="Price" value={request.price === 0 ? 'Free' : money(request.price)} />
        <MoneyLine request={request} side="other" />
      </StateList>
      <dl className="flex flex-col gap-2">
        {ids.map(
          ([label, value]) =>
            value && (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ),
        )}
      </dl>
    </Card>
  );
}

function EventLine({ event: { step, at, amount, reference, note } }: { event: TimelineEvent }) {
  return (
    <li className="py-3">
      <p className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 font-semibold">{timelineSteps[step]}</span>
        {amount !== null && <Money pesos={amount} />}
      </p>
      <time dateTime={at} className="figures text-sm text-ink-soft">
        {longDateTime(at)}
      </time>
      {note && <p className="text-sm wrap-anywhere">{note}</p>}
      {reference && <p className="figures text-sm wrap-anywhere text-ink-soft">{reference}</p>}
    </li>
  );
}

function MovementLine({ movement: { number, at, kind, entries } }: { movement: Movement }) {
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold first-letter:uppercase">{kind.replaceAll('_', ' ')}</span>
        <span className="figures text-sm text-ink-soft">{number}</span>
      </p>
      <time dateTime={at} className="figures text-sm text-ink-soft">
        {longDateTime(at)}
      </time>
      <dl className="mt-1 text-sm">
        {entries.map(({ account, owner, amount }) => (
          <div key={`${account} ${owner}`} className="flex justify-between gap-3 py-0.5">
            <dt className="text-ink-soft">{account.replaceAll('_', ' ')}</dt>
            <dd>
              <Money pesos={amount} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
