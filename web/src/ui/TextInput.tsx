import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { useFieldControl } from './Field.tsx';

/** The look shared by everything that is written into. 16 px, or phones would zoom the page. */
export const controlClass =
  'w-full min-h-11 scroll-my-24 rounded-control border border-edge bg-surface px-3 py-2 text-base text-ink transition-[border-color,box-shadow] hover:border-ink-soft focus:border-lagoon focus:outline-2 focus:outline-offset-0 focus:outline-lagoon aria-invalid:border-ember aria-invalid:focus:outline-ember disabled:bg-sunken disabled:text-ink-soft read-only:bg-sunken';

/** One line of text. Spread `register('name')` of the form into it. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} {...useFieldControl(rest)} className={cx(controlClass, className)} />;
}
