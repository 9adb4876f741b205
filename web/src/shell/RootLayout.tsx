import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Overlays } from '../ui/Overlays.tsx';
import { LoadingScreen } from '../ui/Spinner.tsx';

/** The first stop of the keyboard: past the navigation. */
function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-70 rounded-control bg-ink px-4 py-3 font-semibold text-paper focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
    >
      Skip to the content
    </a>
  );
}

/** After going to another page the focus stands on its heading, where a screen reader begins to read. */
function useFocusOnNavigation(): void {
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

/** Around every screen: the way past the navigation, and what opens over the page. */
export function RootLayout() {
  useFocusOnNavigation();
  return (
    <>
      <SkipLink />
      <div className="contents">
        <Outlet />
        {/* Alone here only while the code of the layout is on its way, after a moment. */}
        <div className="animate-[fade_150ms_400ms_both] not-first:hidden">
          <LoadingScreen />
        </div>
      </div>
      <Overlays />
    </>
  );
}
