import { Link } from '@tanstack/react-router';
import { interactions } from '@tara/contract/interactions/interactions';
import { notices } from '@tara/contract/notices';
import { type PlanDetail, planCan, plans } from '@tara/contract/plans/plans';
import { problemNotice } from '@tara/contract/problems';
import { clsx } from 'clsx';
import { CalendarDays } from 'lucide-react';
import { useEffect, useState } from 'react';
import { readDraftValues } from '../../lib/draft-storage.ts';
import { invalidate, queryClient, queryOf, useOptional } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { LazyComponent, lazyModule } from '../../ui/lazy-component.tsx';
import { useOpenState } from '../../ui/lazy-overlays.tsx';
import { useSession } from '../accounts/index.ts';
import { meetingLabel, nextStep, PayButton, RequestSteps, useLiveRequests } from '../interactions/index.ts';
import { UsualTime } from '../verification/index.ts';
import { NoticeBox, RefusalLink, refusalNotice } from './PlanTerms.tsx';
import { PriceLabel } from './PlanTitle.tsx';
import { requestDraft } from './request-draft.ts';

/** What keeps the viewer from requesting the plan; null when nothing does. */
function useRefusal({ plan, viewerVerified }: PlanDetail) {
  const { profile } = useSession();
  const verdict = planCan.request({ ...profile, verified: viewerVerified }, plan);
  if (verdict === true) return null;
  return { verdict, notice: refusalNotice(verdict, profile, problemNotice(verdict)) };
}

/** At the top of the plan's page: what keeps the viewer from requesting it, with the way out. */
export function RequestNotice({ detail }: { detail: PlanDetail }) {
  const refusal = useRefusal(detail);
  const { account } = useSession();
  // An open request has its place in the bar at the bottom.
  if (!refusal || detail.openInteractionId !== null) return null;
  const hasDraft = Object.keys(readDraftValues(requestDraft(account.id, detail.plan.id))).length > 0;
  return (
    <NoticeBox {...refusal.notice}>
      {refusal.verdict === 'plan_creator_unverified' && (
        <p>
          <UsualTime /> {hasDraft && 'What you chose for this plan is kept on this device.'}
        </p>
      )}
      <RefusalLink verdict={refusal.verdict} planId={detail.plan.id} />
    </NoticeBox>
  );
}

/**
 * A bar that stays at the bottom, for everyone but the plan's creator (§2): the price and 'Choose a day', which opens the
 * request. With a request that is open the bar shows what is next.
 */
export function SendRequest({ detail }: { detail: PlanDetail }) {
  const { openInteractionId } = detail;
  const [isSent, setIsSent] = useState(false);
  return openInteractionId === null ? (
    <NewRequest detail={detail} onSent={() => setIsSent(true)} />
  ) : (
    <OpenRequest id={openInteractionId} isSent={isSent} />
  );
}

const barClass =
  'sticky bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))] z-20 -mx-4 mt-7 -mb-5 border-t border-line bg-paper px-4 py-3 sm:-mx-6 sm:-mb-8 sm:px-6';

const requestDialog = lazyModule(() => import('./RequestDialog.tsx'));

function NewRequest({ detail, onSent }: { detail: PlanDetail; onSent: () => void }) {
  const { price } = detail.plan;
  const { isOpen, open, close } = useOpenState();
  const refusal = useRefusal(detail);
  // Who is not verified yet fills it in, and sends it once they are.
  const isUnverified = refusal?.verdict === 'plan_creator_unverified';
  return (
    <section aria-label="Your request" className={barClass}>
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0">
          <span className="sr-only">Price: </span>
          <PriceLabel pesos={price} className="text-xl font-bold" />
          {price > 0 && <span className="block text-sm text-ink-soft">held until you have met</span>}
        </p>
        <Button
          size="lg"
          icon={<Icon of={CalendarDays} />}
          disabledReason={refusal && !isUnverified && `${refusal.notice.title}: ${refusal.notice.text}`}
          onClick={open}
        >
          Choose a day
        </Button>
      </div>
      <LazyComponent
        module={requestDialog}
        isWanted={isOpen}
        props={{
          ...{ detail, open: isOpen, onClose: close, onSent },
          refusal: isUnverified ? refusal.notice : null,
        }}
      />
    </section>
  );
}

export const openRequestQuery = (id: string) => queryOf(interactions.interaction, { params: { id } });

/** While a request is open: how far it is, and its next step, which at first is to pay. */
function OpenRequest({ id, isSent }: { id: string; isSent: boolean }) {
  const request = useOptional(openRequestQuery(id));
  useLiveRequests(request === null ? [] : [request], () =>
    queryClient.refetchQueries({ queryKey: openRequestQuery(id).queryKey }),
  );
  const isOver = request !== null && (request.cancelled || request.completed);
  useEffect(() => {
    if (isOver) void invalidate(plans.get);
  }, [isOver]);
  const notice = isSent ? notices.requestSent : notices.duplicateRequest;
  const isToPay = request?.can.pay === true;
  return (
    <section aria-label="Your request" className={clsx(barClass, 'flex flex-col gap-3')}>
      {request && !isOver && <RequestSteps request={request} />}
      <div role="status">
        {request && (
          <p className="text-lg leading-snug font-bold text-balance">
            {isToPay ? 'Pay now to hold your place' : nextStep(request, 'client')}
          </p>
        )}
        <p className={request ? 'text-sm text-ink-soft' : 'font-semibold'}>
          <span>{notice.title}</span>
          {isSent && <span className="block">{notices.requestSent.text}</span>}
        </p>
        {request?.meetsAt && (
          <p className="text-sm text-ink-soft">{meetingLabel(request.meetsAt, request.meetsUntil)}</p>
        )}
      </div>
      <div className="flex flex-wrap-reverse gap-2 *:grow">
        <Link
          to="/manage-plans"
          search={{ tab: request?.accepted ? 'pendingFriends' : 'yourRequest' }}
          className={buttonClass({ variant: 'secondary' })}
        >
          See your request
        </Link>
        {request && !request.paid && !isOver && (
          <PayButton request={request} tab="yourRequest" checking={false} />
        )}
      </div>
    </section>
  );
}
