import { useRef } from 'react';

/** What has the focus; for an item of a menu, which goes when it was chosen, the button of the menu. */
function focusedControl(): Element | null {
  const focused = document.activeElement;
  const menu = focused?.closest('[role=menu]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}

/**
 * Props for a dialog's content that give the focus back to where it was, or to the heading of the screen when that is
 * gone. The library does so only for a trigger of its own; ours are opened by state, from anywhere.
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = focusedControl();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (before.current instanceof HTMLElement) before.current.focus();
      // Where the screen gave the focus to something else, it stays there.
      const heading = document.querySelector('main h1');
      if (document.activeElement === document.body && heading instanceof HTMLElement)
        heading.focus({ preventScroll: true });
    },
  };
}
