import { Link, useNavigate } from '@tanstack/react-router';
import type { SessionContext } from '@tara/contract/accounts/accounts';
import { urlAtWidth } from '@tara/contract/files';
import { clsx } from 'clsx';
import { BadgeCheck, EllipsisVertical, LogOut, Moon, Search, Settings, Sun, UserRound } from 'lucide-react';
import { useState } from 'react';
import { logOut, useSession } from '../features/accounts/index.ts';
import { openSearch, searchKey } from '../features/search/index.ts';
import { IconButton } from '../ui/Button.tsx';
import { HomeLink, Icon } from '../ui/Icon.tsx';
import { Menu } from '../ui/lazy-overlays.tsx';
import { CountBadge } from '../ui/marks.tsx';
import { ResponsiveDialog } from '../ui/Overlays.tsx';
import { useMediaQuery } from '../ui/Page.tsx';
import { Avatar } from '../ui/Picture.tsx';
import { chooseTheme, ThemeSwitch, useTheme } from '../ui/Segmented.tsx';
import {
  activeLinkProps,
  adminLinks,
  ExtraLinks,
  extraLinks,
  type NavigationLink,
  type NavigationMode,
  navigation,
  notificationsLink,
  useLinkCounts,
} from './navigation.tsx';

const rowClass =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 py-2 font-medium text-ink-soft transition-colors hover:bg-sunken hover:text-ink max-xl:justify-center max-xl:px-0';
const labelClass = 'max-xl:sr-only';

interface SidebarProps {
  session: SessionContext;
  mode: NavigationMode;
}

/** The navigation from 768 px: icons only, from 1280 px with labels (§2). */
export function Sidebar({ session: { account, profile }, mode }: SidebarProps) {
  const { isUserAdmin } = account;
  const hasSearchKey = searchKey.useIsOn();
  const [isLoggingOut, setIsLoggingOut] = useState(false);
  const handleLogOut = async () => {
    setIsLoggingOut(true);
    await logOut();
    setIsLoggingOut(false);
  };
  return (
    <aside className="sticky top-0 hidden h-dvh w-18 shrink-0 flex-col gap-4 overflow-y-auto px-3 py-5 md:flex xl:w-64 xl:px-4">
      <HomeLink mark className="self-center xl:hidden" />
      <HomeLink className="self-start px-2 max-xl:hidden" />
      <Link
        {...(profile.id ? { to: '/profile/$id', params: { id: profile.id } } : { to: '/' })}
        className="flex items-center gap-3 rounded-control p-2 hover:bg-sunken max-xl:justify-center max-xl:p-1"
      >
        <Avatar name={profile.name} src={urlAtWidth(profile.picture.imageUrl, 96)} />
        <span className={clsx('min-w-0', labelClass)}>
          <span className="flex items-center gap-1 font-semibold">
            <span className="truncate">{profile.name}</span>
            {profile.verified && <Icon of={BadgeCheck} size={16} className="text-lagoon" />}
          </span>
          <span className="block truncate text-sm text-ink-soft">@{profile.username}</span>
        </span>
      </Link>
      <button
        type="button"
        title="Search"
        aria-haspopup="dialog"
        aria-keyshortcuts={hasSearchKey ? '/' : undefined}
        onClick={openSearch}
        className={clsx(rowClass, 'xl:bg-sunken')}
      >
        <Icon of={Search} />
        <span className={labelClass}>Search</span>
        {hasSearchKey && (
          <span
            aria-hidden="true"
            className="ml-auto rounded-sm border border-edge px-1.5 text-xs max-xl:hidden coarse:hidden"
          >
            /
          </span>
        )}
      </button>
      <nav aria-label="Notifications" className="-mt-3">
        <SideLinks links={[notificationsLink]} />
      </nav>
      <nav aria-label={mode === 'admin' ? 'Admin' : 'Main'}>
        <SideLinks links={navigation[mode].side} />
      </nav>
      {isUserAdmin && mode === 'normal' && (
        <nav aria-labelledby="admin-links" className="pt-2">
          <h2 id="admin-links" className={clsx('mb-1 px-3 text-sm font-semibold text-ink-soft', labelClass)}>
            Admin
          </h2>
          <SideLinks links={adminLinks} />
        </nav>
      )}
      <div className="mt-auto flex flex-col gap-1">
        <ThemeSwitch className="mb-1 self-start max-xl:hidden" />
        <div className="self-center xl:hidden">
          <MoreMenu />
        </div>
        <Link to="/settings" title="Settings" activeProps={activeLinkProps} className={rowClass}>
          <Icon of={Settings} />
          <span className={labelClass}>Settings</span>
        </Link>
        <button
          type="button"
          title="Log out"
          className={rowClass}
          aria-disabled={isLoggingOut}
          onClick={isLoggingOut ? undefined : handleLogOut}
        >
          <Icon of={LogOut} />
          <span className={labelClass}>Log out</span>
        </button>
      </div>
    </aside>
  );
}

/** `labelled`: with their labels in every window. */
function SideLinks({ links, labelled = false }: { links: readonly NavigationLink[]; labelled?: boolean }) {
  const countOf = useLinkCounts();
  return (
    <ul className="flex flex-col gap-1">
      {links.map(({ to, label, icon, ...link }) => (
        <li key={to}>
          <Link
            to={to}
            title={labelled ? undefined : label}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            activeProps={activeLinkProps}
            className={clsx(labelled ? sheetRowClass : rowClass, 'relative')}
          >
            <Icon of={icon} />
            <span className={labelled ? undefined : labelClass}>{label}</span>
            <CountBadge
              {...countOf(link)}
              className={labelled ? 'ml-auto' : 'max-xl:absolute max-xl:top-0 max-xl:left-8.5 xl:ml-auto'}
            />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The viewer's picture in the top bar; a press opens what the bars have no room for. */
export function OwnSheet({ session, mode }: SidebarProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { account, profile } = session;
  const countOf = useLinkCounts();
  const beside = navigation[mode].bottom;
  const work = account.isUserAdmin ? adminLinks.filter((link) => !beside.includes(link)) : [];
  const waiting = work.reduce((sum, link) => sum + countOf(link).count, 0);
  const label = 'Your profile and settings';
  return (
    <>
      <button
        type="button"
        aria-label={waiting > 0 ? `${label}, ${waiting} waiting` : label}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className="relative flex size-11 items-center justify-center rounded-full"
      >
        <Avatar name={profile.name} src={urlAtWidth(profile.picture.imageUrl, 96)} size="sm" />
        <CountBadge count={waiting} label="waiting" className="absolute -top-0.5 left-7" />
      </button>
      <ResponsiveDialog open={isOpen} onOpenChange={setIsOpen} title={profile.name}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links inside are what is pressed, also by keys */}
        <div
          className="-mx-3 flex flex-col"
          onClick={({ target }) => target instanceof Element && target.closest('a') && setIsOpen(false)}
        >
          <Link to="/profile/$id" params={{ id: profile.id }} className={sheetRowClass}>
            <Icon of={UserRound} />
            Your profile
            <span className="ml-auto truncate">@{profile.username}</span>
          </Link>
          <ExtraLinks />
          {account.isUserAdmin && (
            <nav aria-label="Admin" className="mt-3">
              <SideLinks links={adminLinks} labelled />
            </nav>
          )}
          <Link to="/settings" className={`${sheetRowClass} mt-3`}>
            <Icon of={Settings} />
            Settings
          </Link>
          <button type="button" onClick={() => void logOut()} className={sheetRowClass}>
            <Icon of={LogOut} />
            Log out
          </button>
          <div className="flex min-h-11 items-center justify-between px-3 py-2">
            <span className="font-medium text-ink-soft">Theme</span>
            <ThemeSwitch />
          </div>
        </div>
      </ResponsiveDialog>
    </>
  );
}

const sheetRowClass =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 py-2 font-medium text-ink-soft hover:bg-sunken hover:text-ink';

/** From 768 px, where the sidebar has no labels: a menu with what it and the right column have. */
function MoreMenu() {
  const navigate = useNavigate();
  const { account, profile } = useSession();
  const countOf = useLinkCounts();
  const chosen = useTheme().theme;
  const systemDark = useMediaQuery('(prefers-color-scheme: dark)');
  const dark = chosen === 'system' ? systemDark : chosen === 'dark';
  return (
    <Menu
      label="More"
      trigger={
        <IconButton label="More" quiet>
          <Icon of={EllipsisVertical} />
        </IconButton>
      }
      items={[
        ...(account.isUserAdmin ? adminLinks : []).map(({ to, label, icon, ...link }) => {
          const { count } = countOf(link);
          return {
            label: count > 0 ? `${label} (${count})` : label,
            icon,
            onSelect: () => void navigate({ to }),
          };
        }),
        ...(account.isUserAdmin ? [null] : []),
        ...extraLinks(profile).map(({ label, icon, link }) => ({
          label,
          icon,
          onSelect: () => void navigate(link),
        })),
        null,
        { label: 'Settings', icon: Settings, onSelect: () => void navigate({ to: '/settings' }) },
        {
          label: dark ? 'Light theme' : 'Dark theme',
          icon: dark ? Sun : Moon,
          onSelect: () => chooseTheme(dark ? 'light' : 'dark'),
        },
        { label: 'Log out', icon: LogOut, onSelect: () => void logOut() },
      ]}
    />
  );
}
