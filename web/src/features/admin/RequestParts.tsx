import { Link } from '@tanstack/react-router';
import type { Interaction } from '@tara/contract/interactions/interactions';
import { type DatedStep, datedSteps } from '@tara/contract/money/confirmations';
import { stepTime, timesArePhilippine } from '@tara/contract/money/step-times';
import { Hash, Tag } from 'lucide-react';
import type { ReactNode } from 'react';
import { Collapsible, money, StateLine, StateList } from '../../ui/facts.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { MoneyLine } from '../interactions/index.ts';
import { PlanTitle } from '../plans/index.ts';

import { PersonLine } from './AdminQueue.tsx';

interface RequestRowProps {
  request: Interaction;
  /** Since when it waits. */
  since: string;
  /** The lines below the plan. */
  children: ReactNode;
}

/** A row of a list of requests: the plan, since when it waits, and what the list is about. */
export function RequestRow({ request, since, children }: RequestRowProps) {
  return (
    <span className="min-w-0 flex-1">
      <span className="flex items-baseline justify-between gap-2">
        <span className="truncate font-semibold">
          <PlanTitle title={request.planTitle} />
        </span>
        <TimeLabel iso={since} className="text-sm text-ink-soft" />
      </span>
      {children}
    </span>
  );
}

/** The heading of a request: its plan. */
export const PlanHeading = ({ planId, planTitle }: Pick<Interaction, 'planId' | 'planTitle'>) => (
  <h2 tabIndex={-1} className="text-lg font-bold wrap-anywhere">
    <Link to="/profile/plan-details/$id" params={{ id: planId }} className="hover:underline">
      {planTitle}
    </Link>
  </h2>
);

/** The plan of a request, and its two parties. */
export function RequestHead({ request }: { request: Interaction }) {
  return (
    <>
      <PlanHeading {...request} />
      <div className="grid gap-4 sm:grid-cols-2">
        <PersonLine person={request.whoSentReq} part="Client" />
        <PersonLine person={request.creator} part="Creator" />
      </div>
    </>
  );
}

/** What a request costs, where the money is, and under which number it was paid. */
export function RequestMoney({ request }: { request: Interaction }) {
  const { price, referenceNumber } = request;
  return (
    <StateList className="border-y border-line">
      <StateLine icon={Tag} label="Price" value={price === 0 ? 'Free' : money(price)} />
      <MoneyLine request={request} side="other" />
      {referenceNumber && <StateLine icon={Hash} label="Payment reference" value={referenceNumber} />}
    </StateList>
  );
}

/** The terms of a request as it was made with them; nothing without any. */
export function AcceptedTerms({ terms }: { terms: string }) {
  if (!terms) return null;
  return (
    <Collapsible title="The terms as the client accepted them">
      <p className="wrap-anywhere whitespace-pre-line">{terms}</p>
    </Collapsible>
  );
}

/** What happened to a request when. */
export function StepList({ steps }: { steps: readonly DatedStep[] }) {
  return (
    <section aria-label="What happened when">
      <h3 className="font-semibold">What happened when</h3>
      <p className="text-sm text-ink-soft">{timesArePhilippine}</p>
      <ol className="mt-1">
        {steps.map((dated) => (
          <li key={dated.step} className="py-1">
            <span className="block">{datedSteps[dated.step]}</span>
            <time dateTime={dated.at} className="figures text-ink-soft">
              {stepTime(dated)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
