import { Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { interactions } from '@tara/contract/interactions';
import { notices } from '@tara/contract/notices';
import { type PlanDetail, plans } from '@tara/contract/plans';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { linkClass } from '../../ui/TextLink.tsx';
import { toast } from '../../ui/toast.ts';
import { Notice } from './Notice.tsx';

/** 'Send Request', for anyone but the plan's creator: once the terms are accepted (§2, §4). */
export function SendRequest({ detail }: { detail: PlanDetail }) {
  const { plan, viewerVerified, openInteractionId } = detail;
  const [accepted, setAccepted] = useState(false);
  const back = useWayBack(plan.creator.id);
  const request = useCall(interactions.createInteraction, {
    quiet: true,
    invalidates: [plans.get, interactions.manager],
    onSuccess: () => {
      toast({ ...notices.requestSent, tone: 'success' });
      back();
    },
    onError: (error) => {
      if (isProblem(error, 'interaction_already_requested')) {
        toast({ ...notices.duplicateRequest, tone: 'danger' });
        back();
      } else toast({ ...wordsOfFailure(error), tone: 'danger' });
    },
  });
  const reason = openInteractionId
    ? notices.duplicateRequest.title
    : !viewerVerified
      ? `${notices.unverifiedAction.title}: ${notices.unverifiedAction.text}`
      : !accepted && 'Please accept the terms and conditions first.';
  return (
    <div className="flex flex-col gap-3">
      {openInteractionId ? (
        <Notice title={notices.duplicateRequest.title} text="It waits in your Plan Manager.">
          <Link to="/manage-plans" search={{ tab: 'yourRequest' }} className={linkClass}>
            Go to your requests
          </Link>
        </Notice>
      ) : (
        !viewerVerified && (
          <Notice {...notices.unverifiedAction}>
            <Link to="/verifying-identity" className={linkClass}>
              Get Verified
            </Link>
          </Notice>
        )
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

/** One screen back (§4); to the creator's plans for who came here by an address. */
function useWayBack(creatorId: string): () => void {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  return () => {
    if (canGoBack) router.history.back();
    else void navigate({ to: '/profile/plans/$id', params: { id: creatorId }, replace: true });
  };
}
