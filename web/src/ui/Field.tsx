import { createContext, type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react';
import { cx } from './cx.ts';

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
  /** What to write and why, always visible. */
  hint?: ReactNode;
  /** What is wrong and what to do; spoken when it appears. */
  error?: string | undefined;
  /** Shows how much of this many characters is used. */
  limit?: number;
  /** Says '(optional)' beside the label. */
  optional?: boolean;
  /** Keeps the label for screen readers only, where a placeholder or heading says it to the eye. */
  hideLabel?: boolean;
  className?: string;
  /** One control of this kit: it finds its id and descriptions by itself. */
  children: ReactNode;
}

/** Label, control, hint, counter and error, tied together for the eye and for assistive technology. */
export function Field({ label, hint, error, limit, optional, hideLabel, className, children }: FieldProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [used, setUsed] = useState(0);
  const count = () => {
    const control = root.current?.querySelector('input, textarea');
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)
      setUsed(control.value.length);
  };
  // After every render: a form library may have reset or restored the text without an input event.
  useEffect(() => {
    if (limit !== undefined) count();
  });
  const describedBy = cx(error && `${id}-error`, hint && `${id}-hint`) || undefined;
  return (
    <FieldContext.Provider value={{ id, describedBy, invalid: Boolean(error) }}>
      <div
        ref={root}
        onInput={limit === undefined ? undefined : count}
        className={cx('flex flex-col gap-1.5', className)}
      >
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-semibold text-ink'}>
          {label}
          {optional && <span className="font-normal text-ink-soft"> (optional)</span>}
        </label>
        {children}
        <div className="flex items-start justify-between gap-4 text-sm empty:hidden">
          {(hint || error) && (
            <div className="min-w-0">
              <p id={`${id}-error`} role="alert" className="font-medium text-ember empty:hidden">
                {error}
              </p>
              {hint && (
                <p id={`${id}-hint`} className="text-ink-soft">
                  {hint}
                </p>
              )}
            </div>
          )}
          {limit !== undefined && (
            <span
              aria-hidden="true"
              className={cx(
                'figures ml-auto shrink-0',
                used > limit ? 'font-semibold text-ember' : 'text-ink-soft',
              )}
            >
              {used}/{limit}
            </span>
          )}
        </div>
      </div>
    </FieldContext.Provider>
  );
}
