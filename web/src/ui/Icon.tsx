import type { LucideIcon } from 'lucide-react';
import { cx } from './cx.ts';

/** A lucide icon with our defaults: 20 px, 1.75 stroke, hidden from screen readers. */
export function Icon({
  of: Glyph,
  size = 20,
  filled,
  className,
}: {
  of: LucideIcon;
  size?: number;
  /** Solid, e.g. a heart that is liked. */
  filled?: boolean;
  className?: string;
}) {
  return (
    <Glyph
      size={size}
      strokeWidth={1.75}
      absoluteStrokeWidth={size > 24}
      fill={filled ? 'currentColor' : 'none'}
      aria-hidden="true"
      className={cx('shrink-0', className)}
    />
  );
}
