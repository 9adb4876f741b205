import { Link } from '@tanstack/react-router';
import type { Interaction } from '@tara/contract/interactions';
import type { ReactNode } from 'react';
import { Collapsible } from '../../ui/facts.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
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

/** The plan of a request, and its two parties. */
export function RequestHead({ request }: { request: Interaction }) {
  return (
    <>
      <h2 tabIndex={-1} className="text-lg font-bold wrap-anywhere">
        <Link to="/profile/plan-details/$id" params={{ id: request.planId }} className="hover:underline">
          {request.planTitle}
        </Link>
      </h2>
      <div className="grid gap-4 sm:grid-cols-2">
        <PersonLine person={request.whoSentReq} part="Client" />
        <PersonLine person={request.creator} part="Creator" />
      </div>
    </>
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
