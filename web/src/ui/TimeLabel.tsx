import { cx } from './cx.ts';
import { exactTime, timeLabel } from './time.ts';
import { useNow } from './use-now.ts';

/** When something happened, relative and kept true (§4); exact on hover. */
export function TimeLabel({ iso, className }: { iso: string; className?: string }) {
  // The page's clock ticks every 30 seconds; what came in between must not lie in its future.
  const now = new Date(Math.max(useNow(), Date.now()));
  return (
    <time dateTime={iso} title={exactTime(iso)} className={cx('figures whitespace-nowrap', className)}>
      {timeLabel(iso, now)}
    </time>
  );
}
