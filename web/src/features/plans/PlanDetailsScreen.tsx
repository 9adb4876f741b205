import { getRouteApi, Link } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts';
import { urlAtWidth } from '@tara/contract/files';
import { empty } from '@tara/contract/notices';
import { type Plan, type PlanDetail, plans } from '@tara/contract/plans';
import { problemNotice } from '@tara/contract/problems';
import { Banknote, Clock } from 'lucide-react';
import { useState } from 'react';
import { queryClient, queryOf, useCall, useLoaded } from '../../lib/queries.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button, buttonClass, linkClass } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { confirm } from '../../ui/confirm.ts';
import { ImageViewer } from '../../ui/ImageViewer.tsx';
import { Page } from '../../ui/Page.tsx';
import { PersonName } from '../../ui/PersonName.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { RatingLine } from '../../ui/RatingLine.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StateLine, StateList } from '../../ui/StateLine.tsx';
import { toast } from '../../ui/toast.ts';
import { MemberMenu } from '../blocks/index.ts';
import { GenericTerms } from './GenericTerms.tsx';
import { NoticeBox } from './NoticeBox.tsx';
import { PriceLabel } from './PlanTitle.tsx';
import { SendRequest } from './SendRequest.tsx';

const route = getRouteApi('/_main/profile/plan-details/$id');

export const planQuery = (id: string) => queryOf(plans.get, { params: { id } });

/** /profile/plan-details/{id}: 'Plan request detail' (§2). */
export function PlanDetailsScreen() {
  const { id } = route.useParams();
  const detail = useLoaded(planQuery(id));
  const isClosed = detail.plan.closedAt !== null;
  const isPaused = detail.plan.creator.verified !== true;
  const isStopped = isClosed || isPaused;
  return (
    <Page title="Plan request" width="feed">
      <div className="flex flex-col gap-6">
        {isClosed && <ClosedNotice own={detail.isCreator} />}
        {isPaused && !isClosed && <PausedNotice own={detail.isCreator} />}
        <PlanFacts plan={detail.plan} own={detail.isCreator} />
        <GenericTerms open />
        {detail.isCreator ? (
          <OwnPlan plan={detail.plan} />
        ) : (
          (!isStopped || detail.openInteractionId) && <SendRequest detail={detail} />
        )}
      </div>
    </Page>
  );
}

/** Nobody can request a plan while its creator is not verified, which a new name takes away. */
function PausedNotice({ own }: { own: boolean }) {
  const { title, text = '' } = problemNotice('plan_paused');
  if (!own) return <NoticeBox title={title} text={text} />;
  return (
    <NoticeBox title={title} text="you are not verified at the moment">
      <Link to="/verifying-identity" className={linkClass}>
        Get Verified
      </Link>
    </NoticeBox>
  );
}

/** Its creator took the plan back from new requests; those that are open go on. */
function ClosedNotice({ own }: { own: boolean }) {
  const { title, text = '' } = problemNotice('plan_closed');
  return (
    <NoticeBox
      title={own ? 'You closed this plan' : title}
      text={own ? 'It takes no new requests; those that are open go on.' : text}
    />
  );
}

/** What its creator does with a plan: see its requests, edit it, close it or open it again. */
function OwnPlan({ plan }: { plan: Plan }) {
  const { id, closedAt, creator } = plan;
  const changed = {
    onSuccess: (changedPlan: Plan) => {
      queryClient.setQueryData<PlanDetail>(
        planQuery(id).queryKey,
        (detail) => detail && { ...detail, plan: changedPlan },
      );
      const title = changedPlan.closedAt ? 'Your plan is closed.' : 'Your plan is open again.';
      toast({ title, tone: 'success' });
    },
    // totalPlan may have changed.
    invalidates: [accounts.session, plans.byCreator],
  };
  const close = useCall(plans.close, changed);
  const reopen = useCall(plans.reopen, changed);
  const change = async () => {
    if (closedAt !== null) return reopen.mutate({ body: { planId: id } });
    const isSure = await confirm({
      title: 'Close this plan?',
      text: 'It takes no new requests. Those that are open go on, and you can open it again.',
      confirmLabel: 'Close plan',
      cancelLabel: 'Leave it open',
    });
    if (isSure) close.mutate({ body: { planId: id } });
  };
  return (
    <section aria-label="Your plan" className="flex flex-wrap items-center gap-3 rounded-card bg-sunken p-4">
      <p className="mr-auto font-semibold">This is your own plan.</p>
      <Link
        to="/profile/friend-request/$id"
        params={{ id: creator.id }}
        className={buttonClass({ variant: 'secondary', size: 'sm' })}
      >
        See who requested it
      </Link>
      <Link
        to="/update-plan/$id"
        params={{ id }}
        className={buttonClass({ variant: 'secondary', size: 'sm' })}
      >
        Edit plan
      </Link>
      <Button
        variant="secondary"
        size="sm"
        pending={close.isPending || reopen.isPending}
        onClick={() => void change()}
      >
        {closedAt === null ? 'Close plan' : 'Open again'}
      </Button>
    </section>
  );
}

/** The skeleton of a plan. */
export function PlanSkeleton() {
  return (
    <Page title="Plan request" width="feed">
      <PlanFactsSkeleton />
    </Page>
  );
}

function PlanFactsSkeleton() {
  return (
    <div role="status" aria-label="Loading the plan" aria-busy="true" className="flex flex-col gap-4">
      <div style={{ aspectRatio: '16 / 9' }}>
        <Skeleton shape="box" height="100%" className="rounded-card" />
      </div>
      <div className="flex items-center gap-3">
        <Skeleton shape="circle" width={56} />
        <Skeleton width="40%" />
      </div>
      <Skeleton width="60%" height={28} />
      <Skeleton />
      <Skeleton width="80%" />
    </div>
  );
}

/** All details of a plan: cover, creator, description, time, price, and the creator's conditions (§2). */
function PlanFacts({ plan, own }: { plan: Plan; own: boolean }) {
  const [viewing, setViewing] = useState(false);
  const { creator, cover } = plan;
  return (
    <Card as="article" padding="none" className="overflow-hidden">
      <button
        type="button"
        aria-label="Open the cover full screen"
        onClick={() => setViewing(true)}
        className="block w-full -outline-offset-2"
      >
        <Picture
          {...cover}
          alt={cover.alt || plan.title}
          source={(width) => urlAtWidth(cover.imageUrl, width)}
          ratio="16 / 9"
          eager
        />
      </button>
      <ImageViewer
        open={viewing}
        onClose={() => setViewing(false)}
        src={urlAtWidth(cover.imageUrl, 1080)}
        alt={cover.alt || plan.title}
      />
      <div className="flex flex-col gap-4 p-4 sm:p-5">
        <div className="flex items-center gap-2">
          <Link
            to="/profile/$id"
            params={{ id: creator.id }}
            className="mr-auto flex min-w-0 items-center gap-3 rounded-control"
          >
            <Avatar name={creator.name} src={urlAtWidth(creator.picture.imageUrl, 96)} size="lg" />
            <span className="min-w-0">
              <PersonName person={creator} className="font-semibold" />
              <span className="block truncate text-sm text-ink-soft">@{creator.username}</span>
            </span>
          </Link>
          {!own && <MemberMenu member={creator} target={{ kind: 'plan', recordId: plan.id }} />}
        </div>
        <div>
          <h2 className="text-xl font-bold">{plan.title}</h2>
          <p className="mt-1 text-sm text-ink-soft">
            <span className="sr-only">Rating: </span>
            <RatingLine rating={plan.rating} />
          </p>
          {plan.desc && <p className="mt-2 whitespace-pre-line">{plan.desc}</p>}
        </div>
        <StateList className="border-y border-line">
          <StateLine icon={Clock} label="Time" value={plan.time || empty.date} />
          <StateLine icon={Banknote} label="Price" value={<PriceLabel pesos={plan.price} />} tone="lagoon" />
        </StateList>
        <section>
          <h3 className="font-semibold">Conditions of {creator.name}</h3>
          <p className="mt-1 whitespace-pre-line text-ink-soft">{plan.terms}</p>
        </section>
      </div>
    </Card>
  );
}
