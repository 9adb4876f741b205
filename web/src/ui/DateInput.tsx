import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { useFieldControl } from './Field.tsx';
import { controlClass } from './TextInput.tsx';

/** A day, by the platform's own picker. `value`, `min` and `max` are yyyy-mm-dd. */
export function DateInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <input
      {...rest}
      {...useFieldControl(rest)}
      type="date"
      className={cx(controlClass, 'figures', className)}
    />
  );
}
