import { Card } from '../../ui/Card.tsx';
import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';

/** The shape of a review that is on its way. */
export function ReviewSkeleton() {
  return (
    <Skeletons count={1} label="Loading the review">
      {() => (
        <Card padding="none" className="overflow-hidden">
          <div className="flex items-center gap-3 p-4">
            <Skeleton shape="circle" width={40} />
            <div className="flex-1">
              <Skeleton width="40%" />
              <Skeleton width="30%" />
            </div>
          </div>
          <Skeleton className="aspect-4/3 w-full rounded-none!" shape="box" />
          <div className="p-4">
            <Skeleton width="35%" />
            <Skeleton />
            <Skeleton width="80%" />
          </div>
        </Card>
      )}
    </Skeletons>
  );
}
