import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

interface CardProps extends ComponentProps<'div'> {
  as?: 'div' | 'article' | 'section' | 'li';
  /** Inner space: none for pictures edge to edge. */
  padding?: 'none' | 'sm' | 'md';
  /** Shows that the whole card can be pressed. */
  interactive?: boolean;
}
const PADDING = { none: '', sm: 'p-3', md: 'p-4 sm:p-5' };

/** A box with a border and no shadow. */
export function Card({ as, padding = 'md', interactive, className, ...rest }: CardProps) {
  // One element type for the checker: all four take the same attributes.
  const Element = (as ?? 'div') as 'div';
  return (
    <Element
      {...rest}
      className={cx(
        'rounded-card border border-line bg-surface',
        PADDING[padding],
        interactive && 'transition-colors hover:border-edge',
        className,
      )}
    />
  );
}
