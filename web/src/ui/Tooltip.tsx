import { type FocusEvent, type PointerEvent, type ReactNode, useId, useRef } from 'react';

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
