import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { cx } from './cx.ts';
import { announce } from './LiveRegion.tsx';

interface FieldWiring {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}
const FieldContext = createContext<FieldWiring | null>(null);

interface ControlAttributes {
  id: string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** What a control takes from the field around it; its own attributes win. Alone, a control needs an aria-label. */
export function useFieldControl(own: { id?: string; 'aria-describedby'?: string }): ControlAttributes {
  const field = useContext(FieldContext);
  return {
    id: own.id ?? field?.id,
    'aria-describedby': cx(own['aria-describedby'], field?.describedBy) || undefined,
    'aria-invalid': field?.invalid || undefined,
  };
}

interface FieldProps {
  label: ReactNode;
  /** What to write and why; replaced by the error. */
  hint?: ReactNode;
  /** The error message. */
  error?: string | undefined;
  /** Characters written, and how many there may be: shown as '12/30'. */
  count?: { used: number; limit: number } | undefined;
  /** Says '(optional)' beside the label. */
  optional?: boolean | undefined;
  /** Hides the label from sight, where a placeholder or heading replaces it. */
  hideLabel?: boolean;
  /** Lines reserved below the control for hint, error and count, so that none of them moves what follows. */
  lines?: 0 | 1 | 2 | undefined;
  className?: string;
  /** One control of this kit: it finds its id and descriptions by itself. */
  children: ReactNode;
}

/**
 * Label, control, hint, counter and error, tied together for the eye and for assistive technology. An error is read
 * with its control; it is announced only when it appears while the person is in that control.
 */
export function Field({
  label,
  hint,
  error,
  count,
  optional,
  hideLabel,
  lines = 1,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error && root.current?.contains(document.activeElement)) announce(error);
  }, [error]);
  const describedBy = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <FieldContext.Provider value={{ id, describedBy, invalid: Boolean(error) }}>
      <div ref={root} className={cx('flex flex-col gap-1.5', className)}>
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-semibold text-ink'}>
          {label}
          {optional && <span className="font-normal text-ink-soft"> (optional)</span>}
        </label>
        {children}
        <div
          style={{ minHeight: `${lines}lh` }}
          className="flex items-start justify-between gap-4 text-sm leading-5"
        >
          {/* Both in one grid cell, so that the height does not change between hint and error. */}
          <div className="grid min-w-0">
            {hint && (
              <p
                id={`${id}-hint`}
                className={cx('col-start-1 row-start-1 text-ink-soft', error && 'invisible')}
              >
                {hint}
              </p>
            )}
            {error && (
              <p id={`${id}-error`} className="col-start-1 row-start-1 font-medium text-ember">
                {error}
              </p>
            )}
          </div>
          {count && (
            <span
              aria-hidden="true"
              className={cx(
                'figures shrink-0',
                count.used > count.limit ? 'font-semibold text-ember' : 'text-ink-soft',
              )}
            >
              {count.used}/{count.limit}
            </span>
          )}
        </div>
      </div>
    </FieldContext.Provider>
  );
}
