import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';
import { SOFT, type Tone } from './tones.ts';

/** A state in a word or two, e.g. 'paid'. The words carry the meaning; the colour only helps. */
export function Badge({
  tone = 'neutral',
  icon,
  className,
  children,
}: {
  tone?: Tone;
  icon?: LucideIcon;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-sm font-semibold whitespace-nowrap',
        SOFT[tone],
        className,
      )}
    >
      {icon && <Icon of={icon} size={16} />}
      {children}
    </span>
  );
}

/** How many wait, on an icon or beside a label. Nothing at 0, '99+' above 99. Say the meaning with `label`. */
export function CountBadge({
  count,
  label,
  className,
}: {
  count: number;
  label: string;
  className?: string;
}) {
  if (count <= 0) return null;
  return (
    <span
      className={cx(
        'figures inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-guava px-1.5 text-xs font-bold text-on-guava',
        className,
      )}
    >
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{`${count} ${label}`}</span>
    </span>
  );
}
