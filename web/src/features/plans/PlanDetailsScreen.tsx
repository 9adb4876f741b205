import { getRouteApi, Link } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import type { Rating } from '@tara/contract/fields';
import { urlAtWidth } from '@tara/contract/files';
import { empty } from '@tara/contract/notices';
import { type Plan, type PlanDetail, plans } from '@tara/contract/plans/plans';
import { problemNotice } from '@tara/contract/problems';
import { channel } from '@tara/contract/wire/realtime';
import { clsx } from 'clsx';
import {
  Clock,
  ExternalLink,
  Gift,
  Handshake,
  Lock,
  LockOpen,
  type LucideIcon,
  MapPin,
  Pencil,
  ShieldCheck,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { loadPage } from '../../lib/load-page.ts';
import { invalidate, queryClient, queryOf, setQueryData, useCall, useLoaded } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { PersonAvatar, PictureButton, usePictureSeries } from '../../lib/stored-picture.tsx';
import { Button, buttonClass, linkClass, TextLink } from '../../ui/Button.tsx';
import { Collapsible, PersonName, RatingLine } from '../../ui/facts.tsx';
import { confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ImageViewer } from '../../ui/lazy-overlays.tsx';
import { Stars } from '../../ui/marks.tsx';
import { Page } from '../../ui/Page.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { MemberMenu } from '../blocks/index.ts';
import { SharePlanPageButton } from '../public-links/index.ts';
import { usualTimeQuery } from '../verification/index.ts';
import { GenericTerms, NoticeBox } from './PlanTerms.tsx';
import { durationText, PriceLabel } from './PlanTitle.tsx';
import { openRequestQuery, RequestNotice, SendRequest } from './SendRequest.tsx';

const route = getRouteApi('/_main/profile/plan-details/$id');

export const planQuery = (id: string) => queryOf(plans.get, { params: { id } });

/**
 * The plan, and what it is shown without as well: the viewer's open request for it, and how long a verification takes that
 * the viewer needs.
 */
export async function loadPlan(id: string): Promise<void> {
  await loadPage('/profile/plan-details/:id', { plans }, { id });
  const detail = queryClient.getQueryData(planQuery(id).queryKey);
  if (detail?.openInteractionId) await queryClient.prefetchQuery(openRequestQuery(detail.openInteractionId));
  if (detail?.viewerVerified === false) await queryClient.prefetchQuery(usualTimeQuery);
}

/** /profile/plan-details/{id}: 'Plan request detail' (§2), where a stranger decides about a plan. */
export function PlanDetailsScreen() {
  const { id } = route.useParams();
  const detail = useLoaded(planQuery(id));
  const { plan, isCreator } = detail;
  // With the creator's verified mark a plan stops or takes requests again.
  useRealtime([channel.document('users', plan.creator.id)], () => invalidate(plans.get));
  const takesNone = plan.closedAt !== null || plan.creator.verified !== true;
  const canSend = !isCreator && (!takesNone || detail.openInteractionId !== null);
  return (
    <Page
      title={plan.title}
      lead={<PlanPhotos plan={plan} />}
      intro={
        <>
          <span className="sr-only">Rating of the plan: </span>
          {isRated(plan.rating) ? <RatingLine rating={plan.rating} /> : 'New, without meetings so far'}
        </>
      }
      width="feed"
    >
      <div className="flex flex-col gap-7 *:scroll-mb-28">
        {takesNone && <StoppedNotice detail={detail} />}
        {isCreator ? <OwnPlan detail={detail} /> : canSend && <RequestNotice detail={detail} />}
        <Creator detail={detail} />
        <PlanFacts plan={plan} isCreator={isCreator} />
        {plan.desc && <p className="wrap-anywhere whitespace-pre-line">{plan.desc}</p>}
        {plan.editedAt && (
          <p className="-mt-3 text-sm text-ink-soft">
            Last changed <TimeLabel iso={plan.editedAt} />
          </p>
        )}
        <Reviews detail={detail} />
        <div className="flex flex-col gap-1">
          <Collapsible title={`Conditions of ${plan.creator.name}`}>
            <p className="wrap-anywhere whitespace-pre-line text-ink-soft">{plan.terms}</p>
          </Collapsible>
          <GenericTerms />
        </div>
      </div>
      {/* Beside the rest, so that it is in sight from the top of the page on. */}
      {canSend && <SendRequest detail={detail} />}
    </Page>
  );
}

const isRated = ({ totalReviews, totalMeetings }: Rating) => totalReviews + totalMeetings > 0;

/** Nobody can request a plan that its creator closed, or while its creator is not verified, which a new name takes away. */
function StoppedNotice({ detail: { plan, isCreator } }: { detail: PlanDetail }) {
  if (plan.closedAt !== null) {
    const own = {
      title: 'Your plan is closed',
      text: 'It takes no new requests; those that are open go on.',
    };
    return <NoticeBox {...(isCreator ? own : problemNotice('plan_closed'))} />;
  }
  const { title, text = '' } = problemNotice('plan_paused');
  if (!isCreator) return <NoticeBox title={title} text={text} />;
  return (
    <NoticeBox title={title} text="you are not verified at the moment">
      <Link to="/verifying-identity" className={linkClass}>
        Get Verified
      </Link>
    </NoticeBox>
  );
}

/** What its creator does with a plan: see its requests, edit it, show it in public, close it or open it again. */
function OwnPlan({ detail }: { detail: PlanDetail }) {
  const { id, closedAt, creator } = detail.plan;
  const changed = {
    // totalPlan may have changed.
    invalidates: [plans.byCreator, accounts.session],
    onSuccess: (plan: Plan) => {
      setQueryData(plans.get, { params: { id } }, { ...detail, plan });
      toast({ title: plan.closedAt ? 'Your plan is closed.' : 'Your plan is open again.', tone: 'success' });
    },
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
  const quiet = buttonClass({ variant: 'secondary', size: 'sm' });
  return (
    <section aria-label="Your plan" className="flex flex-wrap items-center gap-2 rounded-card bg-sunken p-4">
      <p className="w-full font-semibold">This is your own plan.</p>
      <Link to="/update-plan/$id" params={{ id }} className={quiet}>
        <Icon of={Pencil} size={16} />
        Edit plan
      </Link>
      <Button
        variant="secondary"
        size="sm"
        icon={<Icon of={closedAt === null ? Lock : LockOpen} size={16} />}
        pending={close.isPending || reopen.isPending}
        onClick={() => void change()}
      >
        {closedAt === null ? 'Close plan' : 'Open again'}
      </Button>
      <SharePlanPageButton planId={id} />
      <Link to="/profile/friend-request/$id" params={{ id: creator.id }} className={quiet}>
        <Icon of={Handshake} size={16} />
        See who requested it
      </Link>
    </section>
  );
}

/** The photos below the cover fill a row: the fewer there are, the wider is each. */
const photoGrid = {
  columns: ['', 'grid-cols-1', 'grid-cols-2', 'grid-cols-3', 'grid-cols-4', 'grid-cols-5'],
  ratios: ['', '4 / 1', '2 / 1', '4 / 3'],
} as const;

/** The cover, and the other photos below; a press opens one full screen (§2). */
function PlanPhotos({ plan: { title, cover, photos } }: { plan: Plan }) {
  const pictures = [cover, ...photos];
  const { index, open, viewer } = usePictureSeries(pictures.length);
  const altOf = (position: number) =>
    pictures[position]?.alt || (position === 0 ? title : `Photo ${position + 1} of ${title}`);
  return (
    <div className="flex flex-col gap-1">
      <PictureButton
        picture={cover}
        alt={altOf(0)}
        label="Open the cover full screen"
        onPress={() => open(0)}
        ratio="4 / 3"
        eager
        // On wide screens the title has to be in sight below it.
        className="-outline-offset-2! sm:[&>div]:aspect-video!"
      />
      {photos.length > 0 && (
        <ul className={clsx('grid gap-1', photoGrid.columns[photos.length])}>
          {photos.map((photo, position) => (
            <li key={photo.imageId}>
              <PictureButton
                picture={photo}
                alt={altOf(position + 1)}
                label={`Open photo ${position + 2} full screen`}
                onPress={() => open(position + 1)}
                ratio={photoGrid.ratios[photos.length] ?? '1 / 1'}
                sizes="(min-width: 640px) 640px, 100vw"
                className="-outline-offset-2!"
              />
            </li>
          ))}
        </ul>
      )}
      <ImageViewer
        {...viewer}
        src={urlAtWidth(pictures[index]?.imageUrl ?? cover.imageUrl, 1080)}
        alt={altOf(index)}
      />
    </div>
  );
}

/** Who offers it: name, whether verified, stars, reviews and meetings. */
function Creator({ detail: { plan, creatorRating, isCreator } }: { detail: PlanDetail }) {
  const { creator } = plan;
  return (
    <section aria-label="The creator" className="flex items-center gap-2">
      <Link
        to="/profile/$id"
        params={{ id: creator.id }}
        className="mr-auto flex min-w-0 items-center gap-3 rounded-control"
      >
        <PersonAvatar person={creator} size="lg" />
        <span className="min-w-0">
          <PersonName person={creator} className="font-semibold" />
          <span className="block truncate text-sm text-ink-soft">
            @{creator.username} · {creator.verified ? 'identity verified' : 'not verified'}
          </span>
          <span className="block text-sm text-ink-soft">
            <span className="sr-only">Rating of the creator: </span>
            {isRated(creatorRating) ? <RatingLine rating={creatorRating} /> : 'No meetings so far'}
          </span>
        </span>
      </Link>
      {!isCreator && <MemberMenu member={creator} target={{ kind: 'plan', recordId: plan.id }} />}
    </section>
  );
}

/** A search of a place in an app or page of maps. */
const mapUrl = (place: string) =>
  `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: place })}`;

/** When, where, what it costs, and what becomes of the money. */
function PlanFacts({
  plan: { time, durationMinutes, place, price },
  isCreator,
}: {
  plan: Plan;
  isCreator: boolean;
}) {
  return (
    <dl className="flex flex-col gap-4">
      <Fact icon={Clock} label="Time">
        <span>{time || empty.date}</span> <span className="text-ink-soft">·</span>{' '}
        <span>{durationText(durationMinutes)}</span>
      </Fact>
      <Fact icon={MapPin} label="Place">
        <span>{place || empty.date}</span>
        {place && (
          <TextLink href={mapUrl(place)} className="flex min-h-11 w-fit items-center gap-1.5 font-medium">
            Show on a map
            <Icon of={ExternalLink} size={16} />
            <span className="sr-only">, in a new tab</span>
          </TextLink>
        )}
      </Fact>
      <Fact icon={price > 0 ? ShieldCheck : Gift} label="Price">
        <PriceLabel pesos={price} />
        {price > 0 && (
          <span className="block font-normal text-ink-soft">
            {isCreator ? 'Friends pay' : 'You pay'} after sending the request. Tara holds the money until you
            have met.
          </span>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ icon, label, children }: { icon: LucideIcon; label: string; children: ReactNode }) {
  return (
    <div className="relative min-h-11 pl-15">
      <dt className="text-sm text-ink-soft">
        <span
          aria-hidden="true"
          className="absolute top-0 left-0 flex size-11 items-center justify-center rounded-full bg-sunken text-ink"
        >
          <Icon of={icon} />
        </span>
        {label}
      </dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}

/** The newest reviews of the plan, and the way to all of its creator. */
function Reviews({ detail: { plan, reviews, creatorRating } }: { detail: PlanDetail }) {
  const { creator } = plan;
  if (reviews.length === 0 && creatorRating.totalReviews === 0) return null;
  return (
    <section aria-labelledby="reviews">
      <h2 id="reviews" className="text-xl font-bold tracking-tight">
        Reviews
      </h2>
      <ul className="mt-4 flex flex-col gap-6">
        {reviews.map((review) => (
          <li key={review.id} className="relative flex flex-col gap-2">
            <div className="flex items-center gap-3">
              <PersonAvatar person={review.creator} />
              <div className="min-w-0">
                <h3 className="flex min-w-0 font-semibold">
                  <Link
                    to="/review-details/$id"
                    params={{ id: review.id }}
                    // The link covers the review, to make it easy to press.
                    className="min-w-0 after:absolute after:-inset-2 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-lagoon"
                  >
                    <span className="sr-only">Review by </span>
                    <PersonName person={review.creator} />
                  </Link>
                </h3>
                <p className="flex items-center gap-2 text-sm text-ink-soft">
                  <Stars value={review.stars} size={16} />
                  <TimeLabel iso={review.createdAt} />
                </p>
              </div>
            </div>
            <p className="line-clamp-4 wrap-anywhere whitespace-pre-line">{review.caption}</p>
          </li>
        ))}
      </ul>
      {creatorRating.totalReviews > reviews.length && (
        <Link
          to="/profile/$id"
          params={{ id: creator.id }}
          search={{ show: 'reviews' }}
          className={buttonClass({ variant: 'secondary' }) + (reviews.length > 0 ? ' mt-5' : '')}
        >
          <span className="truncate">All reviews of {creator.name}</span>
        </Link>
      )}
    </section>
  );
}
