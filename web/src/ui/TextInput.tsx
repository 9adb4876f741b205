import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type InputEvent, useState } from 'react';
import { cx } from './cx.ts';
import { useFieldControl } from './Field.tsx';
import { Icon } from './Icon.tsx';

/** The look shared by everything that is written into. 16 px, or phones would zoom the page. */
export const controlClass =
  'w-full min-h-11 scroll-my-24 rounded-control border border-edge bg-surface px-3 py-2 text-base text-ink transition-[border-color,box-shadow] hover:border-ink-soft focus:border-lagoon focus:outline-2 focus:outline-offset-0 focus:outline-lagoon aria-invalid:border-ember aria-invalid:focus:outline-ember disabled:bg-sunken disabled:text-ink-soft [&:read-only:not(select)]:bg-sunken';

/** One line of text. Spread `register('name')` of the form into it. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} {...useFieldControl(rest)} className={cx(controlClass, className)} />;
}

const growsByItself = () => CSS.supports('field-sizing', 'content');

/** One of several options; the arrow of a `select` is in styles.css. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} {...useFieldControl(rest)} className={cx(controlClass, 'pr-9', className)} />;
}

/** Several lines of text; grows with them up to `maxRows`, then scrolls. */
export function TextArea({
  rows = 3,
  maxRows = 12,
  className,
  style,
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
      style={{ minHeight: `calc(${rows}lh + 18px)`, maxHeight: `calc(${maxRows}lh + 18px)`, ...style }}
      className={cx(controlClass, 'field-sizing-content resize-none', className)}
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
      className={cx(controlClass, 'figures', className)}
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
        className={cx(controlClass, 'pr-12', className)}
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
