import { Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { interactions } from '@tara/contract/interactions';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { type PlanDetail, plans } from '@tara/contract/plans';
import { adultVerdict } from '@tara/contract/profiles';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { errorNotice, isProblem } from '../../lib/failure.ts';
import { useCall } from '../../lib/queries.ts';
import { Button, linkClass } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { BirthDateLink, NoticeBox } from './NoticeBox.tsx';

/** 'Send Request', for everyone but the plan's creator, enabled once the terms are accepted (§2, §4). */
export function SendRequest({ detail }: { detail: PlanDetail }) {
  const { plan, viewerVerified, openInteractionId } = detail;
  const [accepted, setAccepted] = useState(false);
  const back = useGoBack(plan.creator.id);
  const request = useCall(interactions.createInteraction, {
    quiet: true,
    invalidates: [plans.get, interactions.interactionList],
    onSuccess: () => {
      toast({ ...notices.requestSent, tone: 'success' });
      back();
    },
    onError: (error) => {
      if (isProblem(error, 'interaction_already_requested')) {
        toast({ ...notices.duplicateRequest, tone: 'danger', durationMs: timer.formToastMs });
        back();
      } else toast({ ...errorNotice(error), tone: 'danger', durationMs: timer.formToastMs });
    },
  });
  const { bDay } = useSession().profile;
  const isAdult = adultVerdict(bDay);
  const refusal = openInteractionId
    ? { title: notices.duplicateRequest.title, text: 'It is in your Plan Manager.' }
    : !viewerVerified
      ? notices.unverifiedAction
      : isAdult !== true && (isAdult === 'plan_under_age' ? notices.underAge : notices.birthDateMissing);
  const reason = refusal
    ? `${refusal.title}: ${refusal.text}`
    : !accepted && 'Please accept the terms and conditions first.';
  return (
    <div className="flex flex-col gap-3">
      {refusal && (
        <NoticeBox {...refusal}>
          {openInteractionId ? (
            <Link to="/manage-plans" search={{ tab: 'yourRequest' }} className={linkClass}>
              Go to your requests
            </Link>
          ) : viewerVerified ? (
            <BirthDateLink />
          ) : (
            <Link to="/verifying-identity" className={linkClass}>
              Get Verified
            </Link>
          )}
        </NoticeBox>
      )}
      <Checkbox
        label="Accept terms and conditions"
        checked={accepted}
        onChange={(event) => setAccepted(event.target.checked)}
      />
      <Button
        size="lg"
        block
        icon={<Icon of={Send} />}
        pending={request.isPending}
        pendingLabel="Sending..."
        disabledReason={reason}
        onClick={() => request.mutate({ body: { planId: plan.id } })}
      >
        Send Request
      </Button>
      {plan.price > 0 && (
        <p className="text-center text-sm text-ink-soft">
          You pay after sending. Tara holds the money until you have met.
        </p>
      )}
    </div>
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
