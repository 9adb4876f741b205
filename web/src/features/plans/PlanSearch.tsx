import { Link } from '@tanstack/react-router';
import { planLength } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { type Plan, plans } from '@tara/contract/plans/plans';
import { Suspense, useDeferredValue } from 'react';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PagedList } from '../../ui/InfiniteList.tsx';
import { PlanCard } from './PlanCard.tsx';
import { PlanFilters, type PlanParams, wholePesos } from './PlanFilters.tsx';
import { PlanSkeletons } from './skeletons.tsx';

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

function PlanResults({ params }: { params: PlanParams }) {
  const isFiltered = Object.entries(params).some(([name, value]) => name !== 'show' && value);
  const noPlans = isFiltered
    ? {
        illustration: 'cat' as const,
        title: 'No plan matches',
        text: 'Every word must be in the title, the place or the description. Try fewer words, another price or another day.',
        action: (
          <Link to="/explore" search={{ show: 'plans' }} className={buttonClass({ variant: 'secondary' })}>
            Show all plans
          </Link>
        ),
      }
    : {
        illustration: 'sailing' as const,
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
