import { pageSize, skeletons } from '@tara/contract/limits';
import { Page, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { PostGridSkeletons } from '../posts/skeletons.tsx';

/** The skeleton of a profile. */
export function ProfileSkeleton() {
  return (
    <Page title="Profile" width="grid" hideTitle>
      <div className="flex flex-col gap-5">
        <Skeletons count={1} label="Loading the profile">
          {() => (
            <div className="flex flex-col gap-4">
              <div className="flex items-center gap-5 sm:gap-8">
                <Skeleton shape="circle" width={96} />
                <div className="flex-1">
                  <Skeleton width="60%" height={22} />
                  <Skeleton width="40%" />
                </div>
              </div>
              <Skeleton width="80%" />
              <Skeleton shape="box" height={44} />
            </div>
          )}
        </Skeletons>
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
        <div>
          <Skeleton shape="box" className="aspect-4/5 w-full rounded-card!" />
          <Skeleton width="60%" className="mt-3" />
          <Skeleton width="40%" />
        </div>
      )}
    </Skeletons>
  );
}
