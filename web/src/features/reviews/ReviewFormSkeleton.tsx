import { Card } from '../../ui/Card.tsx';
import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';

/** The shape of the form while the request is on its way. */
export function ReviewFormSkeleton() {
  return (
    <Skeletons count={1} label="Loading the plan">
      {() => (
        <div className="flex flex-col gap-6">
          <Card padding="sm" className="flex items-center gap-4">
            <Skeleton shape="box" width={80} height={80} />
            <div className="flex-1">
              <Skeleton width="60%" />
              <Skeleton width="40%" />
            </div>
          </Card>
          <Skeleton shape="box" height={120} />
          <Skeleton shape="box" height={160} />
        </div>
      )}
    </Skeletons>
  );
}
