import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import { displayLength } from '@tara/contract/limits';
import type { Plan } from '@tara/contract/plans';
import { Clock } from 'lucide-react';
import { Card } from '../../ui/Card.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Money } from '../../ui/Money.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { shortened } from '../../ui/shortened.ts';
import { PlanTitle } from './PlanTitle.tsx';
import { PriceLabel } from './PriceLabel.tsx';

/** One plan in its creator's list; the whole card leads to its detail. */
export function PlanCard({ plan, eager }: { plan: Plan; eager?: boolean }) {
  return (
    <Card as="li" padding="none" interactive className="relative overflow-hidden">
      <Picture
        {...plan.cover}
        source={(width) => sized(plan.cover.imageUrl, width)}
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
            // The link covers the card, so that a thumb need not aim.
            className="outline-offset-2 after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-lagoon"
          >
            <PlanTitle title={plan.title} />
          </Link>
        </h2>
        <p className="min-h-6 wrap-anywhere text-ink-soft">
          {shortened(plan.desc, displayLength.description)}
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
            <dt>Earned</dt>
            <dd className="font-semibold">{plan.earned === null ? 'new' : <Money pesos={plan.earned} />}</dd>
          </div>
        </dl>
      </div>
    </Card>
  );
}

/** The shape of a card that is on its way. */
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
