import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet } from '@tanstack/react-router';
import { channel } from '@tara/contract/realtime';
import { lazy, Suspense, useEffect } from 'react';
import { endSession, sessionQuery } from '../features/accounts/index.ts';
import { passwordPrompt } from '../lib/password-prompt.ts';
import { onSessionEnded, queryClient } from '../lib/queries.ts';
import { useRealtime } from '../lib/realtime.ts';
import { cx } from '../ui/cx.ts';
import { useStore } from '../ui/store.ts';
import { useMediaQuery } from '../ui/use-media-query.ts';
import { usePart } from '../ui/use-part.ts';
import { AdminSwap } from './AdminSwap.tsx';
import { BottomBar } from './BottomBar.tsx';
import { navigationMode } from './navigation.ts';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';

const loadConfirmPassword = () =>
  import('../features/accounts/ConfirmPassword.tsx').then((part) => part.ConfirmPassword);
const RightColumn = lazy(() => import('./RightColumn.tsx'));
const ROOM_FOR_MORE = '(min-width: 1280px)';

/** The main group: navigation around the screen (§2). Its guard has run, so there is a session. */
export function MainLayout() {
  const { data: session } = useQuery(sessionQuery);
  const chosen = useStore(navigationMode);
  const wide = useMediaQuery(ROOM_FOR_MORE);
  useEffect(() => onSessionEnded(endSession), []);
  const prompt = useStore(passwordPrompt);
  const ConfirmPassword = usePart(loadConfirmPassword, prompt !== null);
  const signedIn = Boolean(session);
  // Nobody is left who could answer it.
  useEffect(() => (signedIn ? () => passwordPrompt.get()?.answer(false) : undefined), [signedIn]);
  // Verified, or changed on another device.
  useRealtime(
    session ? [channel.document('users', session.profile.id)] : [],
    () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  );
  // Ended meanwhile, here or elsewhere.
  if (!session) return <Navigate to="/sign-in" replace />;
  const { isUserAdmin } = session.account;
  const mode = isUserAdmin ? chosen : 'normal';
  return (
    <div className="mx-auto flex max-w-[1440px]">
      <Sidebar session={session} mode={mode} />
      <div
        className={cx(
          'min-w-0 flex-1 pb-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))]',
          // The last control of a screen can be scrolled out from under the floating button.
          isUserAdmin && 'max-md:[&>main:not(:has([data-composer]))]:pb-16',
        )}
      >
        <TopBar session={session} />
        <main id="main" tabIndex={-1} className="outline-none">
          <Outlet />
        </main>
      </div>
      {wide && (
        <aside
          aria-label="More"
          className="sticky top-0 h-dvh w-64 shrink-0 overflow-y-auto border-l border-line px-4 py-8"
        >
          <Suspense>
            <RightColumn />
          </Suspense>
        </aside>
      )}
      <BottomBar mode={mode} />
      {isUserAdmin && <AdminSwap />}
      {ConfirmPassword && <ConfirmPassword />}
    </div>
  );
}
