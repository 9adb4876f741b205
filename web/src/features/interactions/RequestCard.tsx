import { Link } from '@tanstack/react-router';
import { type Interaction, interactions, partyOf } from '@tara/contract/interactions/interactions';
import type { Party } from '@tara/contract/interactions/stages';
import { clsx } from 'clsx';
import {
  CalendarClock,
  CalendarDays,
  Check,
  CirclePause,
  LifeBuoy,
  MapPin,
  Percent,
  ReceiptText,
  Scale,
  Tag,
} from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useCall } from '../../lib/queries.ts';
import { PersonAvatar, StoredPicture } from '../../lib/stored-picture.tsx';
import { Button, buttonClass, linkClass } from '../../ui/Button.tsx';
import { money, PersonName, StateLine, StateList } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { Badge } from '../../ui/marks.tsx';
import { Skeleton, useMediaQuery } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { PriceLabel } from '../plans/index.ts';
import { SharePlanButton } from '../shared-plans/index.ts';
import { upsertInteraction } from './interaction-cache.ts';
import { afterFee, MoneyLine } from './RequestMoney.tsx';
import { RequestSteps } from './RequestSteps.tsx';
import { type RequestLook, requestLook } from './request-look.ts';
import { meetingLabel, nextStep } from './request-texts.ts';

const RefundNumberForm = lazyPart(async () => ({
  default: (await import('./RequestForms.tsx')).RefundNumberForm,
}));
const PaidAnimation = lazyPart(() => import('./PaidAnimation.tsx'));

/** Ghost buttons in a row, on phones in two columns, of which one that is alone takes both; their icons align with the edge of what is above. */
export const quietActionsClass =
  '-mx-3 flex basis-full flex-wrap gap-x-1 gap-y-2 empty:hidden max-sm:grid max-sm:grid-cols-2 max-sm:gap-y-1 max-sm:[&>:last-child:nth-child(odd)]:col-span-2 max-sm:[&>*]:leading-tight max-sm:[&>*]:justify-start max-sm:[&>span>button]:justify-start max-sm:[&>*]:text-left max-sm:[&>span>button]:text-left';

interface RequestCardProps {
  request: Interaction;
  /** One has just come back from paying for it. */
  isReturn?: boolean;
  children: ReactNode;
}

/**
 * One request as one of its parties sees it, a ticket: the plan, the day and place and both portraits; below the
 * perforation how far it is, the money and the next step.
 */
export function RequestCard({ request, isReturn = false, children }: RequestCardProps) {
  const { account } = useSession();
  const side = partyOf(request, account.id);
  const other = side === 'creator' ? request.whoSentReq : request.creator;
  const look = requestLook(request);
  return (
    <article aria-label={`${request.planTitle} with ${other.name}`} className="ticket">
      <div className="ticket-body flex flex-col bg-surface sm:flex-row">
        <Cover request={request} look={look} isReturn={isReturn} />
        <div className="flex min-w-0 flex-1 flex-col gap-2 p-4 pb-5 sm:p-5">
          <h3 className="line-clamp-2 text-xl leading-tight font-bold tracking-tight wrap-anywhere">
            {other.id === '' && side === 'client' ? (
              request.planTitle
            ) : (
              <Link
                to="/profile/plan-details/$id"
                params={{ id: request.planId }}
                className="hover:underline"
              >
                {request.planTitle}
              </Link>
            )}
          </h3>
          <When request={request} />
          <Portraits request={request} side={side} />
        </div>
      </div>
      <div className="ticket-stub relative flex flex-col gap-3 bg-surface p-4 pt-5 sm:px-5">
        <div
          aria-hidden="true"
          className="absolute inset-x-5 top-0 -mt-px border-t-2 border-dashed border-line"
        />
        {!look.isOver && <RequestSteps request={request} className="-mx-2 mb-1" />}
        {request.frozen && !look.isOver && (
          <p className="flex items-start gap-3 rounded-control bg-ember-soft p-3">
            <Icon of={CirclePause} className="mt-0.5 text-ember" />
            The card issuer disputes the payment. The money does not move until it has answered.
          </p>
        )}
        <p className={look.isOver ? 'text-ink-soft' : 'text-lg leading-snug font-semibold text-pretty'}>
          {nextStep(request, side)}
        </p>
        {request.cancelNote && (
          <blockquote className="border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-line text-ink-soft">
            {request.cancelNote}
          </blockquote>
        )}
        <OpenProposal request={request} side={side} />
        <StateList className="border-y border-line">
          {request.price > 0 && !showsPrice(request) && (
            <StateLine icon={Tag} label="Price" value={<PriceLabel pesos={request.price} />} />
          )}
          {side === 'creator' && request.platformFeeBasisPoints > 0 && receives(request) && (
            <StateLine
              icon={Percent}
              label={`You receive, after Tara’s fee of ${request.platformFeeBasisPoints / 100} %`}
              value={money(afterFee(request))}
            />
          )}
          <MoneyLine request={request} side={side} />
        </StateList>
        {request.needsRefundNumber && (
          <Suspense fallback={<Skeleton shape="box" width="100%" height={228} />}>
            <RefundNumberForm request={request} />
          </Suspense>
        )}
        <div className="flex flex-wrap gap-2 empty:hidden max-sm:[&>a]:grow max-sm:[&>span>button]:grow">
          {children}
        </div>
      </div>
    </article>
  );
}

/** What both can do beside the steps, inside a row of quiet actions. */
export function RequestLinks({ request, side }: { request: Interaction; side: Party }) {
  return (
    <>
      <DisputeLink request={request} />
      <ConfirmationLinks request={request} side={side} />
      <SharePlanButton
        request={request}
        otherName={side === 'creator' ? request.whoSentReq.name : request.creator.name}
      />
    </>
  );
}

/** To the confirmations that the reader has: of their payment and its refund, or of their payout. */
function ConfirmationLinks({
  request: { id, price, paid, money },
  side,
}: {
  request: Interaction;
  side: Party;
}) {
  const isClient = side === 'client';
  const kinds = [
    ['payment', 'Payment confirmation', isClient && paid && price > 0],
    ['refund', 'Refund confirmation', isClient && money.refund?.state === 'arrived'],
    ['payout', 'Payout confirmation', side === 'creator' && money.payout?.state === 'arrived'],
  ] as const;
  return kinds.map(
    ([kind, label, isThere]) =>
      isThere && (
        <Link
          key={kind}
          to="/confirmation/$kind/$id"
          params={{ kind, id }}
          className={buttonClass({ variant: 'ghost', size: 'sm' })}
        >
          <Icon of={ReceiptText} size={16} />
          {label}
        </Link>
      ),
  );
}

/** Whether the line of the money is about the whole price. */
const showsPrice = ({ cancelled, money: { state } }: Interaction) =>
  state === 'held' || (state === 'unpaid' && !cancelled);

/** The plan's cover with the state of the request; where it ended in grey, under a stamp. */
function Cover({
  request: { cover, proposal, paid, frozen },
  look: { label, icon, tone, isOver },
  isReturn,
}: {
  request: Interaction;
  look: RequestLook;
  isReturn: boolean;
}) {
  const animation = usePaidAnimation(paid, isReturn);
  return (
    <div className="relative shrink-0 overflow-hidden sm:w-52">
      <StoredPicture
        picture={cover}
        ratio="5 / 2"
        sizes="(min-width: 640px) 208px, 100vw"
        className={clsx('sm:aspect-auto! sm:h-full sm:min-h-44', isOver && 'grayscale')}
      />
      {animation.isShown && (
        <Suspense>
          <PaidAnimation onEnd={animation.end} />
        </Suspense>
      )}
      {isOver ? (
        <div className="absolute inset-0 flex items-center justify-center bg-black/50 text-white">
          <span className="flex -rotate-6 items-center gap-2 rounded-control border-[3px] border-double border-current px-4 py-1.5 text-lg font-bold tracking-wide">
            <Icon of={icon} size={22} />
            {label}
          </span>
        </div>
      ) : (
        <>
          {frozen && <div aria-hidden="true" className="hatch absolute inset-0" />}
          <span className="absolute top-3 left-3 flex flex-wrap gap-1.5">
            <Badge tone={tone} icon={icon}>
              {label}
            </Badge>
            {proposal && (
              <Badge tone="mango" icon={CalendarClock}>
                new day
              </Badge>
            )}
          </span>
        </>
      )}
    </div>
  );
}

/** Whether the two have still to meet. */
const isUnderWay = (stage: Interaction['stage']) =>
  !['fulfilled', 'disputed', 'completed', 'cancelled'].includes(stage);

/** The day and time in words, and the place. */
function When({ request: { meetsAt, meetsUntil, place, stage } }: { request: Interaction }) {
  if (meetsAt === null) return isUnderWay(stage) ? <p className="text-ink-soft">No day agreed yet.</p> : null;
  return (
    <div className="flex flex-col gap-1">
      <p className="flex items-start gap-2 font-semibold text-balance">
        <Icon of={CalendarDays} className="mt-0.5 text-ink-soft" />
        {meetingLabel(meetsAt, meetsUntil)}
      </p>
      {place && (
        <p className="flex items-start gap-2 text-ink-soft">
          <Icon of={MapPin} className="mt-0.5" />
          <span className="min-w-0 wrap-anywhere">{place}</span>
        </p>
      )}
    </div>
  );
}

/** Shown over the cover once, when a request that was not paid is paid, or when one comes back from paying. */
function usePaidAnimation(paid: boolean, isReturn: boolean) {
  const [isPast, setIsPast] = useState(paid && !isReturn);
  const prefersStillness = useMediaQuery('(prefers-reduced-motion: reduce)');
  return { isShown: paid && !isPast && !prefersStillness, end: () => setIsPast(true) };
}

/** Whether a creator gets anything of a request: not of one that was cancelled, or whose money the card issuer took. */
const receives = ({ cancelled, money: { payout, takenBack } }: Interaction) =>
  !cancelled && (payout !== null || takenBack === 0);

/** Both portraits and who the request is with: a link to the profile, or the name alone when one blocked the other. */
function Portraits({ request, side }: { request: Interaction; side: Party }) {
  const isCreator = side === 'creator';
  const [own, other] = isCreator
    ? [request.creator, request.whoSentReq]
    : [request.whoSentReq, request.creator];
  const content = (
    <>
      <span className="flex shrink-0">
        <PersonAvatar person={other} className="z-10 ring-3 ring-surface" />
        <PersonAvatar person={own} className="-ml-2.5" />
      </span>
      <span className="flex min-w-0 items-baseline gap-1">
        <span className="text-ink-soft">{isCreator ? 'from' : 'with'}</span>
        <PersonName person={other} className={other.id === '' ? '' : linkClass} />
      </span>
    </>
  );
  const look = 'mt-auto flex min-h-11 w-fit max-w-full items-center gap-2.5 rounded-control pt-1';
  if (other.id === '') return <p className={look}>{content}</p>;
  return (
    <Link to="/profile/$id" params={{ id: other.id }} className={look}>
      {content}
    </Link>
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
            variant="approve"
            icon={<Icon of={Check} size={16} />}
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
            {request.meetsAt ? 'Keep the present day' : 'Not this day'}
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
