import { X } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';

const chip =
  'inline-flex min-h-9 items-center gap-1.5 rounded-full border px-3.5 text-sm font-medium transition-colors touch';

/** The look of a chip, for a router `Link` such as a tag. */
export function chipClass(selected = false): string {
  return cx(
    chip,
    selected
      ? 'border-ink bg-ink text-paper'
      : 'border-line bg-surface text-ink hover:border-edge hover:bg-sunken',
  );
}

/** A small choice that can be pressed, e.g. a filter. */
export function Chip({ selected, className, ...rest }: ComponentProps<'button'> & { selected?: boolean }) {
  return (
    <button type="button" aria-pressed={selected} {...rest} className={cx(chipClass(selected), className)} />
  );
}

/** A chip that was put in and can be taken out, e.g. a tag in a form. */
export function RemovableChip({
  label,
  onRemove,
  children,
}: {
  label: string;
  onRemove: () => void;
  children?: ReactNode;
}) {
  return (
    <span className={cx(chip, 'border-line bg-surface pr-1')}>
      {children ?? label}
      <button
        type="button"
        aria-label={`Remove ${label}`}
        onClick={onRemove}
        className="touch flex size-7 items-center justify-center rounded-full text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <Icon of={X} size={16} />
      </button>
    </span>
  );
}
