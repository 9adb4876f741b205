import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { endSession, sessionQuery } from '../features/accounts/index.ts';
import { onSessionEnded } from '../lib/queries.ts';
import { useStore } from '../ui/store.ts';
import { AdminSwap } from './AdminSwap.tsx';
import { BottomBar } from './BottomBar.tsx';
import { navigationMode } from './navigation.ts';
import { RightColumn } from './RightColumn.tsx';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';

/** The main group: navigation around the screen (§2). Its guard has run, so there is a session. */
export function MainLayout() {
  const { data: session } = useQuery(sessionQuery);
  const chosen = useStore(navigationMode);
  useEffect(() => onSessionEnded(endSession), []);
  // Ended meanwhile, here or elsewhere.
  if (!session) return <Navigate to="/sign-in" replace />;
  const { isUserAdmin } = session.account;
  const mode = isUserAdmin ? chosen : 'normal';
  return (
    <div className="mx-auto flex max-w-[1440px] max-md:[--bottom-bar:64px]">
      <Sidebar session={session} mode={mode} />
      <div className="min-w-0 flex-1 pb-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))]">
        <TopBar session={session} />
        <main id="main" tabIndex={-1} className="outline-none">
          <Outlet />
        </main>
      </div>
      <RightColumn />
      <BottomBar mode={mode} />
      {isUserAdmin && <AdminSwap />}
    </div>
  );
}
