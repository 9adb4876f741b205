import { pageSize, skeletons } from '@tara/contract/limits';
import { Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** The skeleton of a plan. */
export function PlanSkeleton() {
  return (
    <Page
      title="Plan"
      width="feed"
      lead={<Skeleton shape="box" className="aspect-4/3 w-full rounded-none! sm:aspect-video" />}
    >
      <div role="status" aria-label="Loading the plan" aria-busy="true" className="flex flex-col gap-6">
        <div className="flex items-center gap-3">
          <Skeleton shape="circle" width={56} />
          <Skeleton width="40%" />
        </div>
        <Skeleton />
        <Skeleton width="80%" />
        <Skeleton width="60%" />
      </div>
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

/** The skeleton of the form. */
export function UpdatePlanSkeleton() {
  return (
    <Page title="Edit your plan" width="form">
      <div role="status" aria-label="Loading the plan" aria-busy="true" className="flex flex-col gap-8">
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          <Skeleton shape="box" className="aspect-square w-full rounded-card!" />
          <Skeleton shape="box" className="aspect-square w-full rounded-card!" />
        </div>
        <Skeleton shape="box" height={44} />
        <Skeleton shape="box" height={120} />
        <Skeleton shape="box" height={44} />
      </div>
    </Page>
  );
}

export function PlanSkeletons() {
  return (
    <Skeletons count={pageSize.plans} label="Loading plans" className="tiles">
      {PlanCardSkeleton}
    </Skeletons>
  );
}

/** The skeleton of a card. */
export function PlanCardSkeleton() {
  return (
    <div className="flex flex-col gap-2">
      <Skeleton shape="box" className="aspect-4/5 w-full rounded-card!" />
      <div>
        <Skeleton width="70%" />
        <Skeleton width="50%" />
        <Skeleton width="35%" />
      </div>
    </div>
  );
}
