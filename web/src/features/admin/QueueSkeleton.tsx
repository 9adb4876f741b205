import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';

/** Rows before they are there; as many as fit a screen. */
export function QueueSkeleton({ beside }: { beside: boolean }) {
  return (
    <div className={beside ? 'grid grid-cols-[minmax(0,5fr)_minmax(0,8fr)] items-start gap-5' : undefined}>
      <Skeletons
        count={8}
        label="Loading the list"
        className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
      >
        {() => (
          <div className="flex min-h-16 items-center gap-3 px-4 py-3">
            <Skeleton shape="circle" width={40} />
            <div className="min-w-0 flex-1">
              <Skeleton width="60%" />
              <Skeleton width="85%" />
            </div>
          </div>
        )}
      </Skeletons>
    </div>
  );
}
