import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';
import { Spinner } from './Spinner.tsx';
import { Tooltip } from './Tooltip.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-guava text-on-guava not-aria-disabled:hover:bg-guava-deep',
  secondary: 'border border-edge/55 bg-surface text-ink not-aria-disabled:hover:bg-sunken',
  ghost: 'text-ink not-aria-disabled:hover:bg-sunken',
  danger: 'bg-ember text-on-ember not-aria-disabled:hover:brightness-95',
};

const SIZES: Record<ButtonSize, string> = {
  sm: 'min-h-9 px-3 py-1.5 text-sm touch',
  md: 'min-h-11 px-4 py-2 text-base',
  lg: 'min-h-12 px-6 py-2.5 text-base',
};

interface ButtonLook {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** As wide as its container. */
  block?: boolean;
}

/** The look of a button, for a router `Link` that should be one. */
export function buttonClass({ variant = 'primary', size = 'md', block }: ButtonLook = {}): string {
  return cx(
    'inline-flex items-center justify-center gap-2 rounded-control text-center font-semibold transition-[background-color,color,opacity,filter,scale] select-none active:not-aria-disabled:scale-[0.98] aria-disabled:cursor-not-allowed',
    VARIANTS[variant],
    SIZES[size],
    block && 'w-full',
  );
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'>, ButtonLook {
  /** The work is under way: clicks do nothing. */
  pending?: boolean;
  /** What the button says meanwhile, e.g. 'Creating...'; without it the label stays beside a spinner. */
  pendingLabel?: string;
  /** Why the button cannot be used now. Giving a reason is the only way to disable one: it is shown and spoken. */
  disabledReason?: string | null | false;
  icon?: ReactNode;
}

/** Stays focusable when disabled, so that everyone can learn why. */
export function Button({
  variant,
  size,
  block,
  pending = false,
  pendingLabel,
  disabledReason,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  'aria-describedby': describedBy,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const blocked = pending || Boolean(disabledReason);
  const guard = (event: MouseEvent<HTMLButtonElement>) => {
    // A disabled submit button must not submit either.
    if (blocked) event.preventDefault();
    else onClick?.(event);
  };
  // Always inside the tooltip: a button that gains or loses its reason must not lose the focus.
  return (
    <Tooltip id={reasonId} text={disabledReason}>
      <button
        {...rest}
        type={type}
        aria-disabled={blocked || undefined}
        aria-busy={pending || undefined}
        aria-describedby={cx(describedBy, disabledReason && reasonId) || undefined}
        onClick={guard}
        className={cx(buttonClass({ variant, size, block }), disabledReason && 'opacity-55', className)}
      >
        {pending ? <Spinner /> : icon}
        {pending && pendingLabel ? pendingLabel : children}
      </button>
    </Tooltip>
  );
}
