import { useRef } from 'react';

/**
 * Props for a dialog's content that give the focus back to where it was. The library does so only for a
 * trigger of its own; ours are opened by state, from anywhere.
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
