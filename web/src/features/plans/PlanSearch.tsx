import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { displayLength, planLength, timer } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { type Plan, plans, readPrice } from '@tara/contract/plans/plans';
import { Clock, MapPin } from 'lucide-react';
import { Suspense, useDeferredValue, useEffect, useEffectEvent, useState } from 'react';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { StoredPicture } from '../../lib/stored-picture.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { DateInput, Field, TextInput } from '../../ui/Field.tsx';
import { Money, PersonName, RatingLine, truncate } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { Badge } from '../../ui/marks.tsx';
import { Card } from '../../ui/Page.tsx';
import { durationText, PlanTitle, PriceLabel } from './PlanTitle.tsx';
import { PlanSkeletons } from './skeletons.tsx';

/** The filter of plans as it is in the address. */
export interface PlanParams {
  search?: string;
  place?: string;
  min?: string;
  max?: string;
  day?: string;
}

/** The plans of a filter, newest first; invalid values of the filter are left out. */
export function planSearchPages({ search, place, min, max, day }: PlanParams) {
  const minPrice = wholePesos(min, Math.floor);
  const maxPrice = wholePesos(max, Math.ceil);
  return pagesOf(plans.search, {
    query: {
      ...(search ? { search } : {}),
      ...(place ? { place: place.slice(0, planLength.place) } : {}),
      ...(minPrice === undefined ? {} : { minPrice }),
      ...(maxPrice === undefined || maxPrice < (minPrice ?? 0) ? {} : { maxPrice }),
      ...(day && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? { day } : {}),
    },
  });
}

/** A written price in whole pesos. */
function wholePesos(text: string | undefined, round: (amount: number) => number): number | undefined {
  const amount = readPrice(text ?? '');
  return amount === null || amount > 9_999_999 ? undefined : round(amount);
}

/** The filter of plans and what it finds, for Explore. */
export function PlanSearch({ params }: { params: PlanParams }) {
  const shown = useDeferredValue(params);
  return (
    <>
      <PlanFilters params={params} />
      <Suspense fallback={<PlanSkeletons />}>
        <PlanResults params={shown} />
      </Suspense>
    </>
  );
}

/** Place, prices and day, written to the address after a pause in typing (§9). */
function PlanFilters({ params }: { params: PlanParams }) {
  const { place = '', min = '', max = '', day = '' } = params;
  const address = { place, min, max, day };
  const key = JSON.stringify(address);
  const navigate = useNavigate();
  const router = useRouter();
  const [typed, setTyped] = useState({ keys: [key], values: address });
  // A navigation, e.g. Back, replaces what is typed by what the address says.
  const values = typed.keys.includes(key) ? typed.values : address;
  const problems = findProblems(values);
  const wanted = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
  const wantedKey = JSON.stringify(wanted);
  const updateUrl = useEffectEvent(() => {
    const isUsable = Object.keys(problems).length === 0;
    // Do not navigate back if the person has already left the screen.
    if (wantedKey === key || !isUsable || router.latestLocation.pathname !== '/explore') return;
    setTyped({ keys: [key, wantedKey], values });
    void navigate({
      to: '/explore',
      search: (before) => ({ ...before, ...wanted }),
      replace: true,
      resetScroll: false,
    });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change starts the wait again
  useEffect(() => {
    const timeout = setTimeout(() => updateUrl(), timer.searchDebounceMs);
    return () => clearTimeout(timeout);
  }, [wantedKey]);
  const control = (name: keyof typeof values) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped({ keys: [key], values: { ...values, [name]: target.value } }),
  });
  return (
    <search aria-label="Filter of plans" className="mb-2 grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-4">
      <Field label="Place" lines={0}>
        <TextInput {...control('place')} maxLength={planLength.place} placeholder="Makati" />
      </Field>
      <Field label="Day" lines={0}>
        <DateInput {...control('day')} />
      </Field>
      <Field label="Price from" error={problems.min}>
        <TextInput {...control('min')} inputMode="decimal" placeholder="₱0" className="figures" />
      </Field>
      <Field label="Price up to" error={problems.max}>
        <TextInput {...control('max')} inputMode="decimal" placeholder="Any price" className="figures" />
      </Field>
    </search>
  );
}

function findProblems({ min, max }: { min: string; max: string }): { min?: string; max?: string } {
  const rule = 'A price, such as 500.';
  const [lowest, highest] = [wholePesos(min, Math.floor), wholePesos(max, Math.ceil)];
  return {
    ...(min.trim() && lowest === undefined ? { min: rule } : {}),
    ...(max.trim() && highest === undefined ? { max: rule } : {}),
    ...(lowest !== undefined && highest !== undefined && lowest > highest
      ? { max: 'Less than the lowest.' }
      : {}),
  };
}

function PlanResults({ params }: { params: PlanParams }) {
  const isFiltered = Object.entries(params).some(([name, value]) => name !== 'show' && value);
  const noPlans = isFiltered
    ? {
        scene: 'cat' as const,
        title: 'No plan matches',
        text: 'Every word must be in the title, the place or the description. Try fewer words, another price or another day.',
        action: (
          <Link to="/explore" search={{ show: 'plans' }} className={buttonClass({ variant: 'secondary' })}>
            Show all plans
          </Link>
        ),
      }
    : {
        scene: 'sailing' as const,
        title: empty.plans,
        text: 'A plan is a way to meet somebody: a walk, a coffee, a game.',
      };
  return (
    <PagedList list={useLoadedPages(planSearchPages(params))} empty={noPlans} end="You have seen all plans.">
      {(plans) => <PlanTiles plans={plans} />}
    </PagedList>
  );
}

/** Plans of several creators as cards. */
export function PlanTiles({ plans }: { plans: Plan[] }) {
  return (
    <ul className="tiles">
      {plans.map((plan, index) => (
        <PlanCard key={plan.id} plan={plan} showsCreator eager={index < 2} />
      ))}
    </ul>
  );
}

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
      <StoredPicture
        picture={plan.cover}
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
