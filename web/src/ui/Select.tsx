import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { useFieldControl } from './Field.tsx';
import { Icon } from './Icon.tsx';
import { controlClass } from './TextInput.tsx';

/** The platform's own select: known to every thumb and screen reader. Children are `<option>`s. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select
        {...rest}
        {...useFieldControl(rest)}
        className={cx(controlClass, 'appearance-none pr-11 read-only:bg-surface', className)}
      >
        {children}
      </select>
      <Icon
        of={ChevronDown}
        className="pointer-events-none absolute inset-y-0 right-3 my-auto text-ink-soft"
      />
    </div>
  );
}
