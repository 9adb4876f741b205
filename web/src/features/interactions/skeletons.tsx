import { skeletons } from '@tara/contract/limits';
import { Card, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** The skeleton of Plan Manager. */
export function PlanManagerSkeleton() {
  return (
    <Page title="Plan Manager" width="feed" actions={<Skeleton shape="box" width={112} height={44} />}>
      <Skeleton shape="box" height={45} className="mb-4" />
      <Skeletons count={skeletons.planManager} label="Loading the requests" className="flex flex-col gap-4">
        {RequestCardSkeleton}
      </Skeletons>
    </Page>
  );
}

function RequestScreenSkeleton({ title, count }: { title: string; count: number }) {
  return (
    <Page title={title} width="feed">
      <Skeletons count={count} label="Loading the requests" className="flex flex-col gap-4">
        {RequestCardSkeleton}
      </Skeletons>
    </Page>
  );
}

export const FriendRequestsSkeleton = () => (
  <RequestScreenSkeleton title="Friend Request" count={skeletons.planManager} />
);

export const HistorySkeleton = () => <RequestScreenSkeleton title="History" count={skeletons.history} />;

/** The skeleton of a request. */
export function RequestCardSkeleton() {
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex gap-4">
        <Skeleton shape="box" width={80} height={80} />
        <div className="flex-1">
          <Skeleton width="60%" />
          <Skeleton width="40%" />
        </div>
      </div>
      <Skeleton width="90%" />
      <Skeleton width="50%" />
      <Skeleton shape="box" width={140} height={44} />
    </Card>
  );
}
