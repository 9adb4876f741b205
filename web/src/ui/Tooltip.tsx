import { type FocusEvent, type PointerEvent, type ReactNode, useId, useRef } from 'react';
import { cx } from './cx.ts';

interface TooltipProps {
  /** The words; plain text, because a tooltip cannot be pointed at. */
  text: string;
  /** Shown by focus and hover of this; should carry `aria-describedby` when the words matter (see `describes`). */
  children: ReactNode;
  id?: string;
  className?: string;
}

const GAP = 8;

/** Puts the bubble above what it explains, below when there is no room, and never outside of the window. */
function place(bubble: HTMLElement, anchor: DOMRect) {
  const { width, height } = bubble.getBoundingClientRect();
  const left = Math.min(
    Math.max(anchor.left + anchor.width / 2 - width / 2, GAP),
    document.documentElement.clientWidth - width - GAP,
  );
  const above = anchor.top - height - GAP;
  bubble.style.left = `${Math.max(left, GAP)}px`;
  bubble.style.top = `${above >= GAP ? above : anchor.bottom + GAP}px`;
}

/**
 * A short explanation on hover and on keyboard focus, closed by Esc. It lives in the browser's top layer
 * (popover), so no scroll area clips it, and it costs no positioning library on the first page.
 */
export function Tooltip({ text, children, id, className }: TooltipProps) {
  const ownId = useId();
  const bubble = useRef<HTMLSpanElement>(null);
  const open = (event: PointerEvent | FocusEvent) => {
    const element = bubble.current;
    if (!element?.showPopover || element.matches(':popover-open')) return;
    // A click focuses too; only a focus by keyboard asks for the words.
    if (event.type === 'focus' && event.target instanceof Element && !event.target.matches(':focus-visible'))
      return;
    element.showPopover();
    place(element, event.currentTarget.getBoundingClientRect());
  };
  const close = () => {
    if (bubble.current?.matches(':popover-open')) bubble.current.hidePopover();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what its child is doing
    <span
      className={cx('inline-flex', className)}
      onPointerEnter={open}
      onPointerLeave={close}
      onPointerDown={(event) => (event.pointerType === 'touch' ? open(event) : close())}
      onFocus={open}
      onBlur={close}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      {children}
      <span
        ref={bubble}
        id={id ?? ownId}
        role="tooltip"
        popover="manual"
        className="pointer-events-none fixed inset-auto m-0 w-max max-w-64 rounded-control bg-ink px-3 py-1.5 text-left text-sm font-medium whitespace-normal text-paper open:animate-fade"
      >
        {text}
      </span>
    </span>
  );
}
