import { useNavigate } from '@tanstack/react-router';
import { EllipsisVertical, LogOut, Moon, Sun } from 'lucide-react';
import { useSession } from '../features/accounts/index.ts';
import { logOut } from '../features/accounts/log-out.ts';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu } from '../ui/Menu.tsx';
import { chooseTheme, useTheme } from '../ui/theme.ts';
import { useMediaQuery } from '../ui/use-media-query.ts';
import { extraLinks } from './ExtraLinks.tsx';

/** Below 768 px: what the sidebar and the right column hold on wide screens. */
export function MoreMenu() {
  const navigate = useNavigate();
  const { profile } = useSession();
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
        ...extraLinks(profile).map(({ label, icon, link }) => ({
          label,
          icon,
          onSelect: () => void navigate(link),
        })),
        null,
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
