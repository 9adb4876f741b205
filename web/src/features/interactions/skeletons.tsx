import { skeletons } from '@tara/contract/limits';
import { Page, Skeleton, Skeletons } from '../../ui/Page.tsx';

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

/** The skeleton of a request: a ticket. */
export function RequestCardSkeleton() {
  return (
    <div className="ticket">
      <div className="ticket-body bg-surface sm:flex">
        <Skeleton shape="box" className="aspect-5/2 w-full rounded-none! sm:aspect-auto sm:h-44 sm:w-52" />
        <div className="flex flex-1 flex-col gap-2 p-4 sm:p-5">
          <Skeleton width="70%" />
          <Skeleton width="85%" />
          <Skeleton width="50%" />
          <Skeleton shape="circle" width={40} />
        </div>
      </div>
      <div className="ticket-stub flex flex-col gap-3 bg-surface p-4 pt-5 sm:px-5">
        <Skeleton shape="box" height={40} />
        <Skeleton width="80%" />
        <Skeleton shape="box" height={44} />
      </div>
    </div>
  );
}
