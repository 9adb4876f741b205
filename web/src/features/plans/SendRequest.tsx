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
import { PriceLabel } from './PlanTitle.tsx';

/** What keeps the viewer from requesting the plan; null when nothing does. */
function useRefusal({ viewerVerified, openInteractionId }: PlanDetail): Refusal | null {
  const { bDay } = useSession().profile;
  if (openInteractionId) {
    return { title: notices.duplicateRequest.title, text: 'It is in your Plan Manager.', way: 'request' };
  }
  if (!viewerVerified) return { ...notices.unverifiedAction, way: 'verification' };
  const isAdult = adultVerdict(bDay);
  if (isAdult === true) return null;
  return {
    ...(isAdult === 'plan_under_age' ? notices.underAge : notices.birthDateMissing),
    way: 'birthDate',
  };
}

interface Refusal {
  title: string;
  text: string;
  /** What lifts it. */
  way: 'request' | 'verification' | 'birthDate';
}

/** At the top of the plan's page: what keeps the viewer from requesting it, with the way out. */
export function RequestNotice({ detail }: { detail: PlanDetail }) {
  const refusal = useRefusal(detail);
  if (!refusal) return null;
  return (
    <NoticeBox title={refusal.title} text={refusal.text}>
      {refusal.way === 'request' ? (
        <Link to="/manage-plans" search={{ tab: 'yourRequest' }} className={linkClass}>
          Go to your requests
        </Link>
      ) : refusal.way === 'birthDate' ? (
        <BirthDateLink />
      ) : (
        <Link to="/verifying-identity" className={linkClass}>
          Get Verified
        </Link>
      )}
    </NoticeBox>
  );
}

/**
 * A bar that stays at the bottom, with the price and 'Send Request': for everyone but the plan's creator, enabled once
 * the terms are accepted (§2, §4). At the end of the page it stands below the content.
 */
export function SendRequest({ detail }: { detail: PlanDetail }) {
  const { plan } = detail;
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
  const refusal = useRefusal(detail);
  const reason = refusal
    ? `${refusal.title}: ${refusal.text}`
    : !accepted && 'Please accept the terms and conditions first.';
  return (
    <section
      aria-label="Your request"
      className="sticky bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))] z-20 -mx-4 border-t border-line bg-paper px-4 pt-1 pb-3 sm:-mx-6 sm:px-6"
    >
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
        <Button
          size="lg"
          icon={<Icon of={Send} />}
          pending={request.isPending}
          pendingLabel="Sending..."
          disabledReason={reason}
          onClick={() => request.mutate({ body: { planId: plan.id } })}
        >
          Send Request
        </Button>
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
