import { skeletons } from '@tara/contract/limits';
import { Card } from '../../ui/Card.tsx';
import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';
import { PostGridSkeletons } from '../posts/index.ts';

/** The shape of a profile that is on its way. */
export function ProfileSkeleton() {
  return (
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
      <PostGridSkeletons count={skeletons.postCards} />
    </div>
  );
}
