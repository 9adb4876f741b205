import { BadgeCheck, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';

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

/** A count on an icon or beside a label. Nothing at 0, '99+' above 99. `label` names it for screen readers. */
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

/** The colours of badges and state lines. */
export type Tone = 'neutral' | 'guava' | 'lagoon' | 'mango' | 'leaf' | 'ember';

/** Text in the tone's colour on its soft background. The contrast test covers every pair. */
const SOFT: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink-soft',
  guava: 'bg-guava-soft text-guava',
  lagoon: 'bg-lagoon-soft text-lagoon',
  mango: 'bg-mango-soft text-mango-ink',
  leaf: 'bg-leaf-soft text-leaf',
  ember: 'bg-ember-soft text-ember',
};

/** Text in the tone's colour on the page or a card. */
export const TEXT: Record<Tone, string> = {
  neutral: 'text-ink-soft',
  guava: 'text-guava',
  lagoon: 'text-lagoon',
  mango: 'text-mango-ink',
  leaf: 'text-leaf',
  ember: 'text-ember',
};

/** Beside the name of a member whose identity was verified. */
export function VerifiedMark({ size = 18, className }: { size?: number; className?: string }) {
  return (
    <span title="Verified" className={cx('inline-flex text-lagoon', className)}>
      <BadgeCheck size={size} strokeWidth={2} aria-hidden="true" />
      <span className="sr-only">Verified</span>
    </span>
  );
}
