import { Link, useLocation } from '@tanstack/react-router';
import type { SessionContext } from '@tara/contract/accounts';
import { sized } from '@tara/contract/files';
import { MessageCircle } from 'lucide-react';
import { Avatar } from '../ui/Avatar.tsx';
import { Icon } from '../ui/Icon.tsx';
import { iconButtonClass } from '../ui/IconButton.tsx';
import { HomeLink } from './HomeLink.tsx';
import { MoreMenu } from './MoreMenu.tsx';

/** Below 768 px: messages and one's own profile; not above a per-plan chat (§2). */
export function TopBar({ session: { profile } }: { session: SessionContext }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (path.includes('/conversation-receipt/')) return null;
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper pt-safe md:hidden">
      <div className="flex h-14 items-center gap-1 px-safe">
        <HomeLink className="mr-auto" />
        <Link to="/chats" aria-label="Messages" className={iconButtonClass()}>
          <Icon of={MessageCircle} />
        </Link>
        <MoreMenu />
        <Link
          {...(profile.id ? { to: '/profile/$id', params: { id: profile.id } } : { to: '/' })}
          aria-label="Your profile"
          className="flex size-11 items-center justify-center rounded-full"
        >
          <Avatar name={profile.name} src={sized(profile.picture.imageUrl, 96)} size="sm" />
        </Link>
      </div>
    </header>
  );
}
