import type { ComponentProps, InputEvent } from 'react';
import { cx } from './cx.ts';
import { useFieldControl } from './Field.tsx';
import { controlClass } from './TextInput.tsx';

const growsByItself = () => CSS.supports('field-sizing', 'content');

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
