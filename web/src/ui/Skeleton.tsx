import { cx } from './cx.ts';

interface SkeletonProps {
  shape?: 'line' | 'circle' | 'box';
  /** Any CSS length; lines default to the full width. */
  width?: number | string;
  height?: number | string;
  className?: string;
}
const SHAPES = { line: 'h-[0.85em] rounded-full my-[0.3em]', circle: 'rounded-full', box: 'rounded-control' };

/** A grey placeholder. Hidden from screen readers; `Skeletons` announces the group. */
export function Skeleton({ shape = 'line', width, height, className }: SkeletonProps) {
  return (
    <div
      aria-hidden="true"
      style={{ width, height: height ?? (shape === 'circle' ? width : undefined) }}
      className={cx('max-w-full shrink-0 animate-shimmer bg-sunken', SHAPES[shape], className)}
    />
  );
}

/** `count` copies of a skeleton (the counts of §9), announced once as loading. */
export function Skeletons({
  count,
  label = 'Loading',
  className,
  children,
}: {
  count: number;
  label?: string;
  className?: string;
  children: () => React.ReactNode;
}) {
  return (
    <div role="status" aria-label={label} aria-busy="true" className={className}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={index} className="contents">
          {children()}
        </div>
      ))}
    </div>
  );
}
