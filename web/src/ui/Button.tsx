import { clsx } from 'clsx';
import { TriangleAlert } from 'lucide-react';
import {
  type ComponentProps,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useId,
  useRef,
} from 'react';
import { Icon, Spinner } from './Icon.tsx';

type ButtonVariant = 'primary' | 'approve' | 'secondary' | 'ghost' | 'danger';
type ButtonSize = 'sm' | 'md' | 'lg';

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-guava text-on-guava not-aria-disabled:hover:bg-guava-deep',
  approve: 'bg-leaf text-on-leaf not-aria-disabled:hover:brightness-95',
  secondary: 'bg-ink/8 text-ink not-aria-disabled:hover:bg-ink/12',
  ghost: 'text-ink not-aria-disabled:hover:bg-ink/8',
  danger: 'border-2 border-current text-ember not-aria-disabled:hover:bg-ember-soft',
};

const SIZES: Record<ButtonSize, string> = {
  sm: 'min-h-9 px-3 py-1.5 text-sm touch',
  md: 'min-h-11 px-4 py-2 text-base',
  lg: 'min-h-12 px-6 py-2.5 text-base',
};

interface ButtonLook {
  /** `primary` once a screen, `approve` agrees to what somebody else asks; `danger` differs by its outline and icon as well. */
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** As wide as its container. */
  block?: boolean;
}

/** The look of a button, for a router `Link` that should be one. */
export function buttonClass({ variant = 'primary', size = 'md', block }: ButtonLook = {}): string {
  return clsx(
    'inline-flex max-w-full items-center justify-center gap-2 rounded-control text-center font-semibold transition-[background-color,color,opacity,filter,scale] select-none active:not-aria-disabled:scale-[0.98] aria-disabled:cursor-not-allowed',
    VARIANTS[variant],
    SIZES[size],
    block && 'w-full',
  );
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'>, ButtonLook {
  /** Shows a spinner and ignores clicks. */
  pending?: boolean;
  /** The label while pending, e.g. 'Creating...'; without it the label stays beside a spinner. */
  pendingLabel?: string;
  /** Why the button cannot be used now. Giving a reason is the only way to disable one: it is shown and spoken. */
  disabledReason?: string | null | false;
  icon?: ReactNode;
}

/** Stays focusable when disabled, so that the reason can be read. */
export function Button({
  variant,
  size,
  block,
  pending = false,
  pendingLabel,
  disabledReason,
  icon = variant === 'danger' && <Icon of={TriangleAlert} />,
  className,
  children,
  onClick,
  type = 'button',
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
        aria-describedby={disabledReason ? reasonId : undefined}
        onClick={guard}
        className={clsx(buttonClass({ variant, size, block }), disabledReason && 'opacity-55', className)}
      >
        {pending ? <Spinner /> : icon}
        {pending && pendingLabel ? pendingLabel : children}
      </button>
    </Tooltip>
  );
}

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

const ICON_VARIANTS = {
  plain: 'text-ink-soft hover:bg-sunken hover:text-ink',
  filled: 'border border-line bg-surface text-ink hover:bg-sunken',
  veiled: 'bg-black/55 text-white backdrop-blur-sm hover:bg-black/70',
};

/** The look of an icon button, for a router `Link` that should be one (give it an `aria-label`). */
export function iconButtonClass(
  variant: keyof typeof ICON_VARIANTS = 'plain',
  size: 'sm' | 'md' = 'md',
): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center rounded-full transition-[background-color,color,scale] active:scale-95',
    size === 'md' ? 'size-11' : 'size-9 touch',
    ICON_VARIANTS[variant],
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
      className={clsx(iconButtonClass(variant, size), className)}
    >
      {children}
    </button>
  );
  return quiet ? button : <Tooltip text={label}>{button}</Tooltip>;
}

/** The look of a link in running text, for a router `Link`. */
export const linkClass =
  'font-medium text-lagoon underline decoration-lagoon/40 underline-offset-3 hover:decoration-current';

/** A link that leaves the app's routes: a mail, a document, another site (opened in a tab of its own). */
export function TextLink({ href, className, ...rest }: ComponentProps<'a'>) {
  const outside = href?.startsWith('http');
  return (
    <a
      href={href}
      {...(outside ? { target: '_blank', rel: 'noreferrer' } : {})}
      {...rest}
      className={clsx(linkClass, className)}
    />
  );
}

interface TooltipProps {
  /** The words; plain text, because a tooltip cannot be pointed at. Without them there is none. */
  text: string | null | undefined | false;
  /** One element, which keeps its place in the layout: the wrapper has no box of its own. */
  children: ReactNode;
  /** For the child's `aria-describedby`, where the words are more than its name. */
  id?: string;
}

const GAP_PX = 8;
/** How long a touched explanation stays, in milliseconds. */
const TOUCH_DURATION_MS = 3000;

/** Positions the tooltip above its anchor, or below if there is no space, within the window. */
function positionBubble(bubble: HTMLElement, anchor: DOMRect) {
  const { width, height } = bubble.getBoundingClientRect();
  const left = Math.min(
    Math.max(anchor.left + anchor.width / 2 - width / 2, GAP_PX),
    document.documentElement.clientWidth - width - GAP_PX,
  );
  const above = anchor.top - height - GAP_PX;
  bubble.style.left = `${Math.max(left, GAP_PX)}px`;
  bubble.style.top = `${above >= GAP_PX ? above : anchor.bottom + GAP_PX}px`;
}

/**
 * A short explanation on hover and on keyboard focus, closed by Esc. It lives in the browser's top layer
 * (popover), so no scroll area clips it, and it costs no positioning library on the first page.
 */
export function Tooltip({ text, children, id }: TooltipProps) {
  const ownId = useId();
  const bubble = useRef<HTMLSpanElement>(null);
  const isDescription = id !== undefined;
  const open = (event: PointerEvent | FocusEvent) => {
    const element = bubble.current;
    if (!element?.showPopover || element.matches(':popover-open')) return;
    element.showPopover();
    const anchor = event.currentTarget.firstElementChild;
    if (anchor) positionBubble(element, anchor.getBoundingClientRect());
  };
  const close = () => {
    if (bubble.current?.matches(':popover-open')) bubble.current.hidePopover();
  };
  const enter = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') open(event);
    // On touch only descriptions are shown, for long enough to read.
    else if (isDescription) {
      open(event);
      setTimeout(close, TOUCH_DURATION_MS);
    }
  };
  const leave = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') close();
  };
  const focus = (event: FocusEvent) => {
    // A click also focuses; only keyboard focus shows the tooltip.
    if (event.target instanceof Element && event.target.matches(':focus-visible')) open(event);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what its child is doing
    <span
      className="contents"
      onPointerEnter={enter}
      onPointerLeave={leave}
      onPointerDown={isDescription ? undefined : close}
      onFocus={focus}
      onBlur={close}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      {children}
      {text && (
        <span
          ref={bubble}
          id={id ?? ownId}
          role="tooltip"
          popover="manual"
          className="pointer-events-none fixed inset-auto m-0 w-max max-w-64 rounded-control bg-ink px-3 py-1.5 text-left text-sm font-medium whitespace-normal text-paper open:animate-fade"
        >
          {text}
        </span>
      )}
    </span>
  );
}
