import { BadgeCheck } from 'lucide-react';
import { cx } from './cx.ts';

/** Beside the name of a member whose identity was verified. */
export function VerifiedMark({ size = 18, className }: { size?: number; className?: string }) {
  return (
    <span title="Verified" className={cx('inline-flex text-lagoon', className)}>
      <BadgeCheck size={size} strokeWidth={2} aria-hidden="true" />
      <span className="sr-only">Verified</span>
    </span>
  );
}
