import { useCallback, useSyncExternalStore } from 'react';

/** Whether the media query holds, followed live. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** §2, §9: a dialog from 768 px, a drawer below. */
export const WIDE = '(min-width: 768px)';
