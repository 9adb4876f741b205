import {
  Link,
  Navigate,
  Outlet,
  useCanGoBack,
  useLocation,
  useMatches,
  useNavigate,
  useRouter,
} from '@tanstack/react-router';
import { accounts, type SessionContext } from '@tara/contract/accounts/accounts';
import { channel } from '@tara/contract/wire/realtime';
import { clsx } from 'clsx';
import { ArrowLeft, ArrowUpDown, Bell, CircleAlert, MessageCircle, Search } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { endSession, firstCalls, sessionQuery } from '../features/accounts/index.ts';
import { useCountUpdates } from '../features/counts/index.ts';
import { openSearch, SearchHost } from '../features/search/index.ts';
import { usePrompt } from '../lib/call.ts';
import { invalidate, onSessionEnded, useCall, useOptional } from '../lib/queries.ts';
import { useRealtime } from '../lib/realtime.ts';
import { destinationSearch } from '../lib/url.ts';
import { Button, IconButton, iconButtonClass } from '../ui/Button.tsx';
import { announce } from '../ui/feedback.ts';
import { HomeLink, Icon } from '../ui/Icon.tsx';
import { LoadingScreen } from '../ui/LoadingScreen.tsx';
import { LazyComponent, lazyModule, lazyPart } from '../ui/lazy-component.tsx';
import { CountBadge } from '../ui/marks.tsx';
import { useMediaQuery, WIDE } from '../ui/Page.tsx';
import { fullDate } from '../ui/TimeLabel.tsx';
import {
  mainPaths,
  type NavigationMode,
  navigation,
  notificationsLink,
  swapNavigation,
  useLinkCounts,
  useNavigationMode,
} from './navigation.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import { useOutboxes } from './outboxes.ts';
import { Push } from './push.tsx';
import { OwnSheet, Sidebar } from './Sidebar.tsx';

const prompts = lazyModule(async () => ({
  default: (await import('../features/accounts/Prompts.tsx')).Prompts,
}));
const RightColumn = lazyPart(() => import('./RightColumn.tsx'));
const RIGHT_COLUMN_MEDIA_QUERY = '(min-width: 80rem)';

/** The main group: navigation around the screen (§2). Its guard has run, so there is a session. */
export function MainLayout() {
  const session = useOptional(sessionQuery);
  const href = useLocation({ select: (location) => location.href });
  const chosen = useNavigationMode().mode;
  // Admin pages show the admin navigation, whatever was chosen (decisions §2).
  const isAdminPage = useMatches({
    select: (matches) => matches.some(({ routeId }) => routeId === '/_main/_admin'),
  });
  // It shows people to meet, too.
  const isWelcome = useLocation({ select: ({ pathname }) => pathname === '/welcome' });
  // The work lists of admins need the room.
  const hasRightColumn = useMediaQuery(RIGHT_COLUMN_MEDIA_QUERY) && !isAdminPage && !isWelcome;
  const hasSidebar = useMediaQuery(WIDE);
  // Both bars give way to a chat (§2), which has a header of its own and needs the height.
  const isChat = useLocation({
    select: ({ pathname }) => /[/](conversation-receipt|chats)[/]./.test(pathname),
  });
  useEffect(() => onSessionEnded(endSession), []);
  const { asks } = usePrompt();
  const signedIn = Boolean(session);
  // Without a session the prompt is cancelled.
  useEffect(() => (signedIn ? () => usePrompt.getState().answer(false) : undefined), [signedIn]);
  // The profile was verified, or changed on another device: the layout and an open profile page show it.
  useRealtime(
    session ? [channel.document('users', session.profile.id)] : [],
    () => void invalidate(firstCalls.session, firstCalls.profile),
  );
  useCountUpdates(signedIn);
  useOutboxes(session?.account.id);
  if (!session) return <SessionEnded href={href} />;
  const { isUserAdmin } = session.account;
  const mode = isUserAdmin ? (isAdminPage ? 'admin' : chosen) : 'normal';
  return (
    <div className="mx-auto flex max-w-[1440px]">
      {hasSidebar && <Sidebar session={session} mode={mode} />}
      <div
        className={clsx(
          'min-w-0 flex-1 pb-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))]',
          // Space for scrolling the last control out from under the floating button.
          isUserAdmin && 'max-md:[&>main:not(:has([data-composer]))]:pb-16',
        )}
      >
        {!isChat && <TopBar session={session} mode={mode} />}
        <OfflineBar isBelowHeader={isChat} />
        <main
          id="main"
          tabIndex={-1}
          // A chat fills the window below the notices, and scrolls its messages alone.
          className="outline-none has-data-composer:flex has-data-composer:h-[calc(100dvh-env(safe-area-inset-bottom))] has-data-composer:flex-col"
        >
          <AccountNotices account={session.account} />
          {/* What suspends in a screen never takes the bars away. */}
          <Suspense fallback={<LoadingScreen />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      {hasRightColumn && (
        <aside aria-label="More" className="sticky top-0 h-dvh w-64 shrink-0 overflow-y-auto px-4 py-8">
          <Suspense>
            <RightColumn />
          </Suspense>
        </aside>
      )}
      {!isChat && <BottomBar mode={mode} />}
      {isUserAdmin && !isAdminPage && <AdminSwap />}
      <SearchHost />
      <Push accountId={session.account.id} />
      <LazyComponent module={prompts} isWanted={asks !== null} props={{}} />
    </div>
  );
}

/**
 * The session has ended, here or elsewhere: leads to the sign-in, and back from it to where the member was. A form has
 * its draft, so that nothing is asked.
 */
function SessionEnded({ href }: { href: string }) {
  // Rendered again at the address that it leads to.
  const [search] = useState(() => destinationSearch(href));
  return <Navigate to="/sign-in" search={search} replace ignoreBlocker />;
}

/** The bottom navigation with five links, below 768 px. */
function BottomBar({ mode }: { mode: NavigationMode }) {
  const countOf = useLinkCounts();
  return (
    <nav
      data-bottom-bar
      aria-label={mode === 'admin' ? 'Admin' : 'Main'}
      className="fixed inset-x-0 bottom-0 z-30 bg-paper pb-safe shadow-lift md:hidden"
    >
      <ul className="flex h-(--bottom-bar)">
        {navigation[mode].bottom.map(({ to, label, short, icon, ...link }) => (
          <li key={to} className="min-w-0 flex-1">
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              activeProps={{ className: 'text-ink! font-bold! [&>svg]:bg-mango-soft' }}
              className="relative flex h-full flex-col items-center justify-center gap-0.5 text-bar font-medium text-ink-soft -outline-offset-2"
            >
              <Icon of={icon} className="box-content rounded-full px-4 py-1 transition-colors" />
              <span aria-hidden="true">{short ?? label}</span>
              <span className="sr-only">{label}</span>
              <CountBadge {...countOf(link)} className="absolute top-1 left-1/2 ml-2.5" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The top bar, below 768 px: search, messages, notifications, and the viewer's picture, whose sheet has the rest. */
function TopBar({ session, mode }: { session: SessionContext; mode: NavigationMode }) {
  const countOf = useLinkCounts();
  const isInner = useLocation({ select: ({ pathname }) => !mainPaths.has(pathname) });
  return (
    <header className="sticky top-0 z-30 bg-paper pt-safe md:hidden">
      <div className="flex h-14 items-center gap-1 px-safe">
        {isInner && <BackButton />}
        <HomeLink className="mr-auto" />
        <IconButton label="Search" quiet onClick={openSearch}>
          <Icon of={Search} />
        </IconButton>
        <Link to="/chats" className={clsx(iconButtonClass(), 'relative')}>
          <Icon of={MessageCircle} />
          <span className="sr-only">Messages</span>
          <CountBadge {...countOf({ counted: 'conversations' })} className="absolute -top-0.5 left-7" />
        </Link>
        <Link to="/notifications" className={clsx(iconButtonClass(), 'relative')}>
          <Icon of={Bell} />
          <span className="sr-only">Notifications</span>
          <CountBadge {...countOf(notificationsLink)} className="absolute -top-0.5 left-7" />
        </Link>
        <OwnSheet session={session} mode={mode} />
      </div>
    </header>
  );
}

/** One step back; from a screen that was opened by its address, home. */
function BackButton() {
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  return (
    <IconButton
      label="Back"
      quiet
      onClick={() => (canGoBack ? history.back() : void navigate({ to: '/' }))}
      className="-mr-1"
    >
      <Icon of={ArrowLeft} />
    </IconButton>
  );
}

/** Above every screen: until when the account is suspended, and a warning until it was read. */
export function AccountNotices({ account }: { account: SessionContext['account'] }) {
  const dismiss = useCall(accounts.dismissWarning, { invalidates: [accounts.session] });
  const { suspendedUntil, warning } = account;
  if (suspendedUntil === null && warning === null) return null;
  return (
    <div className="flex flex-col gap-2 px-4 pt-4 sm:px-6">
      {suspendedUntil !== null && (
        <p role="status" className="flex items-start gap-3 rounded-card bg-mango-soft p-4 text-mango-ink">
          <Icon of={CircleAlert} className="mt-0.5 shrink-0" />
          Your account is suspended until {fullDate(suspendedUntil.slice(0, 10))}. You can read, and end what
          is open.
        </p>
      )}
      {warning !== null && (
        <div
          role="alert"
          className="flex flex-wrap items-start justify-between gap-3 rounded-card bg-mango-soft p-4 text-mango-ink"
        >
          <p className="min-w-0 wrap-anywhere whitespace-pre-line">
            <strong className="block font-semibold">A warning by an admin of Tara</strong>
            {warning}
          </p>
          <Button
            variant="secondary"
            size="sm"
            pending={dismiss.isPending}
            onClick={() => dismiss.mutate({})}
          >
            I have read it
          </Button>
        </div>
      )}
    </div>
  );
}

/** Elements that use ArrowUp themselves: text fields and widgets with arrow-key navigation. */
const ARROW_KEY_USERS =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=tablist], [role=radiogroup], [role=slider], [role=dialog]';

function swap(): void {
  swapNavigation();
  announce(useNavigationMode.getState().mode === 'admin' ? 'Admin navigation' : 'Main navigation');
}

/** For admins: a floating button, or ArrowUp while not typing, swaps the navigation (§2). */
export function AdminSwap() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowUp' || event.defaultPrevented || event.repeat) return;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest(ARROW_KEY_USERS)) return;
      swap();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <div className="fixed right-4 bottom-[calc(16px+env(safe-area-inset-bottom)+var(--bottom-bar,0px)+var(--composer,0px))] z-40">
      <IconButton
        label="Swap the navigation (ArrowUp)"
        variant="filled"
        onClick={swap}
        className="shadow-lift"
      >
        <Icon of={ArrowUpDown} />
      </IconButton>
    </div>
  );
}
