import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LoadingScreen } from '../ui/LoadingScreen.tsx';
import { Overlays } from '../ui/Overlays.tsx';

/** The first element in the tab order: skips the navigation. */
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

/** Moves the focus to the heading after a navigation, where screen readers start to read. */
function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        // The browser handles the focus of the first page.
        if (!pathChanged || !fromLocation) return;
        const heading = document.querySelector('main h1') ?? document.querySelector('main');
        if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
      }),
    [router],
  );
}

/** The frame of all screens: the skip link and the overlays. */
export function RootLayout() {
  useFocusOnNavigation();
  return (
    <>
      <SkipLink />
      <div className="contents">
        <Outlet />
        {/* Shown after a delay, only while the code of the layout is loading. */}
        <div className="animate-[fade_150ms_400ms_both] not-first:hidden">
          <LoadingScreen />
        </div>
      </div>
      <Overlays />
    </>
  );
}
