import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useLocation, useMatches } from '@tanstack/react-router';
import type { SessionContext } from '@tara/contract/accounts';
import { channel } from '@tara/contract/realtime';
import { MessageCircle } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { endSession, firstCalls, sessionQuery } from '../features/accounts/index.ts';
import { useUnreadUpdates } from '../features/conversations/unread.ts';
import { usePasswordPrompt } from '../lib/call.ts';
import { invalidate, onSessionEnded } from '../lib/queries.ts';
import { useRealtime } from '../lib/realtime.ts';
import { destinationSearch } from '../lib/url.ts';
import { CountBadge } from '../ui/Badge.tsx';
import { iconButtonClass } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import { HomeLink, Icon } from '../ui/Icon.tsx';
import { LazyComponent, lazyModule, lazyPart } from '../ui/lazy-component.tsx';
import { useMediaQuery, WIDE } from '../ui/use-media-query.ts';
import { AccountNotices } from './AccountNotices.tsx';
import { AdminSwap } from './AdminSwap.tsx';
import { type NavigationMode, navigation, useLinkCounts, useNavigationMode } from './navigation.ts';
import { MoreMenu, OwnMenu, Sidebar } from './Sidebar.tsx';

const confirmPassword = lazyModule(() => import('../features/accounts/ConfirmPassword.tsx'));
const RightColumn = lazyPart(() => import('./RightColumn.tsx'));
const RIGHT_COLUMN_MEDIA_QUERY = '(min-width: 1280px)';

/** The main group: navigation around the screen (§2). Its guard has run, so there is a session. */
export function MainLayout() {
  const { data: session } = useQuery(sessionQuery);
  const href = useLocation({ select: (location) => location.href });
  const chosen = useNavigationMode().mode;
  // Admin pages show the admin navigation, whatever was chosen (decisions §2).
  const isAdminPage = useMatches({
    select: (matches) => matches.some(({ routeId }) => routeId === '/_main/_admin'),
  });
  // The work lists of admins need the room.
  const hasRightColumn = useMediaQuery(RIGHT_COLUMN_MEDIA_QUERY) && !isAdminPage;
  const hasSidebar = useMediaQuery(WIDE);
  // Both bars give way to a chat (§2), which has a header of its own and needs the height.
  const isChat = useLocation({
    select: ({ pathname }) => /[/](conversation-receipt|chats)[/]./.test(pathname),
  });
  useEffect(() => onSessionEnded(endSession), []);
  const { isOpen: needsPassword } = usePasswordPrompt();
  const signedIn = Boolean(session);
  // Without a session the password prompt is cancelled.
  useEffect(() => (signedIn ? () => usePasswordPrompt.getState().answer(false) : undefined), [signedIn]);
  // The profile was verified, or changed on another device: the layout and an open profile page show it.
  useRealtime(
    session ? [channel.document('users', session.profile.id)] : [],
    () => void invalidate(firstCalls.session, firstCalls.profile),
  );
  useUnreadUpdates(signedIn);
  // The session has ended, here or elsewhere.
  if (!session) return <Navigate to="/sign-in" search={destinationSearch(href)} replace />;
  const { isUserAdmin } = session.account;
  const mode = isUserAdmin ? (isAdminPage ? 'admin' : chosen) : 'normal';
  return (
    <div className="mx-auto flex max-w-[1440px]">
      {hasSidebar && <Sidebar session={session} mode={mode} />}
      <div
        className={cx(
          'min-w-0 flex-1 pb-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))]',
          // Space for scrolling the last control out from under the floating button.
          isUserAdmin && 'max-md:[&>main:not(:has([data-composer]))]:pb-16',
        )}
      >
        {!isChat && <TopBar session={session} mode={mode} />}
        <main
          id="main"
          tabIndex={-1}
          // A chat fills the window below the notices, and scrolls its messages alone.
          className="outline-none has-data-composer:flex has-data-composer:h-[calc(100dvh-env(safe-area-inset-bottom))] has-data-composer:flex-col"
        >
          <AccountNotices account={session.account} />
          <Outlet />
        </main>
      </div>
      {hasRightColumn && (
        <aside
          aria-label="More"
          className="sticky top-0 h-dvh w-64 shrink-0 overflow-y-auto border-l border-line px-4 py-8"
        >
          <Suspense>
            <RightColumn />
          </Suspense>
        </aside>
      )}
      {!isChat && <BottomBar mode={mode} />}
      {isUserAdmin && !isAdminPage && <AdminSwap />}
      <LazyComponent module={confirmPassword} isWanted={needsPassword} props={{}} />
    </div>
  );
}

/** The bottom navigation with five links, below 768 px. */
function BottomBar({ mode }: { mode: NavigationMode }) {
  const countOf = useLinkCounts();
  return (
    <nav
      data-bottom-bar
      aria-label={mode === 'admin' ? 'Admin' : 'Main'}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-safe md:hidden"
    >
      <ul className="flex h-16">
        {navigation[mode].bottom.map(({ to, label, short, icon, ...link }) => (
          <li key={to} className="flex-1">
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              activeProps={{ className: 'text-guava!' }}
              className="relative flex h-full flex-col items-center justify-center gap-1 text-xs font-medium text-ink-soft -outline-offset-2"
            >
              <Icon of={icon} />
              <span aria-hidden="true">{short ?? label}</span>
              <span className="sr-only">{label}</span>
              <CountBadge {...countOf(link)} className="absolute top-1.5 left-1/2 ml-1.5" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The top bar with messages and the viewer's profile, below 768 px. */
function TopBar({ session: { profile }, mode }: { session: SessionContext; mode: NavigationMode }) {
  const countOf = useLinkCounts();
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper pt-safe md:hidden">
      <div className="flex h-14 items-center gap-1 px-safe">
        <HomeLink className="mr-auto" />
        <Link to="/chats" className={cx(iconButtonClass(), 'relative')}>
          <Icon of={MessageCircle} />
          <span className="sr-only">Messages</span>
          <CountBadge {...countOf({ counted: 'messages' })} className="absolute top-0 left-5.5" />
        </Link>
        <MoreMenu beside={navigation[mode].bottom} />
        <OwnMenu profile={profile} />
      </div>
    </header>
  );
}
