import { clsx } from 'clsx';
import { Eye, EyeOff } from 'lucide-react';
import {
  type ComponentProps,
  createContext,
  type InputEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { announce } from './feedback.ts';
import { Icon } from './Icon.tsx';

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
    'aria-describedby': clsx(own['aria-describedby'], field?.describedBy) || undefined,
    'aria-invalid': field?.invalid || undefined,
  };
}

interface FieldProps {
  label: ReactNode;
  /** What to write and why; replaced by the error. */
  hint?: ReactNode;
  /** What stays beside hint and error. */
  note?: ReactNode;
  /** The error message. */
  error?: string | undefined;
  /** What mends the error with one press. */
  errorAction?: ReactNode;
  /** Characters written, and how many there may be: shown as '12/30'. */
  count?: { used: number; limit: number } | undefined;
  /** Says '(optional)' beside the label. */
  optional?: boolean | undefined;
  /** Hides the label from sight, where a placeholder or heading replaces it. */
  hideLabel?: boolean | undefined;
  /** Lines reserved below the control for hint, error and count, so that none of them moves what follows. */
  lines?: 0 | 1 | 2 | undefined;
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
  note,
  error,
  errorAction,
  count,
  optional,
  hideLabel,
  lines = 1,
  children,
}: FieldProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error && root.current?.contains(document.activeElement)) announce(error);
  }, [error]);
  const describedBy = clsx(error ? `${id}-error` : hint && `${id}-hint`, note && `${id}-note`) || undefined;
  return (
    <FieldContext.Provider value={{ id, describedBy, invalid: Boolean(error) }}>
      <div ref={root} className="flex flex-col gap-1.5">
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-semibold text-ink'}>
          {label}
          {optional && <span className="font-normal text-ink-soft"> (optional)</span>}
        </label>
        {children}
        <div
          style={{ minHeight: `${lines}lh` }}
          className="flex items-start justify-between gap-4 text-sm leading-hint"
        >
          {/* Both in one grid cell, so that the height does not change between hint and error. */}
          <div className="grid min-w-0">
            {hint && (
              <p
                id={`${id}-hint`}
                className={clsx('col-start-1 row-start-1 text-ink-soft', error && 'invisible')}
              >
                {hint}
              </p>
            )}
            {error && (
              <div className="col-start-1 row-start-1 flex flex-wrap gap-x-2">
                <p id={`${id}-error`} className="font-medium text-ember">
                  {error}
                </p>
                {errorAction}
              </div>
            )}
          </div>
          {count && (
            <span
              aria-hidden="true"
              className={clsx(
                'figures shrink-0',
                count.used > count.limit ? 'font-semibold text-ember' : 'text-ink-soft',
              )}
            >
              {count.used}/{count.limit}
            </span>
          )}
        </div>
        {note && (
          <p id={`${id}-note`} className="text-sm leading-hint text-ink-soft">
            {note}
          </p>
        )}
      </div>
    </FieldContext.Provider>
  );
}

/** The look shared by everything that is written into. 16 px, or phones would zoom the page. */
export const controlClass =
  'w-full min-h-11 scroll-my-24 rounded-control border border-edge bg-surface px-3 py-2 text-base text-ink transition-[border-color,box-shadow] hover:border-ink-soft focus:border-lagoon focus:outline-2 focus:outline-offset-0 focus:outline-lagoon aria-invalid:border-ember aria-invalid:focus:outline-ember disabled:bg-sunken disabled:text-ink-soft [&:read-only:not(select)]:bg-sunken';

/** One line of text. Spread `register('name')` of the form into it. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} {...useFieldControl(rest)} className={clsx(controlClass, className)} />;
}

const growsByItself = () => CSS.supports('field-sizing', 'content');

/** One of several options; the arrow of a `select` is in styles.css. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} {...useFieldControl(rest)} className={clsx(controlClass, 'pr-9', className)} />;
}

/** Several lines of text; grows with them up to `maxRows`, then scrolls. */
export function TextArea({
  rows = 3,
  maxRows = 12,
  className,
  onInput,
  ...rest
}: ComponentProps<'textarea'> & { maxRows?: number }) {
  const grow = (event: InputEvent<HTMLTextAreaElement>) => {
    onInput?.(event);
    if (growsByItself()) return;
    const area = event.currentTarget;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + 2}px`;
  };
  return (
    <textarea
      {...rest}
      {...useFieldControl(rest)}
      rows={rows}
      onInput={grow}
      style={{ minHeight: `calc(${rows}lh + 18px)`, maxHeight: `calc(${maxRows}lh + 18px)` }}
      className={clsx(controlClass, 'field-sizing-content resize-none', className)}
    />
  );
}

/** A day, by the platform's own picker. `value`, `min` and `max` are yyyy-mm-dd. */
export function DateInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <input
      {...rest}
      {...useFieldControl(rest)}
      type="date"
      className={clsx(controlClass, 'figures', className)}
    />
  );
}

/** A password, with a switch to see it. Set `autoComplete` to 'current-password' or 'new-password'. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <input
        {...rest}
        {...useFieldControl(rest)}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        className={clsx(controlClass, 'pr-12', className)}
      />
      <button
        type="button"
        aria-label="Show password"
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-control text-ink-soft hover:text-ink"
      >
        <Icon of={shown ? EyeOff : Eye} />
      </button>
    </div>
  );
}

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
          aria-describedby={clsx(error && `${id}-error`, hint && `${id}-hint`) || undefined}
          className="mt-0.5 size-5 shrink-0 rounded-sm accent-lagoon"
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
        <p id={`${id}-error`} className="min-h-5 pl-8 text-sm leading-hint font-medium text-ember">
          {error}
        </p>
      )}
    </div>
  );
}
