import { Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { displayLength } from '@tara/contract/limits';
import type { Plan } from '@tara/contract/plans';
import { Clock, MapPin } from 'lucide-react';
import { Badge } from '../../ui/Badge.tsx';
import { Money, PersonName, RatingLine, truncate } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Card, Skeleton } from '../../ui/Page.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { durationText, PlanTitle, PriceLabel } from './PlanTitle.tsx';

/** One plan in a list, with its creator unless the list is theirs; the whole card leads to its detail. */
export function PlanCard({
  plan,
  isOwner = false,
  showsCreator = false,
  eager,
}: {
  plan: Plan;
  isOwner?: boolean;
  showsCreator?: boolean;
  eager?: boolean;
}) {
  return (
    <Card as="li" padding="none" interactive className="relative overflow-hidden">
      <Picture
        {...plan.cover}
        source={(width) => urlAtWidth(plan.cover.imageUrl, width)}
        ratio="4 / 3"
        sizes="(min-width: 768px) 320px, 50vw"
        eager={eager}
      />
      {plan.closedAt && (
        <Badge tone="mango" className="absolute top-2 left-2">
          Closed
        </Badge>
      )}
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
        <p className="flex items-center gap-1.5 text-sm text-ink-soft">
          <Icon of={Clock} size={16} className="shrink-0" />
          <span className="truncate">
            {plan.time ? `${plan.time} · ` : ''}
            {durationText(plan.durationMinutes)}
          </span>
        </p>
        {plan.place && (
          <p className="flex items-center gap-1.5 text-sm text-ink-soft">
            <Icon of={MapPin} size={16} className="shrink-0" />
            <span className="truncate">{plan.place}</span>
          </p>
        )}
        {showsCreator && (
          <p className="flex min-w-0 text-sm text-ink-soft">
            <PersonName person={plan.creator} />
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
export function PlanCardSkeleton() {
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
