import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { TEXT, type Tone } from './Badge.tsx';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';

interface StateLineProps {
  /** What it is about, e.g. 'Held until you have met'. */
  label: ReactNode;
  /** The state or amount at the end of the line. */
  value: ReactNode;
  /** When it became so, e.g. a TimeLabel. */
  when?: ReactNode;
  icon?: LucideIcon;
  tone?: Tone;
}

/** A label with its value on one line, inside a `StateList`. */
export function StateLine({ label, value, when, icon, tone = 'neutral' }: StateLineProps) {
  return (
    <div className="flex min-h-11 items-center gap-3 py-2.5">
      {icon && <Icon of={icon} className={TEXT[tone]} />}
      <dt className="min-w-0 flex-1">
        {label}
        {when && <span className="ml-2 text-sm whitespace-nowrap text-ink-soft">{when}</span>}
      </dt>
      <dd
        className={cx(
          'figures max-w-[70%] shrink-0 text-right font-semibold wrap-anywhere',
          tone === 'neutral' ? 'text-ink' : TEXT[tone],
        )}
      >
        {value}
      </dd>
    </div>
  );
}

/** The frame of state lines. */
export function StateList({ className, children }: { className?: string; children: ReactNode }) {
  return <dl className={cx('divide-y divide-line', className)}>{children}</dl>;
}
