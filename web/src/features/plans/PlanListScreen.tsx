import { getRouteApi, Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { displayLength, skeletons } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { type Plan, plans } from '@tara/contract/plans';
import { CalendarHeart, CalendarPlus, Clock, Handshake, History, Phone } from 'lucide-react';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { buttonClass, linkClass } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Money } from '../../ui/Money.tsx';
import { Page } from '../../ui/Page.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { RatingLine } from '../../ui/RatingLine.tsx';
import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';
import { truncate } from '../../ui/truncate.ts';
import { useSession } from '../accounts/index.ts';
import { PlanTitle, PriceLabel } from './PlanTitle.tsx';

const route = getRouteApi('/_main/profile/plans/$id');

export const planPages = (creatorId: string) => pagesOf(plans.byCreator, { params: { id: creatorId } });

/** /profile/plans/{id}: a member's plans, with additional links for their owner (§6). */
export function PlanListScreen() {
  const { id } = route.useParams();
  const { profile } = useSession();
  const isOwner = profile.id === id;
  const { items, more } = useLoadedPages(planPages(id));
  const creator = items[0]?.creator.name;
  const title = isOwner ? 'Your plans' : creator ? `Plans of ${creator}` : 'Plans';
  return (
    <Page title={title} width="grid" actions={isOwner && <OwnerLinks id={id} />}>
      {isOwner && profile.phoneNumber === '' && <PhoneNumberPrompt />}
      {items.length === 0 ? (
        <EmptyState
          icon={CalendarHeart}
          title={empty.plans}
          text={
            isOwner
              ? 'A plan is a way to meet you: a walk, a coffee, a game. Friends request it here.'
              : 'The plans of this member appear here.'
          }
          action={
            isOwner ? (
              <Link to="/profile/create-plans/$id" params={{ id }} className={buttonClass()}>
                Create your first plan
              </Link>
            ) : (
              <Link to="/all-users" className={buttonClass({ variant: 'secondary' })}>
                Find other friends
              </Link>
            )
          }
        />
      ) : (
        <InfiniteList {...more}>
          <ul className="tiles">
            {items.map((plan, index) => (
              <PlanCard key={plan.id} plan={plan} isOwner={isOwner} eager={index < 4} />
            ))}
          </ul>
        </InfiniteList>
      )}
    </Page>
  );
}

/** The skeleton of the list. */
export function PlanListSkeleton() {
  return (
    <Page title="Plans" width="grid">
      <Skeletons count={skeletons.planList} label="Loading the plans" className="tiles">
        {PlanCardSkeleton}
      </Skeletons>
    </Page>
  );
}

/** 'Add Plan', 'Friend Request' and 'History' are the plan owner's (§6). */
function OwnerLinks({ id }: { id: string }) {
  const quiet = buttonClass({ variant: 'secondary' });
  return (
    <>
      <Link to="/profile/create-plans/$id" params={{ id }} className={buttonClass()}>
        <Icon of={CalendarPlus} />
        Add Plan
      </Link>
      <Link to="/profile/friend-request/$id" params={{ id }} className={quiet}>
        <Icon of={Handshake} />
        Friend Request
      </Link>
      <Link to="/profile/history/$id" params={{ id }} className={quiet}>
        <Icon of={History} />
        History
      </Link>
    </>
  );
}

/** Payouts go to the creator's phone number, so creators without one are prompted to add it (§6). */
function PhoneNumberPrompt() {
  return (
    <p className="mb-5 flex items-start gap-3 rounded-card bg-mango-soft p-4">
      <Icon of={Phone} className="mt-0.5 text-mango-ink" />
      <span>
        To receive the payment for your plans, Tara needs your phone number.{' '}
        <Link to="/update-profile" search={{ tab: 'info' }} className={linkClass}>
          Add your phone number
        </Link>
      </span>
    </p>
  );
}

/** One plan in its creator's list; the whole card leads to its detail. */
function PlanCard({ plan, isOwner, eager }: { plan: Plan; isOwner: boolean; eager?: boolean }) {
  return (
    <Card as="li" padding="none" interactive className="relative overflow-hidden">
      <Picture
        {...plan.cover}
        source={(width) => urlAtWidth(plan.cover.imageUrl, width)}
        ratio="4 / 3"
        sizes="(min-width: 768px) 320px, 50vw"
        eager={eager}
      />
      <div className="flex flex-col gap-1 p-3 sm:p-4">
        <h2 className="font-semibold">
          <Link
            to="/profile/plan-details/$id"
            params={{ id: plan.id }}
            search={{ list: plan.creator.id }}
            // The link covers the card, to make it easy to press.
            className="outline-offset-2 after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-lagoon"
          >
            <PlanTitle title={plan.title} />
          </Link>
        </h2>
        <p className="min-h-6 wrap-anywhere text-ink-soft">
          {truncate(plan.desc, displayLength.description)}
        </p>
        {plan.time && (
          <p className="flex items-center gap-1.5 text-sm text-ink-soft">
            <Icon of={Clock} size={16} />
            {plan.time}
          </p>
        )}
        <dl className="mt-1 flex flex-wrap items-baseline justify-between gap-x-3">
          <div>
            <dt className="sr-only">Price</dt>
            <dd className="font-semibold text-lagoon">
              <PriceLabel pesos={plan.price} />
            </dd>
          </div>
          <div className="flex gap-1 text-sm text-ink-soft">
            <dt className="sr-only">Rating</dt>
            <dd>
              <RatingLine rating={plan.rating} />
            </dd>
          </div>
        </dl>
        {isOwner && (
          <dl className="flex gap-1 text-sm text-ink-soft">
            <dt>Earned</dt>
            <dd className="font-semibold">{plan.earned === null ? 'new' : <Money pesos={plan.earned} />}</dd>
          </dl>
        )}
      </div>
    </Card>
  );
}

/** The skeleton of a card. */
function PlanCardSkeleton() {
  return (
    <Card padding="none" className="overflow-hidden">
      <div style={{ aspectRatio: '4 / 3' }}>
        <Skeleton shape="box" height="100%" className="rounded-none" />
      </div>
      <div className="flex flex-col gap-1 p-3 sm:p-4">
        <Skeleton width="70%" />
        <Skeleton width="50%" />
        <Skeleton width="35%" />
      </div>
    </Card>
  );
}
