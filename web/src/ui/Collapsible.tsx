import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';

interface CollapsibleProps {
  title: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** A section that opens and closes. A native `details` element, so that find-in-page reaches its content. */
export function Collapsible({ title, open, onOpenChange, className, children }: CollapsibleProps) {
  return (
    <details
      open={open}
      onToggle={(event) => onOpenChange?.(event.currentTarget.open)}
      className={cx('group rounded-card border border-line bg-surface', className)}
    >
      <summary className="flex min-h-12 list-none items-center justify-between gap-3 rounded-card px-4 py-2.5 font-semibold select-none [&::-webkit-details-marker]:hidden">
        {title}
        <Icon of={ChevronDown} className="text-ink-soft transition-transform group-open:rotate-180" />
      </summary>
      <div className="px-4 pt-1 pb-4">{children}</div>
    </details>
  );
}
