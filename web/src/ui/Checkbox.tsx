import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong, on a line of its own; '' reserves the line while there is nothing to say. */
  error?: string | undefined;
}

/** A checkbox with its label; the whole line can be pressed. */
export function Checkbox({ label, hint, error, className, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <div className={className}>
      <label className="flex min-h-11 items-start gap-3 py-2.5 has-disabled:cursor-not-allowed">
        <input
          {...rest}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={cx(error && `${id}-error`, hint && `${id}-hint`) || undefined}
          className="mt-0.5 size-5 shrink-0 rounded-sm accent-guava"
        />
        <span>
          <span className="text-ink">{label}</span>
          {hint && (
            <span id={`${id}-hint`} className="block text-sm text-ink-soft">
              {hint}
            </span>
          )}
        </span>
      </label>
      {error !== undefined && (
        <p id={`${id}-error`} className="min-h-5 pl-8 text-sm leading-5 font-medium text-ember">
          {error}
        </p>
      )}
    </div>
  );
}
