import { Link } from '@tanstack/react-router';
import {
  type Interaction,
  interactions,
  partyOf,
  platformFee,
} from '@tara/contract/interactions/interactions';
import type { Party } from '@tara/contract/interactions/stages';
import type { Person } from '@tara/contract/members/profiles';
import { centavos, pesos } from '@tara/contract/plans/plans';
import {
  CalendarClock,
  CalendarDays,
  CircleAlert,
  CircleCheck,
  Handshake,
  LifeBuoy,
  Percent,
  Scale,
  Tag,
} from 'lucide-react';
import { type ComponentProps, type ReactNode, Suspense } from 'react';
import { useCall } from '../../lib/queries.ts';
import { PersonAvatar, StoredPicture } from '../../lib/stored-picture.tsx';
import { Button, buttonClass, linkClass } from '../../ui/Button.tsx';
import { money, PersonName, StateLine, StateList } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { Badge } from '../../ui/marks.tsx';
import { Card, Skeleton } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { PlanTitle, PriceLabel } from '../plans/index.ts';
import { SharePlanButton } from '../shared-plans/index.ts';
import { upsertInteraction } from './interaction-cache.ts';
import { MoneyLine } from './RequestMoney.tsx';
import { meetingLabel, nextStep } from './request-texts.ts';

const RefundNumberForm = lazyPart(async () => ({
  default: (await import('./RequestForms.tsx')).RefundNumberForm,
}));

/** A row of ghost buttons, whose icons align with the edge of what is above. */
export const quietActionsClass = '-mx-3 flex basis-full flex-wrap gap-x-1 gap-y-2 empty:hidden';

/** One request as one of its parties sees it: the other party, the plan, the payment, and the next step. */
export function RequestCard({ request, children }: { request: Interaction; children: ReactNode }) {
  const { account } = useSession();
  const side = partyOf(request, account.id);
  const other = side === 'creator' ? request.whoSentReq : request.creator;
  const { cover } = request;
  return (
    <Card as="article" aria-label={`${request.planTitle} with ${other.name}`} className="flex flex-col gap-3">
      <div className="flex gap-4">
        <div className="w-20 shrink-0 sm:w-28">
          <StoredPicture picture={cover} ratio="1 / 1" sizes="112px" className="rounded-control" />
        </div>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
            <h3 className="min-w-0 font-semibold">
              {other.id === '' && side === 'client' ? (
                <PlanTitle title={request.planTitle} />
              ) : (
                <Link
                  to="/profile/plan-details/$id"
                  params={{ id: request.planId }}
                  className="hover:underline"
                >
                  <PlanTitle title={request.planTitle} />
                </Link>
              )}
            </h3>
            <States request={request} />
          </div>
          <OtherParty other={other} word={side === 'creator' ? 'from ' : 'with '} />
        </div>
      </div>
      <StateList className="border-y border-line">
        {request.meetsAt && (
          <StateLine
            icon={CalendarDays}
            label={
              <span className="block text-balance wrap-anywhere">
                {meetingLabel(request.meetsAt, request.meetsUntil)}
                {request.place && <span className="block text-sm text-ink-soft">{request.place}</span>}
              </span>
            }
            value=""
          />
        )}
        {request.price > 0 && (
          <StateLine icon={Tag} label="Price" value={<PriceLabel pesos={request.price} />} />
        )}
        {side === 'creator' && request.platformFeeBasisPoints > 0 && !request.cancelled && (
          <StateLine
            icon={Percent}
            label={`You receive, after Tara’s fee of ${request.platformFeeBasisPoints / 100} %`}
            value={money(afterFee(request))}
          />
        )}
        <MoneyLine request={request} side={side} />
      </StateList>
      <OpenProposal request={request} side={side} />
      <p className="text-ink-soft">{nextStep(request, side)}</p>
      {request.cancelNote && (
        <blockquote className="border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-line text-ink-soft">
          {request.cancelNote}
        </blockquote>
      )}
      {request.needsRefundNumber && (
        <Suspense fallback={<Skeleton shape="box" width="100%" height={228} />}>
          <RefundNumberForm request={request} />
        </Suspense>
      )}
      <div className="flex flex-wrap gap-2 empty:hidden">{children}</div>
      <div className={quietActionsClass}>
        <DisputeLink request={request} />
        <SharePlanButton request={request} otherName={other.name} />
      </div>
    </Card>
  );
}

/** Pesos that a creator gets: of the whole price, or of the part that was released. */
function afterFee({ price, platformFeeBasisPoints, money: { released } }: Interaction): number {
  const whole = centavos(released > 0 ? released : price);
  return pesos(whole - platformFee(whole, platformFeeBasisPoints));
}

/** Who the request is with: a link to the profile, or the name alone when one blocked the other. */
function OtherParty({ other, word }: { other: Person; word: string }) {
  const look = 'mt-1 flex min-h-11 w-fit max-w-full items-center gap-2 rounded-control';
  const before = <span className="text-sm text-ink-soft">{word}</span>;
  if (other.id === '') {
    return (
      <p className={look}>
        <span className="min-w-0 truncate">
          {before}
          {other.name}
        </span>
      </p>
    );
  }
  return (
    <Link to="/profile/$id" params={{ id: other.id }} className={look}>
      <PersonAvatar person={other} size="sm" />
      <span className="flex min-w-0 items-baseline gap-1">
        {before}
        <PersonName person={other} className={linkClass} />
      </span>
    </Link>
  );
}

/** For the stages after payment and acceptance, which come in either order. */
const lateBadges: Partial<Record<Interaction['stage'], ComponentProps<typeof Badge>>> = {
  fulfilled: { tone: 'lagoon', icon: Handshake, children: 'fulfilled' },
  disputed: { tone: 'ember', icon: CircleAlert, children: 'problem' },
  completed: { tone: 'leaf', icon: CircleCheck, children: 'completed' },
  cancelled: { children: 'cancelled' },
};

/** The stage as badges. */
function States({ request }: { request: Interaction }) {
  const { stage, price, proposal } = request;
  const isFree = price === 0;
  const lateBadge = lateBadges[stage];
  return (
    <span className="flex flex-wrap gap-1.5">
      {proposal && (
        <Badge tone="mango" icon={CalendarClock}>
          new day
        </Badge>
      )}
      {(stage === 'requested' || (stage === 'paid' && isFree)) && <Badge>requested</Badge>}
      {(stage === 'paid' || stage === 'ready') && !isFree && (
        <Badge tone="leaf" icon={CircleCheck}>
          paid
        </Badge>
      )}
      {(stage === 'accepted' || stage === 'ready') && (
        <Badge tone="lagoon" icon={CircleCheck}>
          accepted
        </Badge>
      )}
      {lateBadge && <Badge {...lateBadge} />}
    </span>
  );
}

/** The proposal that waits for an answer: the other party agrees or declines, its own side sees that it waits. */
function OpenProposal({ request, side }: { request: Interaction; side: Party }) {
  const { account } = useSession();
  const answered = {
    onSuccess: (changed: Interaction) => upsertInteraction(changed, account.id),
  };
  const agree = useCall(interactions.answerProposal, answered);
  const decline = useCall(interactions.answerProposal, answered);
  const { proposal } = request;
  if (!proposal || side === 'other') return null;
  const isOwn = proposal.by === side;
  const proposer = proposal.by === 'creator' ? request.creator.name : request.whoSentReq.name;
  const body = { interactionId: request.id, proposalId: proposal.id };
  return (
    <section
      aria-label="Proposed day"
      className="flex flex-col gap-3 rounded-control bg-mango-soft p-3 text-mango-ink"
    >
      <p className="flex items-start gap-3">
        <Icon of={CalendarClock} className="mt-0.5" />
        <span className="min-w-0 wrap-anywhere">
          <span className="font-semibold">
            {isOwn ? 'You proposed another day' : `${proposer} proposes another day`}
          </span>
          <span className="block text-ink">
            {meetingLabel(proposal.meetsAt, proposal.meetsUntil)}
            {proposal.place && `, ${proposal.place}`}
          </span>
          <span className="block text-sm">
            {isOwn
              ? 'It waits for an answer.'
              : request.accepted || side === 'creator'
                ? 'Nothing changes until you agree.'
                : 'When you agree, your request is accepted for this day.'}
          </span>
        </span>
      </p>
      {!isOwn && (
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            pending={agree.isPending}
            onClick={() => agree.mutate({ body: { ...body, answer: 'agree' } })}
          >
            Agree to this day
          </Button>
          <Button
            size="sm"
            variant="secondary"
            pending={decline.isPending}
            onClick={() => decline.mutate({ body: { ...body, answer: 'decline' } })}
          >
            {request.meetsAt ? 'Keep the day before' : 'Not this day'}
          </Button>
        </div>
      )}
    </section>
  );
}

/** To the dispute of a request, for the client as long as one can be opened, and for both to it or to an admin's decision. */
export function DisputeLink({ request }: { request: Interaction }) {
  if (request.can.dispute !== true && !request.disputed && !request.decided) return null;
  return (
    <Link
      to="/dispute/$id"
      params={{ id: request.id }}
      className={buttonClass({ variant: 'ghost', size: 'sm' })}
    >
      <Icon of={request.decided ? Scale : LifeBuoy} size={16} />
      {request.decided ? 'See the decision' : request.disputed ? 'See the dispute' : 'There was a problem'}
    </Link>
  );
}
