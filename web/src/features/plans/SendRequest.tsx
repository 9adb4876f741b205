import { Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { interactions } from '@tara/contract/interactions/interactions';
import { MeetingForm, meetingTime } from '@tara/contract/interactions/meetings';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { type PlanDetail, planCan, plans } from '@tara/contract/plans/plans';
import { problemNotice } from '@tara/contract/problems';
import { Send } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton, termsFirst } from '../../lib/form-fields.tsx';
import { invalidate, queryClient, queryOf, setQueryData, useOptional } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useSession } from '../accounts/index.ts';
import {
  MeetingFields,
  nextStep,
  PayButton,
  upsertInteraction,
  useLiveRequests,
} from '../interactions/index.ts';
import { NoticeBox, RefusalLink, refusalNotice } from './PlanTerms.tsx';
import { PriceLabel } from './PlanTitle.tsx';

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
  // An open request has its place in the bar at the bottom.
  if (!refusal || detail.openInteractionId !== null) return null;
  return (
    <NoticeBox {...refusal.notice}>
      <RefusalLink verdict={refusal.verdict} />
    </NoticeBox>
  );
}

/**
 * Day, time and place, and a bar that stays at the bottom, with the price and 'Send Request': for everyone but the plan's
 * creator, enabled once the terms are accepted (§2, §4). With a request that is open the bar shows what is next.
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
  'sticky bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))] z-20 -mx-4 border-t border-line bg-paper px-4 pt-1 pb-3 sm:-mx-6 sm:px-6';

function NewRequest({ detail, onSent }: { detail: PlanDetail; onSent: () => void }) {
  const { plan } = detail;
  const { account } = useSession();
  const [accepted, setAccepted] = useState(false);
  const back = useGoBack(plan.creator.id);
  const form = useForm({
    schema: MeetingForm,
    defaultValues: { day: '', time: '', place: plan.place },
    draft: { key: `request:${plan.id}` },
    leaveWarning: null,
    send: ({ day, time, place }) =>
      call(interactions.createInteraction, {
        body: { planId: plan.id, meetsAt: meetingTime(day, time), place },
      }),
    problemField: { interaction_time_taken: 'day' },
    failureNotice: (error) => {
      if (!isProblem(error, 'interaction_already_requested')) return errorNotice(error);
      toast({ ...notices.duplicateRequest, tone: 'danger', durationMs: timer.formToastMs });
      back();
      return null;
    },
    onSuccess: (request) => {
      upsertInteraction(request, account.id);
      void invalidate(interactions.interactionList);
      if (request.paid) {
        // A free plan has no next step: one is back (§4).
        toast({ ...notices.requestSent, tone: 'success' });
        void invalidate(plans.get);
        back();
      } else {
        // The next step, to pay, is on this screen, where a toast would cover it.
        onSent();
        setQueryData(plans.get, { params: { id: plan.id } }, { ...detail, openInteractionId: request.id });
      }
    },
  });
  const refusal = useRefusal(detail);
  const reason = refusal ? `${refusal.notice.title}: ${refusal.notice.text}` : !accepted && termsFirst;
  return (
    <>
      {!refusal && (
        <Form form={form} label="When and where" className="flex flex-col gap-3">
          <h2 className="text-lg font-semibold">When do you want to meet?</h2>
          <MeetingFields form={form} />
        </Form>
      )}
      <section aria-label="Your request" className={barClass}>
        {!refusal && (
          <Checkbox
            label="Accept terms and conditions"
            checked={accepted}
            onChange={(event) => setAccepted(event.target.checked)}
          />
        )}
        <div className="flex min-h-12 items-center justify-between gap-4 pt-1">
          <p className="min-w-0">
            <span className="sr-only">Price: </span>
            <PriceLabel pesos={plan.price} className="text-lg font-bold" />
            {plan.price > 0 && <span className="block text-sm text-ink-soft">held until you have met</span>}
          </p>
          <SubmitButton
            form={form}
            size="lg"
            icon={<Icon of={Send} />}
            pendingLabel="Sending..."
            disabledReason={reason}
            onClick={() => void form.submit()}
          >
            Send Request
          </SubmitButton>
        </div>
      </section>
    </>
  );
}

export const openRequestQuery = (id: string) => queryOf(interactions.interaction, { params: { id } });

/** In place of the form while a request is open: its next step, which at first is to pay. */
function OpenRequest({ id, isSent }: { id: string; isSent: boolean }) {
  const request = useOptional(openRequestQuery(id));
  useLiveRequests(request === null ? [] : [request], () =>
    queryClient.refetchQueries({ queryKey: openRequestQuery(id).queryKey }),
  );
  const isOver = request !== null && (request.cancelled || request.completed);
  useEffect(() => {
    if (isOver) void invalidate(plans.get);
  }, [isOver]);
  return (
    <section aria-label="Your request" className={barClass}>
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 pt-2">
        <p role="status" className="mr-auto min-w-0 flex-1 basis-56">
          <span className="block font-semibold">
            {(isSent ? notices.requestSent : notices.duplicateRequest).title}
          </span>
          {isSent && <span className="block text-sm">{notices.requestSent.text}</span>}
          {request && <span className="block text-sm text-ink-soft">{nextStep(request, 'client')}</span>}
        </p>
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

/** Goes one screen back (§4), or to the creator's plans if this is the first page of the visit. */
function useGoBack(creatorId: string): () => void {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  return () => {
    if (canGoBack) router.history.back();
    else void navigate({ to: '/profile/plans/$id', params: { id: creatorId }, replace: true });
  };
}
