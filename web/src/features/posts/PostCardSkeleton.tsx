import { Card } from '../../ui/Card.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { cardClass } from './PostCard.tsx';

/** The shape of a post that is on its way. */
export function PostCardSkeleton() {
  return (
    <Card padding="none" className={cardClass}>
      <div className="flex items-center gap-3 px-4 py-3">
        <Skeleton shape="circle" width={40} />
        <div className="flex-1">
          <Skeleton width="40%" />
          <Skeleton width="25%" />
        </div>
      </div>
      <Skeleton shape="box" className="aspect-[4/3] w-full rounded-none!" />
      <div className="flex items-center justify-between px-4 py-3">
        <Skeleton width={64} />
        <Skeleton width={22} />
      </div>
      <div className="px-4 pb-4">
        <Skeleton width="85%" />
        <Skeleton width="55%" />
      </div>
    </Card>
  );
}
