import { Link, useNavigate } from '@tanstack/react-router';
import type { SessionContext } from '@tara/contract/accounts/accounts';
import { urlAtWidth } from '@tara/contract/files';
import { clsx } from 'clsx';
import { BadgeCheck, EllipsisVertical, LogOut, Moon, Settings, Sun, UserRound } from 'lucide-react';
import { useState } from 'react';
import { logOut, useSession } from '../features/accounts/index.ts';
import { IconButton } from '../ui/Button.tsx';
import { HomeLink, Icon } from '../ui/Icon.tsx';
import { Menu } from '../ui/lazy-overlays.tsx';
import { CountBadge } from '../ui/marks.tsx';
import { useMediaQuery } from '../ui/Page.tsx';
import { Avatar } from '../ui/Picture.tsx';
import { chooseTheme, ThemeSwitch, useTheme } from '../ui/Segmented.tsx';
import {
  activeLinkProps,
  adminLinks,
  extraLinks,
  type NavigationLink,
  type NavigationMode,
  navigation,
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
  const [isLoggingOut, setIsLoggingOut] = useState(false);
  const handleLogOut = async () => {
    setIsLoggingOut(true);
    await logOut();
    setIsLoggingOut(false);
  };
  return (
    <aside className="sticky top-0 hidden h-dvh w-18 shrink-0 flex-col gap-4 overflow-y-auto border-r border-line px-3 py-5 md:flex xl:w-64 xl:px-4">
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
      <nav aria-label={mode === 'admin' ? 'Admin' : 'Main'}>
        <SideLinks links={navigation[mode].side} />
      </nav>
      {isUserAdmin && mode === 'normal' && (
        <nav aria-labelledby="admin-links" className="border-t border-line pt-4">
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

function SideLinks({ links }: { links: readonly NavigationLink[] }) {
  const countOf = useLinkCounts();
  return (
    <ul className="flex flex-col gap-1">
      {links.map(({ to, label, icon, ...link }) => (
        <li key={to}>
          <Link
            to={to}
            title={label}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            activeProps={activeLinkProps}
            className={clsx(rowClass, 'relative')}
          >
            <Icon of={icon} />
            <span className={labelClass}>{label}</span>
            <CountBadge
              {...countOf(link)}
              className="max-xl:absolute max-xl:top-0.5 max-xl:right-0 xl:ml-auto"
            />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The viewer's picture in the top bar, with what belongs to them. */
export function OwnMenu({ profile }: Pick<SessionContext, 'profile'>) {
  const navigate = useNavigate();
  return (
    <Menu
      label="You"
      trigger={
        <button
          type="button"
          aria-label="Your profile and settings"
          className="flex size-11 items-center justify-center rounded-full"
        >
          <Avatar name={profile.name} src={urlAtWidth(profile.picture.imageUrl, 96)} size="sm" />
        </button>
      }
      items={[
        {
          label: 'Your profile',
          icon: UserRound,
          onSelect: () => void navigate({ to: '/profile/$id', params: { id: profile.id } }),
        },
        { label: 'Settings', icon: Settings, onSelect: () => void navigate({ to: '/settings' }) },
      ]}
    />
  );
}

interface MoreMenuProps {
  /** The links of the bar that is shown as well; without it, all of them are in the sidebar. */
  beside?: readonly NavigationLink[];
}

/** A menu with the content of the sidebar and the right column; its button counts what waits in it alone. */
export function MoreMenu({ beside = adminLinks }: MoreMenuProps) {
  const navigate = useNavigate();
  const { account, profile } = useSession();
  const countOf = useLinkCounts();
  const chosen = useTheme().theme;
  const systemDark = useMediaQuery('(prefers-color-scheme: dark)');
  const dark = chosen === 'system' ? systemDark : chosen === 'dark';
  const hidden = account.isUserAdmin ? adminLinks.filter((link) => !beside.includes(link)) : [];
  const waiting = hidden.reduce((sum, link) => sum + countOf(link).count, 0);
  return (
    <Menu
      label="More"
      trigger={
        <IconButton label={waiting > 0 ? `More, ${waiting} waiting` : 'More'} quiet className="relative">
          <Icon of={EllipsisVertical} />
          <CountBadge count={waiting} label="waiting" className="absolute top-0 left-6.5" />
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
