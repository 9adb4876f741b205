import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';

interface SegmentedProps<T extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: string; icon?: LucideIcon }[];
  /** Icons alone; their labels become tooltips and names. */
  iconsOnly?: boolean;
  className?: string;
}

/** A switch between a few views or values, e.g. Posts and Reviews. Arrow keys move, as in any radio group. */
export function Segmented<T extends string>({
  label,
  value,
  onChange,
  options,
  iconsOnly,
  className,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={cx('inline-flex max-w-full rounded-control bg-sunken p-1', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          title={iconsOnly ? option.label : undefined}
          className={cx(
            'flex flex-1 items-center justify-center gap-2 rounded-[7px] font-semibold whitespace-nowrap transition-colors has-focus-visible:outline-2 has-focus-visible:outline-lagoon',
            iconsOnly ? 'size-9 coarse:size-11' : 'min-h-9 px-4 text-sm coarse:min-h-11',
            option.value === value
              ? 'bg-thumb text-ink shadow-[0_0_0_1px_var(--line)]'
              : 'text-ink-soft hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.icon && <Icon of={option.icon} size={18} />}
          {iconsOnly ? <span className="sr-only">{option.label}</span> : option.label}
        </label>
      ))}
    </fieldset>
  );
}
