import { pageSize, skeletons } from '@tara/contract/limits';
import { Card, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { PostGridSkeletons } from '../posts/skeletons.tsx';

/** The skeleton of a profile. */
export function ProfileSkeleton() {
  return (
    <Page title="Profile" width="grid" hideTitle>
      <div className="flex flex-col gap-5">
        <Skeletons count={1} label="Loading the profile">
          {() => (
            <Card className="flex flex-col items-center gap-4 sm:flex-row sm:gap-6">
              <Skeleton shape="circle" width={128} />
              <div className="flex w-full flex-1 flex-col items-center sm:items-start">
                <Skeleton width={180} height={22} />
                <Skeleton width={120} />
                <Skeleton width={240} />
                <Skeleton shape="box" width={260} height={44} className="mt-3" />
              </div>
            </Card>
          )}
        </Skeletons>
        <Skeleton shape="box" height={50} className="rounded-card!" />
        <ProfilePostsSkeleton />
      </div>
    </Page>
  );
}

export const ProfilePostsSkeleton = () => <PostGridSkeletons count={skeletons.postCards} />;

/** The skeleton of the screen. */
export function PeopleSkeleton() {
  return (
    <Page title="Find Friends" intro="People who would like to hang out, too." width="grid">
      <Skeleton shape="box" height={48} className="mb-5 max-w-feed rounded-full!" />
      <PersonCardSkeletons />
    </Page>
  );
}

/** The skeleton of a grid of people. */
export function PersonCardSkeletons() {
  return (
    <Skeletons count={pageSize.people} label="Loading people" className="tiles">
      {() => (
        <Card className="flex flex-col items-center">
          <Skeleton shape="circle" width={96} />
          <Skeleton width="60%" className="mt-4" />
          <Skeleton width="40%" />
        </Card>
      )}
    </Skeletons>
  );
}
