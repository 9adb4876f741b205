import { Link } from '@tanstack/react-router';
import type { Plan } from '@tara/contract/plans/plans';
import { clsx } from 'clsx';
import { PersonAvatar, StoredPicture } from '../../lib/stored-picture.tsx';
import { Money, PersonName, RatingLine } from '../../ui/facts.tsx';
import { Badge } from '../../ui/marks.tsx';
import { durationText, PriceLabel } from './PlanTitle.tsx';

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
    <li className="group relative flex flex-col gap-2">
      <div className="relative overflow-hidden rounded-card">
        <StoredPicture
          picture={plan.cover}
          ratio="4 / 5"
          sizes="(min-width: 768px) 320px, 50vw"
          eager={eager}
          className="transition-[scale] duration-200 group-hover:scale-[1.02]"
        />
        {plan.closedAt && (
          <Badge tone="mango" className="absolute top-2 left-2">
            Closed
          </Badge>
        )}
      </div>
      <div className="flex flex-col gap-0.5">
        {showsCreator && (
          <p className="flex min-w-0 items-center gap-1.5 text-sm text-ink-soft">
            <PersonAvatar person={plan.creator} size="xs" lazy />
            <PersonName person={plan.creator} size={14} />
          </p>
        )}
        <PlanTitleLink plan={plan} className="focus-visible:after:outline-offset-2" />
        <PlanWhere plan={plan} />
        <PriceAndStars plan={plan} />
        {isOwner && (
          <dl className="flex flex-wrap gap-x-1 text-sm text-ink-soft">
            <dt>Earned</dt>
            <dd className="font-semibold">{plan.earned === null ? 'new' : <Money pesos={plan.earned} />}</dd>
          </dl>
        )}
      </div>
    </li>
  );
}

/** The title as a link that covers what it stands in, to make it easy to press. */
const PlanTitleLink = ({ plan, className }: { plan: Plan; className: string }) => (
  <h2 className="text-lg leading-snug font-semibold">
    <Link
      to="/profile/plan-details/$id"
      params={{ id: plan.id }}
      search={{ list: plan.creator.id }}
      className={clsx(
        'line-clamp-2 wrap-anywhere after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-lagoon',
        className,
      )}
    >
      {plan.title}
    </Link>
  </h2>
);

/** Time, duration and place of a plan, on a line each. */
function PlanWhere({ plan: { time, durationMinutes, place } }: { plan: Plan }) {
  return (
    <>
      <p className="truncate text-sm text-ink-soft">
        {time ? `${time} · ` : ''}
        {durationText(durationMinutes)}
      </p>
      {place && <p className="truncate text-sm text-ink-soft">{place}</p>}
    </>
  );
}

function PriceAndStars({ plan: { price, rating } }: { plan: Plan }) {
  return (
    <dl className="flex flex-wrap items-baseline gap-x-2">
      <div>
        <dt className="sr-only">Price</dt>
        <dd className="font-semibold">
          <PriceLabel pesos={price} />
        </dd>
      </div>
      <div className="text-sm text-ink-soft">
        <dt className="sr-only">Rating</dt>
        <dd>
          <RatingLine rating={rating} />
        </dd>
      </div>
    </dl>
  );
}

/** The plan that a profile shows above its posts; all of it leads to the plan. */
export function NextPlan({ plan }: { plan: Plan }) {
  return (
    <section aria-label="Next plan">
      <PlanRow plan={plan} label="Next plan" />
    </section>
  );
}

/** A plan as one line of a list, with a text above its title; all of it leads to the plan. */
export function PlanRow({ plan, label }: { plan: Plan; label?: string }) {
  return (
    <div className="group relative flex items-center gap-4">
      <StoredPicture
        picture={plan.cover}
        ratio="4 / 5"
        sizes="96px"
        className="w-24! shrink-0 rounded-card"
      />
      <div className="flex min-w-0 flex-col gap-0.5">
        {label && <p className="text-sm text-ink-soft">{label}</p>}
        <PlanTitleLink plan={plan} className="focus-visible:after:outline-offset-4" />
        <PlanWhere plan={plan} />
        <PriceAndStars plan={plan} />
      </div>
    </div>
  );
}
