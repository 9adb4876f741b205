import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Tooltip } from './Tooltip.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** What it does, in words: its name for screen readers and its tooltip. */
  label: string;
  children: ReactNode;
  /** A state that stays, e.g. liked or saved. */
  pressed?: boolean;
  /** `plain` on the page, `filled` on its own disc, `veiled` on a picture. */
  variant?: 'plain' | 'filled' | 'veiled';
  size?: 'sm' | 'md';
  /** No tooltip where the meaning is plain, e.g. the × of a toast. */
  quiet?: boolean;
}

const VARIANTS = {
  plain: 'text-ink-soft hover:bg-sunken hover:text-ink',
  filled: 'border border-line bg-surface text-ink hover:bg-sunken',
  veiled: 'bg-black/55 text-white backdrop-blur-sm hover:bg-black/70',
};

/** The look of an icon button, for a router `Link` that should be one (give it an `aria-label`). */
export function iconButtonClass(variant: keyof typeof VARIANTS = 'plain', size: 'sm' | 'md' = 'md'): string {
  return cx(
    'inline-flex shrink-0 items-center justify-center rounded-full transition-[background-color,color,scale] active:scale-95',
    size === 'md' ? 'size-11' : 'size-9 touch',
    VARIANTS[variant],
  );
}

/** A round button of one icon (lucide, 20 px). */
export function IconButton({
  label,
  pressed,
  variant,
  size,
  quiet,
  className,
  children,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      {...rest}
      type={type}
      aria-label={label}
      aria-pressed={pressed}
      className={cx(iconButtonClass(variant, size), className)}
    >
      {children}
    </button>
  );
  return quiet ? button : <Tooltip text={label}>{button}</Tooltip>;
}
