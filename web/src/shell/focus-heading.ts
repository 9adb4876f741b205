import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** After going to another page the focus stands on its heading, where a screen reader begins to read. */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        // The first page belongs to the browser.
        if (!pathChanged || !fromLocation) return;
        const heading = document.querySelector('main h1') ?? document.querySelector('main');
        if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
      }),
    [router],
  );
}
