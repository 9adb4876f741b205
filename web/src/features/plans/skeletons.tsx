import { pageSize, skeletons } from '@tara/contract/limits';
import { Card, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** The skeleton of a plan. */
export function PlanSkeleton() {
  return (
    <Page title="Plan" width="feed">
      <div role="status" aria-label="Loading the plan" aria-busy="true" className="flex flex-col gap-6">
        <div style={{ aspectRatio: '16 / 9' }}>
          <Skeleton shape="box" height="100%" className="rounded-card" />
        </div>
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
